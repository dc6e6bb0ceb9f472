/** The files of Backlog.md: front matter, which is often no YAML, and sections. Pure. */
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { fieldsOf } from '../../task/text/markdown/sections.ts';
import { readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import { readLooseHead } from '../../task/text/yaml/loose-head.ts';
import type { Fields } from '../../task/core/base/json.ts';
import type { ForeignTask } from '../core/foreign.ts';
import { plainWord, type Meaning, type Words } from '../core/words.ts';
import { bodyOf } from './body.ts';
import { taskFrom, type FieldNames } from './record.ts';

/** In this order the first of several files of an id counts. */
const FOLDERS = ['tasks', 'drafts', 'completed', 'archive/tasks', 'archive/drafts'];

export interface BacklogFile {
  readonly folder: string;
  /** Relative to the workspace. */
  readonly file: string;
  readonly text: string;
}

export interface Backlog {
  readonly names: FieldNames;
  readonly words: Words;
  readonly all: boolean;
  readonly statuses?: readonly string[];
  readonly task_prefix?: string;
}

export function readBacklog(
  files: readonly BacklogFile[],
  backlog: Backlog,
): readonly ForeignTask[] {
  const order = ({ folder }: BacklogFile): number => FOLDERS.indexOf(folder);
  const raw = files.toSorted((a, b) => order(a) - order(b)).map((one) => taskOf(one, backlog));
  const plain = (id: string): string => id.toLowerCase().replace(/(?<!\d)0+(?=\d)/g, '');
  const ids = new Map(
    raw.toReversed().flatMap(
      ({ id }) =>
        [
          [plain(id), id],
          [id.toLowerCase(), id],
        ] as const,
    ),
  );
  const meant = (ref: string): string | undefined => {
    const [, prefix, number] = /^(?:([a-z]+)-)?(\d[\d.]*)$/i.exec(ref) ?? [];
    const isOther = number === undefined || prefix?.toLowerCase() === 'draft';
    // The prefix of a project may have been changed since.
    const tries = [ref, isOther ? ref : `${backlog.task_prefix ?? 'task'}-${number}`];
    return tries.flatMap((one) => ids.get(one.toLowerCase()) ?? ids.get(plain(one)) ?? [])[0];
  };
  return raw.map((task) => {
    const above = meant(/^(.*\d)\.\d+$/.exec(task.id)?.[1] ?? '');
    const parent = task.parent === undefined ? above : (meant(task.parent) ?? task.parent);
    return { ...task, depends: task.depends.map((ref) => meant(ref) ?? ref), parent };
  });
}

/** The folder says more than the status; a status that is a word of the project's, its place among these. */
function meaningIn(
  folder: string,
  status: string,
  { statuses = [], words }: Backlog,
): Meaning | undefined {
  if (folder !== 'tasks' && folder !== 'drafts') return folder === 'completed' ? 'done' : 'dropped';
  const known = status === '' ? 'open' : words.meaning(status);
  const at = statuses.map(plainWord).indexOf(plainWord(status));
  if (folder === 'drafts') return known === 'open' ? 'open' : 'parked';
  if (at === -1 || known === 'dropped' || known === 'done') return known;
  return at === 0 ? 'open' : at === statuses.length - 1 ? 'done' : (known ?? 'working');
}

function taskOf({ folder, file, text }: BacklogFile, backlog: Backlog): ForeignTask {
  const { head, body } = headOf(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), file);
  const name = /([^/]+)\.md$/.exec(file)?.[1] ?? file;
  const [, id, title] = /^([a-z][a-z-]*-\d[\w.]*)(?: - (.*))?$/i.exec(name) ?? [];
  const { heading, ...read } = bodyOf(body, backlog.words);
  const task = taskFrom(head, backlog.names, backlog.words);
  return {
    ...task,
    id: task.id || id || name,
    title: task.title || title?.replaceAll('-', ' ') || heading || name,
    file,
    line: 1,
    meaning: meaningIn(folder, task.status, backlog),
    status: [folder === 'tasks' ? '' : folder, task.status].filter(Boolean).join(', '),
    ...read,
    original: text,
    left: folder.startsWith('archive') && !backlog.all ? 'is archived' : undefined,
  };
}

/** Without quotes `@name` is no YAML, nor is a title with a colon, and many write them. */
const AT = /(^|[\s[,])(@[\w./-]+)(?=\s*(?:$|[\],]))/gm;
const TITLE = /^(title): *(?!["'|>[{ ])(.*: .*)$/gm;
const UNREAD = { status: 'front matter that cannot be read' };

/** Fields in the text of a file without front matter: `**Status**: ✅ COMPLETED`. */
function headOf(text: string, file: string): { head: Fields; body: string } {
  const front = /^---\n([\s\S]*?\n)---(?:\n|$)/.exec(text)?.[1];
  if (front === undefined) {
    const found = fieldsOf(scanMarkdown(text)).map(({ key, value }) => [
      key.replaceAll(' ', '_'),
      value,
    ]);
    return { head: Object.fromEntries(found) as Fields, body: text };
  }
  const quoted = front.replace(
    TITLE,
    (_all, key: string, value: string) => `${key}: ${JSON.stringify(value)}`,
  );
  const mended = `---\n${quoted.replace(AT, '$1"$2"')}${text.slice(4 + front.length)}`;
  const read = readFrontMatter(mended, file);
  return read.ok
    ? read.value
    : (readLooseHead(mended) ?? { head: UNREAD, body: text.slice(front.length + 8) });
}
