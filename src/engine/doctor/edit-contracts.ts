/** Edits of the heads of contracts by flags: all of them are made, or none. A contract that has a new mistake is refused. */
import { join } from 'node:path';
import {
  isOfMachine,
  ok,
  refused,
  type Problem,
  type Result,
} from '../../task/core/model/problem.ts';
import { parseContractHead } from '../../task/core/model/parse-head.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { editHead, type HeadChange } from '../../task/text/yaml/edit-head.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { checkTask } from './check.ts';
import { findTask } from '../queries/find-task.ts';

interface Draft {
  readonly id: string;
  readonly path: string;
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Values are as they were typed. */
export function editContracts(
  ws: Workspace,
  edits: ReadonlyMap<string, readonly HeadChange[]>,
): Result<readonly Pick<Draft, 'id' | 'path' | 'file'>[]> {
  const drafts: Draft[] = [];
  for (const [id, changes] of edits) {
    const draft = draftOf(ws, id, changes);
    if (!draft.ok) return draft;
    drafts.push(draft.value);
  }
  const wrong = newMistakes(ws, drafts);
  if (wrong.length > 0) return refused(wrong);
  const put = ({ path, before, after }: Draft): boolean =>
    putIfUnchanged(ws.putting, path, sha256(before), after) === 'put';
  const late = drafts.findIndex((one) => !put(one));
  if (late === -1) return ok(drafts);
  for (const { path, before, after } of drafts.slice(0, late)) {
    putIfUnchanged(ws.putting, path, sha256(after), before);
  }
  const message = 'the file changed just now; nothing was written';
  return refused({ code: 'bad_value', file: drafts[late]?.file ?? '', message, fix: 'Try again' });
}

function draftOf(ws: Workspace, id: string, changes: readonly HeadChange[]): Result<Draft> {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const path = join(taskFolder(ws.layout, found.value.state, id), 'contract.md');
  const file = shown(ws.layout, path);
  const bytes = readBytes(ws.disk, path, file);
  if (!bytes.ok) return bytes;
  const text = decodeText(bytes.value, file);
  if (!text.ok) return text;
  const edited = editHead(text.value, changes.map(typed));
  if (edited.text !== undefined) {
    return ok({ id, path, file, before: bytes.value, after: bytesOf(edited.text) });
  }
  const fix = `Look at it, or edit it by hand: ${file}`;
  return refused({ code: 'bad_value', file, message: edited.why, fix });
}

/** A number or a truth value where the key takes one; else the words. */
function typed(change: HeadChange): HeadChange {
  const { key, value } = change;
  if (typeof value !== 'string' || !/^(?:true|false|-?\d{1,15}(?:\.\d+)?)$/.test(value))
    return change;
  const meant = JSON.parse(value) as number | boolean;
  const { error } = parseContractHead({ [key]: meant });
  const isTaken = error?.issues.some(({ path }) => path[0] === key) !== true;
  return isTaken ? { ...change, value: meant } : change;
}

/** Mistakes that `check` finds in these tasks once the files are as drafted, and not before. */
function newMistakes(ws: Workspace, drafts: readonly Draft[]): readonly Problem[] {
  const texts = new Map(drafts.map(({ path, after }) => [path, after]));
  const read: Disk['read'] = (path, ...how) => texts.get(path) ?? ws.disk.read(path, ...how);
  const trial: Workspace = { ...ws, disk: { ...ws.disk, read } };
  const wrongIn = (look: Workspace): readonly Problem[] =>
    drafts.flatMap(({ id }) => {
      const found = checkTask(look, id);
      return found.ok ? found.value.problems : found.problems;
    });
  const keyOf = ({ code, file, message, found }: Problem): string =>
    JSON.stringify([code, file, message, found]);
  const known = new Set(wrongIn(ws).map(keyOf));
  return wrongIn(trial).flatMap((one) => {
    const counts = one.severity === 'error' || one.code === 'unknown_key';
    if (!counts || isOfMachine(one) || known.has(keyOf(one))) return [];
    return { ...one, severity: 'error' as const };
  });
}
