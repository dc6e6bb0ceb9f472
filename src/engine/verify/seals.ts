/** How the signatures of the receipts of a task hold. Reads each receipt, so never for a list. */
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { attemptFolder, shown, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { sealOf, type Seal } from '../../trust/sign.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface AttemptSeal extends Seal {
  readonly number: number;
  /** The attempt, absolute. */
  readonly folder: string;
}

/** By attempt, those that have receipts. `task`: where the contract of the receipts is compared too. */
export function sealsIn(
  ws: Workspace,
  folder: string,
  id: string,
  task?: Pick<TaskRead, 'state' | 'source'>,
): readonly AttemptSeal[] {
  const found = listAttempts(ws.disk, folder).flatMap(({ number, lost }): AttemptSeal[] => {
    const path = attemptFolder(folder, number, lost);
    const file = `${path}/receipts.md`;
    const kind = ws.disk.stat(file)?.kind;
    if (kind === undefined) return [];
    const bytes = kind === 'file' ? bytesAt(ws.disk, file, TEXT_BYTES_MAX) : undefined;
    const about = { task: id, attempt: number };
    return [{ number, folder: path, ...sealOf(ws, about, bytes ?? new Uint8Array()) }];
  });
  const last = found.at(-1);
  if (task?.state !== 'done' || last?.kind !== 'holds') return found;
  if (readReceipts(ws, last.folder)?.contract === contractHash(task)) return found;
  return [...found.slice(0, -1), { ...last, kind: 'broken', words: 'do not hold' }];
}

/** Those that do not hold, each an error. */
export function brokenSeals(ws: Workspace, id: string, seals: readonly AttemptSeal[]): Problem[] {
  return seals.flatMap(({ kind, number, folder }) => {
    if (kind !== 'broken') return [];
    const file = `${shown(ws.layout, folder)}/receipts.md`;
    const message = `the receipts of attempt ${number} do not hold: they, or the contract, changed after they were signed`;
    const fix = `Restore them from git or a backup, or have them made again: contracts reopen ${id}`;
    return problem({ code: 'broken_receipts', file, message, fix });
  });
}
