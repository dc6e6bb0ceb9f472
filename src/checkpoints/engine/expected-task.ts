/** A task that a runner sent to review again, by a decision that a checkpoint holds or has kept since. */
import { anewSchema } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { parseDecision } from '../text/decision.ts';
import { readAttempts, readRecord } from '../../workspace/tasks/read-attempts.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { decisionHash, nextKept } from './apply-decision.ts';
import { DECISION_FILE } from './form.ts';

export function isSentAgain(ws: Workspace, id: string, state: State): boolean {
  const folder = taskFolder(ws.layout, state, id);
  return readAttempts(ws, folder, id).attempts.some(({ number, lost }) => {
    const read = readRecord(ws, `${attemptFolder(folder, number, lost)}/anew.md`, anewSchema());
    if (read?.ok !== true) return false;
    const { checkpoint, decision } = read.value;
    return decisionsOf(ws, checkpoint).includes(decision);
  });
}

function decisionsOf(ws: Workspace, checkpoint: string): readonly string[] {
  const [state] = locate(ws.disk, ws.layout, checkpoint);
  if (state === undefined) return [];
  const folder = taskFolder(ws.layout, state, checkpoint);
  const notes = `${folder}/notes`;
  const last = nextKept(ws, notes);
  const kept = Array.from({ length: last - 1 }, (_, i) => `${notes}/decision-${i + 1}.md`);
  return [...kept, `${folder}/${DECISION_FILE}`].flatMap((path, i) => {
    const read = ws.disk.stat(path) === undefined ? undefined : readText(ws.disk, path, path);
    return read?.ok === true ? [decisionHash(i + 1, parseDecision(read.value))] : [];
  });
}
