/**
 * The notepad of a plan, `.contracts/plans/<plan>/notepad.md`: briefs contain its end, and an approved
 * result adds to it before its task moves to done. A file that is not text is left alone and reported.
 */
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { problem, refused, type Result } from '../../../task/core/model/problem.ts';
import { ReadRefused } from '../../../task/store/disk/disk.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { planFolder, plansFolder, shown } from '../../../task/store/tasks/layout.ts';
import { putInTurn } from '../../../task/store/disk/put.ts';
import { decodeText } from '../../../task/text/yaml/front-matter.ts';
import { parseResult } from '../../../task/text/documents/documents.ts';
import { addedEntry, endOfNotepad, hasEntry, NOTEPAD_BRIEF_BYTES } from '../../text/notepad.ts';
import { bytesOf, type Running } from '../../../workspace/tasks/attempt-context.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const NOTEPAD = 'notepad.md';
const NOTEPAD_BYTES_MAX = 1024 * 1024;
const TRIES = 4;

/** Empty where there is none. */
export function notepadFor(ws: Workspace, plan: string): string {
  const path = `${planFolder(ws.layout, plan)}/${NOTEPAD}`;
  const read = readNotepad(ws, path);
  if (read?.ok !== true) return '';
  const { text, cut } = endOfNotepad(read.value, NOTEPAD_BRIEF_BYTES);
  const file = shown(ws.layout, path);
  return cut ? `(The end of \`${file}\`; there is more above it.)\n\n${text}` : text;
}

/** A link leads out of the workspace, so none is followed. */
export function hasPlanFolder(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  return [plansFolder(ws.layout), planFolder(ws.layout, plan)].every(
    (folder) => ws.disk.stat(folder)?.kind === 'folder',
  );
}

/** undefined: there is none. */
function readNotepad(ws: Workspace, path: string): Result<string> | undefined {
  if (ws.disk.stat(path) === undefined) return undefined;
  try {
    return decodeText(ws.disk.read(path, NOTEPAD_BYTES_MAX), path);
  } catch (error) {
    if (!(error instanceof ReadRefused)) throw error;
    return refused([]);
  }
}

/** `folder` has the approved result.md. */
export function noteLearnings(running: Running, folder: string): void {
  const { ws, id, contract, task, emit } = running;
  const plan = contract?.head.plan;
  if (contract === undefined || plan === undefined || !hasPlanFolder(ws, plan)) return;
  const result = textIfThere(ws.disk, `${folder}/result.md`);
  if (result === undefined) return;
  const attempt = lastEnded(task.attempts, 'work')?.number ?? 0;
  const entry = { id, attempt, title: contract.title, result: parseResult(result) };
  if (addedEntry('', plan, entry) === undefined) return;
  const path = `${planFolder(ws.layout, plan)}/${NOTEPAD}`;
  for (let tries = 1; tries <= TRIES; tries++) {
    const read = readNotepad(ws, path);
    if (read?.ok === false) break;
    const text = read?.value ?? '';
    // Checked again after the write: another runner may have written at the same time.
    if (hasEntry(text, entry)) return;
    const added = addedEntry(text, plan, entry);
    if (added === undefined) return;
    const bytes = bytesOf(text + added);
    if (bytes.length > NOTEPAD_BYTES_MAX) break;
    putInTurn(ws.putting, path, read && sha256(text), bytes);
  }
  const kept = readNotepad(ws, path);
  if (kept?.ok === true && hasEntry(kept.value, entry)) return;
  emit({
    event: 'problem',
    problem: problem({
      code: 'unreadable',
      severity: 'warning',
      file: shown(ws.layout, path),
      message: `the learnings of ${id} could not be added`,
      expected: 'a file of UTF-8 text, at most 1 MiB',
      fix: `Repair it or move it away; the learnings are in result.md of ${id}`,
    }),
  });
}
