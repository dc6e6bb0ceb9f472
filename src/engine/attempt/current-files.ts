/**
 * Keeps the files at the top of a task folder current (docs/concepts.md#the-desk): a claim moves earlier
 * ones into their attempt, an end publishes new ones. Each rename and put is safe to repeat after a crash.
 */
import { join } from 'node:path';
import { awaitedReview, lastAsker, lastEnded } from '../../task/core/attempts/counters.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { modeOf, put } from '../../task/store/disk/put.ts';
import { CONFIRMED_FILE } from '../../task/text/documents/confirmation.ts';
import { keptDesk, original } from '../../workspace/tasks/read-attempts.ts';
import { answersInSlots } from '../../task/text/documents/edit.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import { redacted } from '../../workspace/tasks/redact.ts';
import type { NamedBytes } from '../../workspace/tasks/capability.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import { fillTemplate, type Workspace } from '../../workspace/open/workspace.ts';

const OF_WORK = ['status.md', 'questions.md', 'result.md'] as const;
export const AT_THE_TOP: readonly string[] = [...OF_WORK, 'review.md', 'blocked.md'];

/** Before the agent of a work attempt is called. */
export function archiveForWork(
  running: Running,
  folder: string,
  goes: (name: string) => boolean = () => true,
): void {
  const { task } = running;
  for (const name of AT_THE_TOP.filter(goes)) {
    archive(running, folder, name, ownerOf(task.attempts, name));
  }
  // One that was not read came just now, and one that differs may be of the dead attempt: neither is asked about yet.
  const { differs } = task.confirming ?? {};
  if (differs === false || (differs && !running.recovers)) archive(running, folder, CONFIRMED_FILE);
}

/** A blocked.md is here only when it was resolved: it belongs to the new attempt. */
function ownerOf(attempts: readonly Attempt[], name: string): Attempt | undefined {
  if (name === 'blocked.md') return undefined;
  if (name === 'questions.md') return lastAsker(attempts);
  return lastEnded(attempts, name === 'review.md' ? 'review' : 'work');
}

/** Before a gate is asked. The boxes of a person stay until they are read. */
export function archiveForReview(running: Running, folder: string): void {
  archive(running, folder, 'blocked.md');
  const review = lastEnded(running.task.attempts, 'review');
  if (review === undefined || awaitedReview(running.task.attempts) !== undefined) return;
  archive(running, folder, 'review.md', review);
}

function archive(running: Running, folder: string, name: string, owner?: Attempt): void {
  const { disk } = running.ws;
  const from = `${folder}/${name}`;
  if (disk.stat(from) === undefined) return;
  const number = owner?.number ?? running.number;
  // Beside this attempt's own questions it would be unclear which file has the answers.
  const as = owner === undefined && name === 'questions.md' ? 'by-hand-questions.md' : name;
  const target = freeName(disk, attemptFolder(folder, number), as);
  disk.rename(from, target);
  disk.sync(attemptFolder(folder, number));
  disk.sync(folder);
}

export function freeName(disk: Disk, folder: string, name: string): string {
  const plain = `${folder}/${name}`;
  if (disk.stat(plain) === undefined) return plain;
  for (let n = 2; ; n++) {
    const other = join(folder, name.replace('.md', `.${n}.md`));
    if (disk.stat(other) === undefined) return other;
  }
}

/** Puts a file of the ended attempt at the top. A file that a person wrote there is kept in the attempt. */
export function publish(running: Running, folder: string, name: string, raw: Uint8Array): void {
  const bytes = redacted(running.ws, raw);
  const { disk } = running.ws;
  const target = `${folder}/${name}`;
  const found = disk.stat(target);
  const there = readBytes(disk, target, name);
  if (there.ok && sha256(there.value) === sha256(bytes)) return;
  // After a crash a status is the copy that the dead runner left, and not a person's.
  const mirror = name === 'status.md' && running.recovers;
  if (found !== undefined && !mirror) keepByHand(running, folder, name);
  put(running.ws.putting, target, bytes);
}

function keepByHand(running: Running, folder: string, name: string): void {
  const { ws, id, number, emit } = running;
  const kept = freeName(ws.disk, attemptFolder(folder, number), `by-hand-${name}`);
  ws.disk.rename(`${folder}/${name}`, kept);
  const reason = `the ${name} that a person wrote is kept in attempt ${number}`;
  emit({ event: 'wrote', task: id, file: name, reason });
}

/**
 * Copies the agent's status to the top. `last` is the hash of the copy before: other bytes are a person's:
 * kept aside, and left alone where `isKept`, as the runner's own words are no news. Returns the hash of what is
 * there now.
 */
export function publishStatus(
  running: Running,
  folder: string,
  raw: Uint8Array,
  last: string | undefined,
  isKept = false,
): string | undefined {
  const { disk, putting } = running.ws;
  const bytes = redacted(running.ws, raw);
  const target = `${folder}/status.md`;
  const now = sha256(bytes);
  const found = disk.stat(target);
  if (found !== undefined) {
    const there = readBytes(disk, target, 'status.md');
    const seen = there.ok ? sha256(there.value) : undefined;
    if (seen === now) return now;
    const isOther = seen === undefined || seen !== last;
    if (isOther && isKept) return last;
    if (isOther) keepByHand(running, folder, 'status.md');
  }
  put(putting, target, bytes, { durable: false, ...modeOf(found) });
  return now;
}

/** A file of an attempt's desk, undefined when absent, special, or too large to be published. */
export function fromDesk(running: Running, desk: string, name: string): Uint8Array | undefined {
  const { disk } = running.ws;
  if (disk.stat(desk)?.kind !== 'folder') return undefined;
  const read = readBytes(disk, `${desk}/${name}`, name);
  return read.ok ? read.value : undefined;
}

/** The status that a desk begins with, byte for byte; its time is read from the file itself. */
export function isFirstStatus(running: Running, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  const now = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.exec(text)?.[0] ?? '';
  return text === firstStatus(running, now);
}

export function isStatusUntouched(running: Running, desk: string): boolean {
  const bytes = fromDesk(running, desk, 'status.md');
  return bytes === undefined || isFirstStatus(running, bytes);
}

export function firstStatus({ ws, id }: Running, now: string): string {
  return fillTemplate(ws, 'status', { id, now, kept: false });
}

/** The status of an agent that has written none, as the runner knows it. `files`: that it wrote. */
export function keptStatus(
  { ws, id }: Running,
  now: string,
  step: string,
  files: readonly string[],
): string {
  return fillTemplate(ws, 'status', { id, now, kept: true, step, files });
}

/** The form of result.md; `findings` are why it comes back. */
export function resultForm(
  ws: Workspace,
  id: string,
  contract: Contract,
  { findings = '' } = {},
): string {
  return fillTemplate(ws, 'result', {
    id,
    status: '',
    completed: '',
    findings,
    criteria: contract.criteria.map(({ text }) => ({
      mark: ' ',
      text,
      evidence: '',
    })),
    deliverables: contract.head.deliverables,
    validation: '',
    notes: '',
  });
}

/** True for a file as the desk had it from the start, or an empty one: a result that was left so is none. */
export function isFirst(running: Running, name: string, bytes: Uint8Array): boolean {
  const { ws, id, contract } = running;
  if (name === 'status.md') return isFirstStatus(running, bytes);
  const text = Buffer.from(bytes).toString('utf8');
  return name === 'result.md' && isResultForm(ws, id, contract, text);
}

/** A host's result may be empty after the power went, where its form had been. */
export function isResultForm(
  ws: Workspace,
  id: string,
  contract: Contract | undefined,
  text: string,
): boolean {
  return text.trim() === '' || (contract !== undefined && text === resultForm(ws, id, contract));
}

/** With each answer in its slot, where an agent looks. */
function inSlots({ ws, task }: Running, folder: string, bytes: Uint8Array): Uint8Array {
  const text = decodeText(bytes, 'questions.md');
  return text.ok ? bytesOf(answersInSlots(text.value, original(ws, folder, task.attempts))) : bytes;
}

/** For `previous/` on the next desk; the last answered questions also where a later attempt asked none. */
export function earlierFiles(running: Running, folder: string): readonly NamedBytes[] {
  const { disk } = running.ws;
  const { attempts } = running.task;
  const work = lastEnded(attempts, 'work');
  const asked = attempts.findLast((one) => !one.lost && one.outcome?.outcome === 'questions');
  const wanted: [Attempt | undefined, readonly string[]][] = [
    [asked ?? work, ['questions.md']],
    [work, OF_WORK.filter((name) => name !== 'questions.md')],
    [lastEnded(attempts, 'review'), ['review.md']],
  ];
  return wanted.flatMap(([attempt, names]) => {
    if (attempt === undefined) return [];
    return names.flatMap((name): NamedBytes[] => {
      const kept = `${attemptFolder(folder, attempt.number)}/${name}`;
      const desk = `${keptDesk(folder, attempt)}/${name}`;
      const path = [kept, desk].find((one) => disk.stat(one)?.kind === 'file');
      const read = path === undefined ? undefined : readBytes(disk, path, name);
      if (read?.ok !== true) return [];
      const bytes = name === 'questions.md' ? inSlots(running, folder, read.value) : read.value;
      return isFirst(running, name, read.value) ? [] : [{ name, bytes }];
    });
  });
}
