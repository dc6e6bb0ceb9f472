/** A conflict, from its discovery to the attempt that resolves it. */
import {
  conflictSchema,
  type Attempt,
  type ConflictRecord,
} from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { readRecord } from '../../workspace/tasks/read-attempts.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readWorkdir } from './workdir-record.ts';
import { folderOf } from './verified-commit.ts';

const FILES_NAMED_MAX = 10;

/** No failure of an agent: the attempt ends as blocked. */
export class ConflictError extends Error {
  readonly conflict: ConflictRecord;
  constructor(conflict: ConflictRecord) {
    super(conflictMessage(conflict));
    this.name = 'ConflictError';
    this.conflict = conflict;
  }
}

export function conflictMessage({ ours, theirs, files, tasks }: ConflictRecord): string {
  const named = files.slice(0, FILES_NAMED_MAX).join(', ');
  const more = files.length > FILES_NAMED_MAX ? ` and ${files.length - FILES_NAMED_MAX} more` : '';
  const behind = tasks.length === 0 ? '' : ` (changed there by ${tasks.join(', ')})`;
  return `${ours} and ${theirs} are in conflict in ${named}${more}${behind}`;
}

export function writeConflict(ws: Workspace, attempt: string, conflict: ConflictRecord): void {
  const text = renderRecord(conflict, `# Conflict\n\n${conflictMessage(conflict)}.`);
  put(ws.putting, `${attempt}/clash.md`, Buffer.from(text));
}

/** The task was blocked by it and came back, and no work resolved it since. */
export function openConflict(
  ws: Workspace,
  folder: string,
  attempts: readonly Attempt[],
): ConflictRecord | undefined {
  const ended = attempts.filter(({ lost, outcome }) => !lost && outcome !== undefined);
  for (const attempt of ended.toReversed()) {
    const path = attemptFolder(folder, attempt.number);
    const found = readRecord(ws, `${path}/clash.md`, conflictSchema());
    if (found?.ok === true) return found.value;
    if (attempt.kind !== 'work') continue;
    const held = readWorkdir(ws, path)?.merging !== undefined;
    if (!held || attempt.outcome?.commit !== undefined) return undefined;
  }
  return undefined;
}

export function conflictBrief(ws: Workspace, conflict: ConflictRecord, files: readonly string[]) {
  const list = files.map((file) => `- \`${file}\``).join('\n');
  const others = conflict.tasks.map((id) => otherSide(ws, id)).join('');
  return [
    `The work of this task conflicts with \`${conflict.theirs}\`. Your working folder has both, with git's conflict marks (\`<<<<<<<\`, \`=======\`, \`>>>>>>>\`) in:`,
    list,
    'Resolve each conflict so that both sides keep their purpose, and leave no marks. The runner makes the merge commit.',
    others.trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function otherSide(ws: Workspace, id: string): string {
  const found = folderOf(ws, id);
  if (found === undefined) return '';
  const read = readContract(ws, found.folder, id).contract;
  const wanted = read.ok ? `${read.value.title}\n\n${read.value.objective}`.trim() : '';
  const result = textIfThere(ws.disk, `${found.folder}/result.md`);
  const theirs = result === undefined ? '' : `\n\nIts result:\n\n${quoted(result)}`;
  return `The other side is \`${id}\`:\n\n${quoted(wanted)}${theirs}\n\n`;
}

/** So that its headings are none of the brief. */
function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
