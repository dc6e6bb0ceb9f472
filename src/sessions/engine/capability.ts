/** Sessions: what a client in which a person works is given, and what its session leaves for the next one. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { EVENTS, WRITE } from '../cli/verbs.ts';
import { calls } from './calls.ts';
import { handoffProblems } from './handoff.ts';

export const sessions: Capability = {
  name: 'sessions',
  flags: [WRITE],
  below: EVENTS,
  problems: handoffProblems,
  ...calls,
};
