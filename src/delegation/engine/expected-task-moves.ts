/**
 * Tasks that came to wait somewhere while an agent worked, and that a runner brought there: sent to
 * review anew by a checkpoint, or made of what a chief left on its desk. Told from the disk alone,
 * whichever process did it.
 */
import { anewSchema } from '../../task/core/attempts/record.ts';
import { isState, type State } from '../../task/core/model/state.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { parseDecision } from '../../task/text/documents/documents.ts';
import { readAttempts, readRecord } from '../../workspace/tasks/read-attempts.ts';
import { childrenOf } from './child-tasks.ts';
import { decisionHash, nextKept } from '../../checkpoints/engine/apply-decision.ts';
import { DECISION_FILE } from '../../checkpoints/engine/form.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function isRunnersTask(ws: Workspace, id: string, state: string): boolean {
  if (!isState(state)) return false;
  return isChild(ws, id, state) || isSentAnew(ws, id, state);
}

/** Its parent's kept desk names it. */
function isChild(ws: Workspace, id: string, state: State): boolean {
  const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
  const parent = contract.ok ? contract.value.head.parent : undefined;
  const folder = parent === undefined ? undefined : folderOf(ws, parent);
  if (parent === undefined || folder === undefined) return false;
  const { attempts } = readAttempts(ws, folder, parent);
  return childrenOf(ws, folder, parent, attempts).some((child) => child.id === id);
}

/** By a decision that a checkpoint holds, or has kept since. */
function isSentAnew(ws: Workspace, id: string, state: State): boolean {
  const folder = taskFolder(ws.layout, state, id);
  return readAttempts(ws, folder, id).attempts.some(({ number, lost }) => {
    const read = readRecord(ws, `${attemptFolder(folder, number, lost)}/anew.md`, anewSchema());
    if (read?.ok !== true) return false;
    const { checkpoint, decision } = read.value;
    return decisionsOf(ws, checkpoint).includes(decision);
  });
}

function decisionsOf(ws: Workspace, checkpoint: string): readonly string[] {
  const folder = folderOf(ws, checkpoint);
  if (folder === undefined) return [];
  const notes = `${folder}/notes`;
  const last = nextKept(ws, notes);
  const kept = Array.from({ length: last - 1 }, (_, i) => `${notes}/decision-${i + 1}.md`);
  return [...kept, `${folder}/${DECISION_FILE}`].flatMap((path, i) => {
    const read = ws.disk.stat(path) === undefined ? undefined : readText(ws.disk, path, path);
    return read?.ok === true ? [decisionHash(i + 1, parseDecision(read.value))] : [];
  });
}

function folderOf(ws: Workspace, id: string): string | undefined {
  const [state] = locate(ws.disk, ws.layout, id);
  return state === undefined ? undefined : taskFolder(ws.layout, state, id);
}
