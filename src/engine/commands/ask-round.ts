/** A round of questions over several tasks: which are asked, and what came of each. */
import type { Attempt } from '../../task/core/attempts/record.ts';
import type { Event } from '../../task/core/lines/event.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { wasAsked } from '../core/decide/heard.ts';
import { readBoard } from '../board/board.ts';
import { run, type RunReport } from '../step/run.ts';
import type { StepOptions } from '../step/step-report.ts';

/** Tasks by name, or those that somebody wants; all where neither is said. */
export interface Asking {
  readonly ids?: readonly string[];
  readonly wants?: (task: TaskRead) => boolean;
}

export interface Round {
  readonly asked: readonly string[];
  /** How the round of each ended, by task. */
  readonly ends: ReadonlyMap<string, Extract<Event, { event: 'ended' }>>;
  readonly report: RunReport;
}

/**
 * Drafts and ready tasks, each with the number of its newest attempt that ended. One that was asked about this very
 * contract is asked again only by its name.
 */
export function tasksToAsk(ws: Workspace, { ids = [], wants }: Asking): Map<string, number> {
  const { tasks } = readBoard(ws);
  const isToAsk = (task: TaskRead): boolean =>
    ['draft', 'ready'].includes(task.state) &&
    wants?.(task) !== false &&
    !wasAsked(task, contractHash(task));
  const chosen = ids.length > 0 ? ids : [...tasks].flatMap(([id, t]) => (isToAsk(t) ? [id] : []));
  const isOver = ({ lost, outcome }: Attempt): boolean => lost || outcome !== undefined;
  const endedIn = (id: string) => tasks.get(id)?.attempts.findLast(isOver)?.number ?? 0;
  return new Map(chosen.map((id) => [id, endedIn(id)]));
}

/** Calls each agent once. */
export async function askRound(
  ws: Workspace,
  asking: Asking,
  options: Pick<StepOptions, 'signal' | 'emit' | 'parallel'>,
): Promise<Round> {
  const left = tasksToAsk(ws, asking);
  const asked = [...left.keys()];
  const ends = new Map<string, Extract<Event, { event: 'ended' }>>();
  const emit = (event: Event): void => {
    if (event.event === 'ended' && event.kind === 'ask') {
      left.delete(event.task);
      ends.set(event.task, event);
    }
    options.emit?.(event);
  };
  const report = await run(ws, { ...options, only: new Set(asked), asks: left, emit });
  return { asked, ends, report };
}
