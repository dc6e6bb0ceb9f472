/** A gate guards what its task makes: nobody uses a document below `.contracts/` before it has approved. */
import { globMatcher } from '../../task/core/base/glob.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { permissionFor } from '../../permissions/engine/enforce/preflight-permissions.ts';
import { isPlacedBy } from '../../workspace/tasks/placed.ts';
import { tasksIn, type Board } from './board.ts';

/** `file` is relative to the workspace; a check looks at it by this name. */
interface Made extends Readonly<Record<'file' | 'check' | 'name', string>> {
  /** Files below it belong to it. */
  readonly folder?: string;
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
    attempts.length > 0 &&
    isPlacedBy(ws, taskFolder(ws.layout, state, id), made.folder ?? made.file);
  const isRefused = ({ attempts }: TaskRead): boolean =>
    attempts.findLast(({ lost }) => !lost)?.outcome?.outcome === 'reject';
  const found =
    live.find((one) => isToMake(one, made) || placed(one) || hasChanged(ws, one, made)) ??
    tasksIn(ws, ['aborted']).find((one) => isRefused(one) && placed(one));
  known.set(made.file, found);
  return found;
}

/** An agent that may write it worked while it changed, and its gate has not spoken. */
function hasChanged(ws: Workspace, { contract, attempts }: TaskRead, made: Made): boolean {
  if (!contract.ok || contract.value.head.quality_gate.length === 0) return false;
  const changed = attempts.flatMap(({ outcome }) => outcome?.changed ?? []);
  const own = changed.filter((path) => isOf(made, path));
  return own.some((path) => permissionFor(ws, contract.value, path) === undefined);
}

function isOf({ file, folder }: Made, path: string): boolean {
  return path === file || (folder !== undefined && path.startsWith(`${folder}/`));
}

function isToMake({ contract, attempts }: TaskRead, made: Made): boolean {
  const { file, check, name, there } = made;
  if (there === true && !attempts.some(({ outcome }) => outcome)) return false;
  if (!contract.ok) return false;
  const { head, checks } = contract.value;
  const isNamed = checks.some(
    (one) => one.kind === 'named' && one.name === check && one.path?.split('/').includes(name),
  );
  return isNamed || head.deliverables.some((glob) => globMatcher(glob)(file) || isOf(made, glob));
}
