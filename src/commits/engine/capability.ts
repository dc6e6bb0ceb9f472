/** Commits: one for each task that comes to done in the shared tree. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';

export const commits: Capability = { name: 'commits', ...calls };
