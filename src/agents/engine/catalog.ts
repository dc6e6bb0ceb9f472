/** Folders that may hold descriptions, nearest first, and their files. Links are never followed. */
import { join } from 'node:path';
import { mayNarrow, TABLES } from '../core/head-permissions.ts';
import type { AgentPath } from '../core/agents.ts';
import type { Place } from '../core/places.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { Entry } from '../../task/store/disk/disk.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import type { Located } from '../../task/text/yaml/plain-yaml.ts';
import { readLooseHead } from '../../task/text/yaml/loose-head.ts';
import { readTomlHead } from '../../task/text/yaml/toml-head.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { readProse } from '../../workspace/open/prose-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export type Folder = Pick<AgentPath, 'path' | 'file' | 'place'>;

/** The folders of these places that this machine can have, in their order. */
export function foldersOn(ws: Workspace, places: readonly Place[]): readonly Folder[] {
  const { home } = ws;
  const bases = { project: ws.layout.root, home, config: ws.config_home, package: packageFolder() };
  return places.flatMap((place) => {
    const base = bases[place.base];
    if (base === undefined) return [];
    const path = join(base, place.folder);
    if (place.base === 'project' || place.base === 'package') {
      return [{ path, file: place.folder, place }];
    }
    const short = home !== undefined && path.startsWith(`${home}/`);
    return [{ path, file: short ? `~${path.slice(home.length)}` : path, place }];
  });
}

/** The folders of these places that exist. */
export function foldersThere(ws: Workspace, places: readonly Place[]): readonly Folder[] {
  return foldersOn(ws, places).filter(({ path }) => ws.disk.stat(path)?.kind === 'folder');
}

/** The nearest that is found; the folders after it are not looked at. */
export function nearestIn<In, T>(
  folders: readonly In[],
  find: (folder: In) => T | undefined,
): T | undefined {
  for (const folder of folders) {
    const found = find(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of Markdown files, without `.md`, and of folders; none where it is no folder. */
export function namesIn(ws: Workspace, path: string): readonly Entry[] {
  if (ws.disk.stat(path)?.kind !== 'folder') return [];
  return listOrNothing(ws.disk, path)
    .filter(({ name, kind }) => kind === 'folder' || name.endsWith('.md'))
    .map(({ name, kind }) => ({ kind, name: kind === 'folder' ? name : name.slice(0, -3) }));
}

export interface Described {
  /** As shown to people. */
  readonly file: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly present: boolean;
  /** undefined: the places of its keys are not known. */
  readonly located?: Pick<Located, 'head' | 'places'>;
}

/** Why an empty file is not taken. */
export const EMPTY = { message: 'this file is empty', fix: 'Write its text, or remove it' };

/** `strict`: it is for us alone, so that invalid YAML is a mistake. */
export function readDescribed(
  ws: Workspace,
  path: string,
  file: string,
  strict = false,
): Result<Described> {
  const text = readProse(ws.disk, path, file, { single_link: false });
  if (!text.ok) return text;
  if (text.value.trim() === '') return refused({ code: 'missing_file', file, ...EMPTY });
  if (file.endsWith('.toml')) return tomlIn(text.value, file);
  const front = readFrontMatter(text.value, file);
  if (front.ok) {
    const { head, body, present } = front.value;
    return ok({ file, head, body, present, located: front.value });
  }
  const loose = strict ? undefined : readLooseHead(text.value);
  return loose === undefined ? front : ok({ file, ...loose, present: true });
}

function tomlIn(text: string, file: string): Result<Described> {
  const read = readTomlHead(text, (table) => mayNarrow(table) || TABLES.test(table));
  if (read.ok) {
    const { head, lines } = read;
    const places = new Map([...lines].map(([key, line]) => [key, { line, col: 1 }]));
    return ok({ file, head, body: '', present: true, located: { head, places } });
  }
  return refused({
    code: 'yaml',
    file,
    line: read.line,
    message: `not TOML: ${read.message}`,
    expected: 'name, description and developer_instructions',
    fix: 'Correct the line',
  });
}

export function leftOut(kind: string, name: string, one: Problem): Problem {
  return { ...one, severity: 'warning', message: `${kind} ${name} is left out: ${one.message}` };
}

/** A warning about something that was found by its name and cannot be used. */
export function notTaken(
  file: string,
  one: Pick<Problem, 'code' | 'message' | 'fix'> & Partial<Problem>,
): Problem {
  return problem({ file, severity: 'warning', ...one });
}

/** `so`: the consequence. */
export function linked(file: string, so: string): Problem {
  return notTaken(file, {
    code: 'not_a_file',
    message: `a link or a special file, which is not followed: ${so}`,
    fix: 'Put a real folder there',
  });
}

export function badName(
  file: string,
  whose: 'file' | 'folder',
  kind: string,
  name: Pick<Problem, 'found' | 'expected'>,
): Problem {
  const message = `the name of this ${whose} is not valid for ${kind}, which is left out`;
  return notTaken(file, { code: 'bad_value', message, ...name, fix: `Rename the ${whose}` });
}
