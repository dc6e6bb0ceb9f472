/** What an agent changed without permission that others obey, noted until a person has looked. */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { folderMark, makeFolder } from '../process/path-kind.ts';
import { attemptName } from '../task/core/attempts/record.ts';
import { given } from '../task/core/base/defined-fields.ts';
import { lazily } from '../task/core/base/lazy.ts';
import { findGit, type Finding } from '../git/find-git.ts';
import { gitConfiguration } from '../task/store/snapshots/git-snapshot.ts';
import { sha256 } from '../task/store/disk/hash.ts';
import { taskFolder, TEXT_BYTES_MAX } from '../task/store/tasks/layout.ts';
import { STATES } from '../task/core/model/state.ts';
import { put } from '../task/store/disk/put.ts';
import { bytesAt } from '../task/store/snapshots/folder-snapshot.ts';
import { listOrNothing } from '../task/store/tasks/tasks.ts';
import { parseRecord, renderRecord } from '../task/text/documents/record.ts';
import type { Workspace } from '../workspace/open/workspace.ts';

const NOTED_MAX = 200;
const FILE_BYTES_MAX = 1024 * 1024;
const PREFIX = 'changed-';

const markSchema = lazily(() =>
  z.object({
    /** As a person finds it; relative where it is in the workspace. */
    path: z.string(),
    /** Digest of its bytes; empty: no file; left out: not known. */
    before: z.optional(z.string()),
    /** Hash of the whole configuration of git, where this is part of it. */
    git: z.optional(z.string()),
  }),
);
const recordSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    task: z.string(),
    attempt: z.int(),
    /** The workspace: a note dies with it and its copies. */
    folder: z.optional(z.string()),
    changed: z.array(markSchema()),
  }),
);
export type Changed = z.infer<ReturnType<typeof markSchema>>;
export interface Mark extends Changed {
  readonly task: string;
  readonly attempt: number;
  /** The note. */
  readonly file: string;
}

type Known = Pick<Workspace, 'disk' | 'env' | 'layout'>;

/** Empty without a repository. One above the workspace is named behind the digest. */
export function gitConfigured(ws: Finding, root: string): string {
  const git = findGit(ws, root);
  if (git === undefined) return '';
  const digest = gitConfiguration(ws.disk, git);
  return git.top === root ? digest : `${digest} ${git.top}`;
}

/** A repository above the workspace came or went: no agent in the workspace changed its settings. */
export function isElsewhere(before: string, now: string): boolean {
  const [was, is] = [before, now].map((one) => (one === '' ? 'none' : / (.+)/s.exec(one)?.[1]));
  return was !== is && was !== undefined && is !== undefined;
}

/** Empty where nothing is. */
export function digestNow({ disk, layout: { root } }: Known, path: string): string {
  const bytes = bytesAt(disk, join(root, path), FILE_BYTES_MAX);
  return bytes === undefined ? '' : sha256(bytes);
}

/** Notes that still hold. One that cannot be read counts. */
export function marksOf(ws: Known, folder: string): readonly Mark[] {
  const { disk } = ws;
  if (disk.stat(folder) === undefined) return [];
  const names = listOrNothing(disk, folder).filter(({ name }) => name.startsWith(PREFIX));
  return names.flatMap(({ name }): Mark[] => {
    const file = join(folder, name);
    const bytes = bytesAt(disk, file, TEXT_BYTES_MAX);
    const read = parseRecord(Buffer.from(bytes ?? []).toString('utf8'), file);
    const record = read.ok ? recordSchema().safeParse(read.value.head) : undefined;
    if (record?.success !== true) return [{ path: file, task: '', attempt: 0, file }];
    const { changed, task, attempt, folder: of } = record.data;
    if (of !== undefined && isAnother(ws, of, task)) return [];
    return changed
      .filter((one) => !isAsBefore(ws, one))
      .map((one) => ({ ...one, task, attempt, file }));
  });
}

/** A folder without that task; one that has it is a copy, which is obeyed as the first one was. */
function isAnother({ disk, layout }: Known, mark: string, task: string): boolean {
  if (mark === folderMark(layout.root)) return false;
  return STATES.every((state) => disk.stat(taskFolder(layout, state, task)) === undefined);
}

function isAsBefore(ws: Known, { path, before, git }: Changed): boolean {
  if (git !== undefined) {
    const now = gitConfigured(ws, ws.layout.root);
    return now === git || now.startsWith(`${git} `) || isElsewhere(git, now);
  }
  return before !== undefined && before === digestNow(ws, path);
}

export function changedWords({ path, task, attempt }: Mark): string {
  if (task === '') return `${path} cannot be read`;
  return `${path} changed while attempt ${attempt} of ${task} ran, which had no permission to change it`;
}

/** The first note of an attempt stays: a later one has another state as its beginning. */
export function noteChanged(
  ws: Workspace,
  folder: string,
  { id, number }: { readonly id: string; readonly number: number },
  changed: readonly Changed[],
): void {
  // Where the workspace was moved away, what is missing was changed by nobody.
  if (isAnother(ws, ws.opened, id)) return;
  const file = join(folder, `${PREFIX}${id}.${attemptName(number)}.md`);
  const noted = marksOf(ws, folder).filter((one) => one.file === file);
  const more = changed.filter(({ path }) => !noted.some((one) => one.path === path));
  if (more.length === 0) return;
  const every: readonly Changed[] = [...noted, ...more];
  const left = every.length - NOTED_MAX;
  // Without `before` it counts until a person has looked.
  const kept = left > 0 ? [...every.slice(0, NOTED_MAX), { path: `${left} more files` }] : every;
  const all = kept.map(({ path, before, git }) => ({ path, ...given({ before, git }) }));
  const body = `# Changed by an agent\n\nNothing in the workspace starts until a person has reviewed this: contracts trust`;
  makeFolder(folder);
  const record = renderRecord(
    { v: 1, task: id, attempt: number, folder: folderMark(ws.layout.root), changed: all },
    body,
  );
  put(ws.putting, file, Buffer.from(record, 'utf8'));
}

/** Forgets marks that a person was shown, and those that no longer hold. */
export function forgetMarks(ws: Known, folder: string, seen: readonly Mark[]): void {
  const { disk } = ws;
  const open = marksOf(ws, folder).filter(
    (one) => !seen.some(({ file, path }) => one.file === file && one.path === path),
  );
  for (const { name } of listOrNothing(disk, folder)) {
    const file = join(folder, name);
    if (name.startsWith(PREFIX) && !open.some((one) => one.file === file)) disk.remove(file);
  }
}
