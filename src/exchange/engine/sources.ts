/** Where tools keep their tasks (templates/exchange/tools.yaml), and reading them: nothing behind a link is read. */
import { basename, dirname, join, relative } from 'node:path';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import { ok, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { isGone, ReadRefused } from '../../task/store/disk/disk.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { decodeText } from '../../task/text/markdown/encoding.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { guardedWith } from '../../plans/engine/start/find-plans.ts';
import { guardOfPlan } from '../../plans/engine/start/plan-status.ts';
import { packageData } from '../../workspace/open/package-data.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { warning, type ForeignList, type ForeignTask } from '../core/foreign.ts';
import type { Words } from '../core/words.ts';
import { readBacklog } from '../text/backlog.ts';
import { readChecklist, type Dialect } from '../text/checklist.ts';
import { readIssues } from '../text/github.ts';
import { taskFrom, textIn, type FieldNames } from '../text/record.ts';
import { readTaskmaster } from '../text/taskmaster.ts';

export interface Source {
  readonly ws: Workspace;
  readonly tool: string;
  /** Absolute. */
  readonly path: string;
  readonly words: Words;
  readonly all: boolean;
  readonly tag: string | undefined;
  readonly to: 'plan' | 'contracts';
}

export interface Tool extends Dialect {
  readonly to: Source['to'];
  readonly at: readonly string[];
  readonly sign: string;
  readonly fields?: FieldNames;
  readonly beside?: string;
  readonly criteria?: { readonly at: string; readonly form: string };
  readonly last?: string;
}

const BYTES_MAX = 32 * 1024 * 1024;
const DEPTH_MAX = 6;
export const PLAIN_PATH = /^[\p{L}\p{N}_./@+ -]+$/u;
type Place = Pick<Source, 'ws' | 'path'>;

export function toolsOf(ws: Workspace): Readonly<Record<string, Tool>> {
  return packageData<Record<string, Tool>>(ws, 'templates/exchange/tools.yaml');
}

export function toolsAt(place: Place): readonly string[] {
  const found = Object.entries(toolsOf(place.ws)).filter(([, { at, sign }]) =>
    filesAt(place, at).some((path) => new RegExp(sign).test(path)),
  );
  const isFile = place.ws.disk.stat(place.path)?.kind === 'file';
  return found.map(([name]) => name).slice(0, isFile ? 1 : undefined);
}

/** A file that cannot be read is reported, and the others are read. */
export function readSource(source: Source): Result<readonly ForeignList[]> {
  const { ws, tool, path } = source;
  const row = toolsOf(ws)[tool] ?? { to: 'plan', at: [], sign: '' };
  const problems: Problem[] = [];
  const files = isLinked(source) ? [] : filesAt(source, row.at);
  const texts = files.flatMap((at) => {
    const read = textOf(source, at);
    if (!read.ok) problems.push(...read.problems);
    const guarded = read.ok ? guardedWith(ws, read.value) : undefined;
    const guard = guarded === undefined ? undefined : guardOfPlan(ws, guarded);
    if (guard !== undefined) problems.push({ ...guard, severity: 'error' });
    return read.ok && guard === undefined
      ? { at, file: shownFrom(source, at), text: read.value }
      : [];
  });
  const lists = texts.length === 0 ? [] : listsIn(texts, row, source, problems);
  const full = lists.filter(({ tasks }) => tasks.length > 0);
  if (full.length > 0) return ok(full, problems);
  const file = shownFrom(source, path);
  const isThere = ws.disk.stat(path) !== undefined;
  const message = isLinked(source)
    ? 'this is behind a link'
    : isThere
      ? 'there are no tasks of this tool'
      : 'there is no such file or folder';
  const fix = 'Name another file or folder, or another tool: contracts import --help';
  return refused(
    problems.length > 0 ? problems : { code: 'missing_file', file, message, found: tool, fix },
  );
}

/** In the workspace each folder on the way must be one. */
function isLinked({ ws, path }: Place): boolean {
  const way = relative(ws.layout.root, path).split('/');
  if (way[0] === '..') return false;
  const folders = way.slice(0, -1).map((_, i) => join(ws.layout.root, ...way.slice(0, i + 1)));
  return folders.some((one) => (ws.disk.stat(one)?.kind ?? 'folder') !== 'folder');
}

interface Text {
  /** Absolute. */
  readonly at: string;
  readonly file: string;
  readonly text: string;
}

function listsIn(
  texts: readonly Text[],
  row: Tool,
  source: Source,
  problems: Problem[],
): readonly ForeignList[] {
  const { tool, words, all } = source;
  const { fields: names = {} } = row;
  const { at, file, text } = texts[0]!;
  const isJson = file.endsWith('.json');
  const no = 'this is no JSON, or it is cut off';
  if (isJson && parsedJson(text.replace(/^\uFEFF/, '')) === undefined)
    problems.push({ ...warning({ file, line: 1 }, 'bad_value', no, file), severity: 'error' });
  switch (tool) {
    case 'github':
      return [
        {
          name: 'issues',
          title: 'GitHub issues',
          file,
          tasks: readIssues(text, file, names, words),
        },
      ];
    case 'taskmaster': {
      const state = textOf(source, join(dirname(at), '../state.json'));
      const current =
        source.tag ?? textIn(fields(parsedJson(state.ok ? state.value : ''))['currentTag']);
      const isChosen = (tag: string): boolean => all || tag === (current || 'master');
      return readTaskmaster({ text, file, names, words, isChosen });
    }
    case 'backlog': {
      const root = at.replace(/\/(?:tasks|drafts|completed|archive)\/(?!.*\/backlog\/).*$/, '');
      const folderOf = (one: Text) =>
        /^(?:archive\/)?[^/]+/.exec(relative(root, one.at))?.[0] ?? '';
      const files = texts.filter((one) => !/\/readme\.md$/i.test(one.at));
      const config = textOf(source, join(root, 'config.yml'));
      const read = config.ok ? readYaml(config.value, 'config.yml') : config;
      const backlog = { ...(read.ok && read.value.head), names, words, all };
      const tasks = readBacklog(
        files.map((one) => ({ ...one, folder: folderOf(one) })),
        backlog,
      );
      return [{ name: tool, title: 'Backlog', file: shownFrom(source, root), tasks }];
    }
    default:
      return texts.flatMap((one) => {
        const read = readChecklist({ ...one, ...source, name: nameOf(one.at, tool) }, row);
        if (!read.ok) problems.push(...read.problems);
        return read.ok ? withFolder(read.value, row, one.at, source) : [];
      });
  }
}

/** The name of a change without the date on which it was archived. */
function nameOf(at: string, tool: string): string {
  if (tool === 'markdown') return basename(at, '.md');
  return basename(dirname(at)).replace(/^\d{4}-\d{2}-\d{2}-(?=\D)/, '');
}

/** The files beside a list are context, some of their lines criteria, and what a person runs at its end an item. */
function withFolder(list: ForeignList, row: Tool, at: string, source: Source): ForeignList {
  const { beside = '', criteria, last } = row;
  const folder = { ...source, path: dirname(at) };
  const texts = filesAt(folder, [criteria?.at ?? '']).flatMap((one) => textOf(source, one));
  const form = new RegExp(criteria?.form ?? '$^', 'gm');
  const lines = texts.flatMap((text) => (text.ok ? [...text.value.matchAll(form)] : []));
  const more = lines.map(([, mark = ' ', text = '']) => ({ text, ticked: mark.trim() !== '' }));
  const files = filesAt(folder, [beside]).filter(
    (one) => source.ws.disk.stat(one)?.kind === 'file',
  );
  const context = files
    .map((one) => shownFrom(source, one))
    .filter((one) => checkPath(one) === undefined && PLAIN_PATH.test(one));
  const whole = { ...list, context, criteria: [...(list.criteria ?? []), ...more] };
  if (last === undefined) return whole;
  const isArchived = basename(dirname(dirname(at))) === 'archive';
  const left = isArchived && !source.all ? 'is of an archived change' : undefined;
  const { wave, headings = [] } = list.tasks.at(-1) ?? {};
  const end: ForeignTask = {
    ...taskFrom(
      { id: 'archive', title: `Archive the change ${list.name}` },
      { id: 'id', title: 'title' },
      source.words,
    ),
    file: list.file,
    line: 1,
    wave,
    headings,
    original: '',
    people: ['person'],
    meaning: isArchived ? 'done' : 'open',
    objective: 'From the import: when all of this holds, a person archives the change.',
    depends: list.tasks.map(({ id }) => id),
    commands: [`${last} ${basename(dirname(at))}`],
  };
  const tasks =
    left === undefined ? [...list.tasks, end] : list.tasks.map((task) => ({ ...task, left }));
  return { ...whole, tasks };
}

function shownFrom({ ws }: Pick<Source, 'ws'>, path: string): string {
  return relative(ws.layout.root, path) || '.';
}

/** Files of the first entry that has some. Each is a list of paths below the place, with `*` for names, `**` for folders. */
function filesAt({ ws, path }: Place, at: readonly string[]): readonly string[] {
  // A link is one, too: reading it is refused, and that is reported.
  const isFile = (one: string): boolean => (ws.disk.stat(one)?.kind ?? 'folder') !== 'folder';
  const isFolder = (one: string): boolean => ws.disk.stat(one)?.kind === 'folder';
  const foldersIn = (one: string, depth: number): readonly string[] => {
    const inner =
      depth === 0 ? [] : listOrNothing(ws.disk, one).filter(({ kind }) => kind === 'folder');
    return [one, ...inner.flatMap(({ name }) => foldersIn(join(one, name), depth - 1))];
  };
  const below = (paths: readonly string[], part: string): readonly string[] => {
    if (part === '**') return paths.filter(isFolder).flatMap((one) => foldersIn(one, DEPTH_MAX));
    const [start = '', end] = part.split('*');
    return paths.filter(isFolder).flatMap((one) => {
      if (end === undefined) return join(one, part);
      const names = listOrNothing(ws.disk, one).map(({ name }) => name);
      const fits = (name: string) =>
        !name.startsWith('.') && name.startsWith(start) && name.endsWith(end);
      return names.filter(fits).map((name) => join(one, name));
    });
  };
  const found = at.map((patterns) =>
    patterns === ''
      ? [path].filter(isFile)
      : patterns.split(' ').flatMap((one) => one.split('/').reduce(below, [path]).filter(isFile)),
  );
  return found.find((files) => files.length > 0) ?? [];
}

export function textOf(source: Pick<Source, 'ws'>, path: string): Result<string> {
  const file = shownFrom(source, path);
  try {
    return decodeText(source.ws.disk.read(path, BYTES_MAX), file);
  } catch (error) {
    const isRefused = error instanceof ReadRefused;
    if (!isGone(error) && !isRefused) throw error;
    const message = isRefused ? error.message : 'there is no such file';
    return refused({
      code: isRefused ? error.reason : 'missing_file',
      file,
      message,
      fix: 'Name a regular file',
    });
  }
}
