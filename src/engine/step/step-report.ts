/** What a step is asked for and what it reports: the shapes that all who step share. */
import type { Use } from '../../task/core/attempts/budget.ts';
import type { Event } from '../../task/core/lines/event.ts';
import type { Candidate } from '../core/decide/schedule.ts';
import type { Emit } from '../../workspace/tasks/attempt-context.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Until } from './claimant.ts';
import type { InFlight } from '../board/in-flight.ts';

export interface StepOptions {
  /** Only these tasks are acted on. */
  readonly only?: ReadonlySet<string> | undefined;
  /**
   * Each of these has its agent asked for questions, once, unless a round after this attempt was answered; nothing
   * else is done. An id leaves it with its round.
   */
  readonly asks?: ReadonlyMap<string, number> | undefined;
  /** Only those, whenever they are made. */
  readonly wants?: ((task: TaskRead) => boolean) | undefined;
  /** Tasks left alone: those that met a fault earlier in the same run. */
  readonly except?: ReadonlySet<string> | undefined;
  readonly parallel?: number | undefined;
  /** Shared by steps of this process that overlap. */
  readonly in_flight?: InFlight | undefined;
  /** The use of this run; without it, that of this step. */
  readonly spending?: Spending | undefined;
  /** Nothing is claimed from then on. */
  readonly until?: Until | undefined;
  readonly dry_run?: boolean | undefined;
  /** Each task has had its one call: what came of it is judged, and nothing is called. */
  readonly called?: boolean | undefined;
  /** Takes back each change that an agent provably made outside its permissions. */
  readonly revert_violations?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly emit?: Emit | undefined;
}

/** Shared by the steps of one run, and added to as calls end. */
export interface Spending {
  use: Use;
}

export interface StepReport {
  /** Everything but progress and status lines, in order. */
  readonly events: readonly Event[];
  /** True when something moved, ended or was written: another step may find more to do. */
  readonly progressed: boolean;
  /** Tasks that met a fault; WHOLE_STEP when it kept the step from looking at any. */
  readonly faulted: ReadonlySet<string>;
  readonly interrupted: boolean;
  /** Actions of the step, in order; with `dry_run` nothing else happens. */
  readonly plan: readonly Candidate[];
}

/** Among the tasks that met a fault: the step itself. */
export const WHOLE_STEP = '';
