/** A gate guards what its task makes: nobody uses a document below `.contracts/` before it has approved. */
import { globMatcher } from '../../task/core/base/glob.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isPlacedBy } from '../../workspace/tasks/placed.ts';
import { tasksIn, type Board } from './board.ts';

/** `file` is relative to the workspace; a check looks at it by this name. */
interface Made extends Readonly<Record<'file' | 'check' | 'name', string>> {
  /** Only what an attempt may have put there already. */
  readonly there?: boolean;
}

const guards = /* @__PURE__ */ onceFor((_tasks: object) => new Map<string, TaskRead | undefined>());

/** The live task that makes it, or the one that handed it in as it is now and was refused. */
export function guardOf(ws: Workspace, made: Made, tasks?: Board['tasks']): TaskRead | undefined {
  const known = guards(tasks ?? {});
  if (known.has(made.file)) return known.get(made.file);
  const live = tasks === undefined ? tasksIn(ws, LIVE_STATES) : [...tasks.values()];
  const placed = ({ state, id, attempts }: TaskRead): boolean =>
    attempts.length > 0 && isPlacedBy(ws, taskFolder(ws.layout, state, id), made.file);
  const isRefused = ({ attempts }: TaskRead): boolean =>
    attempts.findLast(({ lost }) => !lost)?.outcome?.outcome === 'reject';
  const found =
    live.find((one) => isToMake(one, made) || placed(one)) ??
    tasksIn(ws, ['aborted']).find((one) => isRefused(one) && placed(one));
  known.set(made.file, found);
  return found;
}

function isToMake({ contract, attempts }: TaskRead, { file, check, name, there }: Made): boolean {
  if (there === true && !attempts.some(({ outcome }) => outcome)) return false;
  if (!contract.ok) return false;
  const { head, checks } = contract.value;
  const isNamed = checks.some(
    (one) => one.kind === 'named' && one.name === check && one.path?.split('/').includes(name),
  );
  return isNamed || head.deliverables.some((glob) => globMatcher(glob)(file));
}
