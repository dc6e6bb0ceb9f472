/** Checkpoints: a decision between two waves of a plan, before the next one begins. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';
import { isCheckpoint, TABLE, whoDecides } from '../core/checkpoint.ts';
import { decideCheckpoint } from '../core/decide-checkpoint.ts';
import type { Kind } from '../../task/core/model/task.ts';
import { parseDecision } from '../text/decision.ts';

/** The kind of task that a checkpoint is: it is done by a decision, and not by work. */
export const checkpointKind: Kind = {
  name: 'checkpoint',
  is: isCheckpoint,
  works: false,
  table: TABLE,
  decision: {
    words: new Map([
      ['GO', 'the next wave begins'],
      ['PAUSE', 'tasks that depend on it wait until the next decision'],
      ['REVIEW', 'finished tasks of this wave are verified and reviewed again'],
      ['ABORT', 'tasks that depend on this checkpoint are aborted'],
    ]),
    question: 'How should the plan continue?',
    parse: parseDecision,
    // Nothing but one REVIEW too many stops it.
    stopped: (reason) => `${reason}, and none is left (reviews_max)`,
  },
  decide: decideCheckpoint,
  asked: whoDecides,
  asks: { trigger: 'checkpoint_asked', reason: 'its wave has ended' },
  joins: true,
  // What it was asked before was about the wave as it was then.
  repeats: true,
  // It may be asked as often as it likes; whoever decides may send the wave back as a gate may.
  limits: (limits, outcome, decision) => ({
    ...limits,
    questions_max:
      outcome === 'questions' && decision() === 'REVIEW'
        ? limits.reviews_max
        : Number.POSITIVE_INFINITY,
  }),
};

export const checkpoints: Capability = {
  name: 'checkpoints',
  kind: checkpointKind,
  acts: () => import('./apply-decision.ts'),
  ...calls,
};
