/**
 * Puts away what was at the top of a task's folder when a person's attempt was claimed: a person has no
 * desk, and what is there counts as handed in. The claim lists those files with their hashes in earlier.md,
 * which is removed after them, so a crash in between is noticed. Times do not help: mv and cp -p keep them.
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { lazily } from '../../task/core/base/lazy.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { parseRecord, renderRecord } from '../../task/text/documents/record.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { gatherInputs } from '../../workspace/tasks/inputs.ts';
import { readBytes, readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { archiveForWork, AT_THE_TOP, resultForm } from './current-files.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

export const EARLIER = 'earlier.md';

/** `<sha256 or unreadable> <name>` for each file. */
const earlierSchema = lazily(() => z.object({ v: z.literal(1), files: z.array(z.string()) }));

/** For the claim; undefined when nothing there could count as handed in. */
export function earlierRecord(ws: Workspace, folder: string): Uint8Array | undefined {
  const found = AT_THE_TOP.filter((name) => ws.disk.stat(join(folder, name)) !== undefined);
  if (!found.includes('result.md') && !found.includes('questions.md')) return undefined;
  const files = found.map((name) => `${hashOf(ws, folder, name)} ${name}`);
  return bytesOf(renderRecord({ v: 1, files }, ''));
}

export function earlierLeft(ws: Workspace, task: TaskRead): boolean {
  const number = task.attempts.at(-1)?.number ?? 0;
  const folder = taskFolder(ws.layout, task.state, task.id);
  return ws.disk.stat(join(attemptFolder(folder, number), EARLIER)) !== undefined;
}

/** Right after the claim all of it is earlier; later only what is as it was at the claim. */
export function putEarlierAway(running: Running, folder: string, claimed: 'now' | 'before'): void {
  const { ws, number } = running;
  const attempt = attemptFolder(folder, number);
  const path = join(attempt, EARLIER);
  if (claimed === 'now') {
    archiveForWork(running, folder);
  } else {
    const listed = new Set(listedIn(ws, path));
    archiveForWork(running, folder, (name) => listed.has(`${hashOf(ws, folder, name)} ${name}`));
  }
  if (ws.disk.stat(path) === undefined) return;
  ws.disk.remove(path);
  // Were it back after a power cut, the same text handed in later would be put away too.
  ws.disk.sync(attempt);
}

/** A person finds a form to fill in, with the last findings. Without a status it is not handed in. */
export function offerForm(running: Running, contract: Contract, folder: string): boolean {
  const { ws, id, task } = running;
  const last = gatherInputs(ws, folder, task.attempts).findings.at(-1);
  const findings = last === undefined ? '' : `By ${last.by}:\n\n${last.text}`;
  const form = bytesOf(resultForm(ws, id, contract, { findings }));
  const path = join(folder, 'result.md');
  return putIfUnchanged(ws.putting, path, undefined, form) === 'put';
}

function listedIn(ws: Workspace, path: string): readonly string[] {
  const text = readText(ws.disk, path, EARLIER);
  const record = text.ok ? parseRecord(text.value, EARLIER) : undefined;
  const parsed = record?.ok === true ? earlierSchema().safeParse(record.value.head) : undefined;
  return parsed?.success === true ? parsed.data.files : [];
}

function hashOf(ws: Workspace, folder: string, name: string): string {
  const bytes = readBytes(ws.disk, join(folder, name), name);
  return bytes.ok ? sha256(bytes.value) : 'unreadable';
}
