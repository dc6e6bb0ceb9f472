/**
 * Compares the deliverables of a task in `done` with the receipt of its approval. Reads each file, so only
 * for verbs on one task. What is not merged yet is kept by its commit.
 */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { Delivered } from '../../task/core/attempts/record.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { look } from '../attempt/deliverables.ts';
import { calledIn, readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { unmergedIn } from '../../worktrees/engine/unmerged.ts';

export interface Differs {
  readonly path: string;
  /** Gone, empty or shorter; any other change may be later work. */
  readonly damaged: boolean;
  readonly words: string;
}

export function notAsVerified(
  ws: Workspace,
  task: TaskRead,
  folder = taskFolder(ws.layout, task.state, task.id),
): readonly Differs[] {
  const last = lastEnded(task.attempts, 'review');
  if (task.state !== 'done' || last?.outcome?.outcome !== 'approved') return [];
  const then = readReceipts(ws, calledIn(folder, last))?.deliverables ?? [];
  if (then.length === 0 || unmergedIn(ws)(task)) return [];
  return then.flatMap((one) => {
    const { hash, ...now } = look(ws, one.path);
    return differsFrom(one, hash === undefined ? undefined : now) ?? [];
  });
}

function differsFrom(
  { path, bytes, sha256 }: Delivered,
  now: Pick<Delivered, 'bytes' | 'sha256'> | undefined,
): Differs | undefined {
  const was = `it had ${bytes} bytes when it was verified`;
  if (now === undefined) return { path, damaged: true, words: `${path} is missing: ${was}` };
  if (now.bytes === bytes && now.sha256 === sha256) return undefined;
  const is =
    now.bytes === 0 ? `is empty: ${was}` : `changed since: ${was}, and has ${now.bytes} now`;
  return { path, damaged: now.bytes < bytes, words: `${path} ${is}` };
}
