/**
 * A contract that changed while an agent could write it must be confirmed again: the earlier text is kept
 * beside it, and a person is asked which of the two is valid.
 */
import type { Attempt } from '../../task/core/attempts/record.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import {
  attemptFolder,
  deskFolder,
  taskFolder,
  TEXT_BYTES_MAX,
} from '../../task/store/tasks/layout.ts';
import { put, putIfUnchanged } from '../../task/store/disk/put.ts';
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { locate, namesInState } from '../../task/store/tasks/tasks.ts';
import {
  CHANGE,
  CONFIRMED_FILE,
  confirmationIn,
  QUESTION,
} from '../../task/text/documents/confirmation.ts';
import { filePatch } from '../../task/text/markdown/unified-diff.ts';
import { freeName } from './current-files.ts';
import type { Contracts } from '../../permissions/engine/audit/snapshot.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { willConfine } from '../../sandbox/engine/confine.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const KEPT_CHARS_MAX = 1024 * 1024;
const TRIES_MAX = 4;
const DIFF_LINES_MAX = 400;

/** Before an agent or a check runs: all that it could rewrite, nothing where a sandbox keeps it out. */
export function contractsNow({ ws, id, owner, contract }: Running): Contracts {
  const found = new Map<string, readonly string[]>();
  if (owner.owner === 'process' && willConfine(ws, contract)) return found;
  const states = LIVE_STATES.filter((state) => state !== 'draft');
  const all = states.flatMap((state) =>
    namesInState(ws.disk, ws.layout, state).map((name) => [name, state] as const),
  );
  let left = KEPT_CHARS_MAX;
  for (const [name, state] of all.toSorted(([a], [b]) => Number(b === id) - Number(a === id))) {
    const folder = taskFolder(ws.layout, state, name);
    const text = textAt(ws, `${folder}/contract.md`);
    const kept = textAt(ws, `${folder}/${CONFIRMED_FILE}`);
    left -= (text?.length ?? 0) + (kept?.length ?? 0);
    if (left < 0) break;
    if (text !== undefined) found.set(name, kept === undefined ? [text] : [text, kept]);
  }
  return found;
}

/** The own contract as a dead attempt claimed it, from its desk: all that is left where the power took the rest. */
export function claimedContract({ ws, id, owner, contract }: Running, dead: Attempt): Contracts {
  // With an outcome it was compared, and what changed since is a person's.
  const isKnown = dead.outcome !== undefined;
  if (isKnown || (owner.owner === 'process' && willConfine(ws, contract))) return new Map();
  const folder = taskFolder(ws.layout, locate(ws.disk, ws.layout, id)[0] ?? 'in_progress', id);
  const kept = `${attemptFolder(folder, dead.number, true)}/desk`;
  const text = [deskFolder(ws.layout, id, dead.number), kept]
    .map((desk) => textAt(ws, `${desk}/contract.md`))
    .find((one) => one !== undefined && hashOf(one) === dead.owner?.contract);
  return new Map(text === undefined ? [] : [[id, [text]]]);
}

/** Once it has run. Safe to repeat. */
export function keepConfirmed(
  { ws, id, number, emit }: Running,
  before: Contracts,
  source = number,
): void {
  for (const [task, texts] of before) {
    if (!again(() => keep(ws, task, texts))) continue;
    const reason = `the contract changed while attempt ${source} of ${id} ran, which could write it`;
    emit({ event: 'wrote', task, file: CONFIRMED_FILE, reason });
  }
}

/** A person or another step may move the folder at any time, and a disk may refuse one look. */
function again(act: () => boolean): boolean {
  for (let tries = 1; ; tries++) {
    try {
      return act();
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}

function keep(ws: Workspace, id: string, [was = '', confirmed = was]: readonly string[]): boolean {
  const [state] = locate(ws.disk, ws.layout, id);
  if (state === undefined || state === 'draft') return false;
  const folder = taskFolder(ws.layout, state, id);
  const now = textAt(ws, `${folder}/contract.md`);
  if (now === was) return false;
  const path = `${folder}/${CONFIRMED_FILE}`;
  const questions = `${folder}/questions.md`;
  const text = textIfThere(ws.disk, questions) ?? '';
  const asked = confirmationIn(text);
  const is_kept = textAt(ws, path) === confirmed;
  const same = asked?.answer === '' && text.includes(hashOf(now));
  if (is_kept && (asked === undefined || (state === 'questions' && same))) return false;
  put(ws.putting, path, Buffer.from(confirmed, 'latin1'));
  // It asks about another text, or was written by the agent itself.
  if (asked !== undefined) ws.disk.rename(questions, freeName(ws.disk, folder, 'questions.md'));
  return true;
}

/** Asks in questions.md, after the earlier questions.md is put away. False where it asks already. */
export function putQuestion(ws: Workspace, { id, state, attempts }: TaskRead): boolean {
  const folder = taskFolder(ws.layout, state, id);
  const path = `${folder}/questions.md`;
  if (ws.disk.stat(path) !== undefined) {
    ws.disk.rename(path, freeName(ws.disk, placeOf(folder, attempts), 'questions.md'));
  }
  const confirmed = textAt(ws, `${folder}/${CONFIRMED_FILE}`) ?? '';
  const now = textAt(ws, `${folder}/contract.md`);
  const text = askConfirmation(id, confirmed, now ?? '', hashOf(now));
  return putIfUnchanged(ws.putting, path, undefined, Buffer.from(text)) === 'put';
}

/** Removes the confirmed text, or puts it back: a person may have written more since, which the attempt keeps. */
export function settleContract(
  ws: Workspace,
  { id, state, attempts }: TaskRead,
  how: 'take' | 'restore',
): void {
  const folder = taskFolder(ws.layout, state, id);
  const path = `${folder}/${CONFIRMED_FILE}`;
  if (how === 'take') ws.disk.remove(path);
  else {
    const at = `${folder}/contract.md`;
    const now = textAt(ws, at);
    const kept = freeName(ws.disk, placeOf(folder, attempts), 'replaced-contract.md');
    if (now !== undefined) put(ws.putting, kept, Buffer.from(now, 'latin1'));
    // Too large for a copy, or no file.
    else if (ws.disk.stat(at) !== undefined) ws.disk.rename(at, kept);
    ws.disk.rename(path, at);
  }
  ws.disk.sync(folder);
}

function placeOf(folder: string, attempts: readonly Attempt[]): string {
  const before = lastEnded(attempts, 'work');
  return before === undefined ? folder : attemptFolder(folder, before.number);
}

function textAt({ disk }: Workspace, path: string): string | undefined {
  const bytes = disk.stat(path) && bytesAt(disk, path, TEXT_BYTES_MAX);
  return bytes && Buffer.from(bytes).toString('latin1');
}

function hashOf(text: string | undefined): string {
  return sha256(Buffer.from(text ?? '', 'latin1'));
}

/** Both contracts a character a byte; `hash` is that of `now`. */
function askConfirmation(id: string, confirmed: string, now: string, hash: string): string {
  const patch = filePatch({ path: 'contract.md', before: confirmed, after: now });
  const all = Buffer.from(patch, 'latin1').toString('utf8').trimEnd().split('\n').slice(1);
  const shown = all.slice(0, DIFF_LINES_MAX).join('\n');
  const more = all.length > DIFF_LINES_MAX ? `\n… ${all.length - DIFF_LINES_MAX} lines more` : '';
  const fence = '`'.repeat(
    Math.max(3, ...[...patch.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return `# Questions: ${id}

## ${CHANGE}

An agent ran that nothing kept from writing contract.md, and the file changed. Who changed it is not known: it may have been you, in an editor. \`${CONFIRMED_FILE}\` is the contract as it was before.

${fence}diff
${shown}${more}
${fence}

- \`take\`: the task continues with contract.md as it is now (sha256 ${hash})
- \`restore\`: ${CONFIRMED_FILE} becomes contract.md again

## Questions

1. ${QUESTION}

### Answer

`;
}
