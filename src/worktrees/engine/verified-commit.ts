/** The commit of a task's last work, which alone is merged: anyone may move the tip of a branch. */
import { outcomeSchema } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { archiveFolder, attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { calledIn, readRecord } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Verified {
  readonly id: string;
  readonly branch: string;
  readonly commit: string;
  /** Paths, and when the work ended. */
  readonly changed: readonly string[];
  readonly at: string;
  /** After that work. */
  readonly approved: boolean;
  /** The task's folder; `newest`: of its newest attempt; `checked`: with the receipts of that one. */
  readonly folder: string;
  readonly newest: string;
  readonly checked: string;
}

/** undefined without a commit of its last work. */
export function verifiedCommit(ws: Workspace, id: string, folder: string): Verified | undefined {
  const attempts = listAttempts(ws.disk, folder).filter(({ lost }) => !lost);
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  let approved = false;
  let checked: string | undefined;
  for (const { number } of attempts.toReversed()) {
    const path = attemptFolder(folder, number);
    const read = readRecord(ws, `${path}/outcome.md`, outcomeSchema());
    if (read?.ok !== true) continue;
    checked ??= calledIn(folder, { number, lost: false, outcome: read.value });
    const { kind, outcome, branch, commit, changed, at } = read.value;
    if (kind === 'review') {
      approved ||= outcome === 'approved';
      continue;
    }
    if (branch === undefined || commit === undefined) return undefined;
    const newest = attemptFolder(folder, last.number);
    return { id, branch, commit, changed, at, approved, folder, newest, checked };
  }
  return undefined;
}

/** The archive is searched last. */
export function folderOf(
  ws: Workspace,
  id: string,
): { readonly folder: string; readonly state: State | 'archived' } | undefined {
  const [state] = locate(ws.disk, ws.layout, id);
  if (state !== undefined) return { folder: taskFolder(ws.layout, state, id), state };
  const folder = archiveFolder(ws.layout, id);
  return ws.disk.stat(folder)?.kind === 'folder' ? { folder, state: 'archived' } : undefined;
}
