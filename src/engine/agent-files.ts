/**
 * Finds and reads the files that describe agents. Finding lists folders and reads nothing; a folder
 * that is not there costs one look. Links are never followed, depth and number are bounded. What
 * cannot be read is a problem with its place, and the others are read all the same.
 */
import { join } from 'node:path';
import { readAgent, type AgentDefinition, type AgentSource } from '../catalog/agents.ts';
import {
  AGENT_PLACES,
  FOLDER_FILES,
  isAgentName,
  NO_AGENTS,
  SKILL_PLACES,
  type Place,
} from '../catalog/places.ts';
import { problem, type Problem } from '../core/problem.ts';
import { readFrontMatter } from '../text/front-matter.ts';
import { readLooseHead } from '../text/loose-head.ts';
import { readTomlHead } from '../text/toml-head.ts';
import { packageFolder } from './package-folder.ts';
import { readText } from './read-text.ts';
import type { Workspace } from './workspace.ts';

const DEPTH_MAX = 4;
const FILES_MAX = 1000;

export interface AgentPath {
  readonly name: string;
  readonly path: string;
  /** For people and problems. */
  readonly file: string;
  readonly place: Place;
  /** In the folder of a skill. */
  readonly inner: boolean;
}

export interface Found {
  readonly paths: readonly AgentPath[];
  readonly problems: readonly Problem[];
}

interface Walk {
  readonly ws: Workspace;
  readonly place: Place;
  readonly inner: boolean;
  readonly paths: AgentPath[];
  readonly problems: Problem[];
}

export const SKILL_FILES = ['SKILL.md', 'skill.md'];

/** In a folder that is a skill as a whole. */
export function skillFileIn(ws: Workspace, folder: string): string | undefined {
  return SKILL_FILES.find((one) => ws.disk.stat(`${folder}/${one}`) !== undefined);
}

/** Where a place is on this machine, and what people call it; undefined where there is no home. */
export function placeOn(
  ws: Workspace,
  place: Place,
): { readonly path: string; readonly file: string } | undefined {
  if (place.base === 'project') {
    return { path: join(ws.layout.root, place.folder), file: place.folder };
  }
  const base = place.base === 'home' ? ws.home : ws.config_home;
  if (base === undefined) return undefined;
  const path = join(base, place.folder);
  const home = ws.home === undefined ? undefined : `${ws.home}/`;
  const short = home !== undefined && path.startsWith(home);
  return { path, file: short ? `~/${path.slice(home.length)}` : path };
}

/** All files that are agents by where they stand; those of skills are looked for apart. */
export function findAgents(ws: Workspace): Found {
  const all: Found[] = AGENT_PLACES.map((place) => {
    const on = placeOn(ws, place);
    return on === undefined ? { paths: [], problems: [] } : below(ws, place, on.path, on.file);
  });
  return joined(all);
}

export function findSkillAgents(ws: Workspace): Found {
  return joined(
    SKILL_PLACES.flatMap((place) => {
      const on = placeOn(ws, place);
      if (on === undefined || ws.disk.stat(on.path)?.kind !== 'folder') return [];
      return ws.disk
        .list(on.path)
        .filter(({ kind, name }) => kind === 'folder' && isAgentName(name))
        .map(({ name }) =>
          below(ws, place, `${on.path}/${name}/agents`, `${on.file}/${name}/agents`, name),
        );
    }),
  );
}

function joined(all: readonly Found[]): Found {
  return {
    paths: all.flatMap(({ paths }) => paths),
    problems: all.flatMap(({ problems }) => problems),
  };
}

function below(ws: Workspace, place: Place, path: string, file: string, skill?: string): Found {
  const kind = ws.disk.stat(path)?.kind;
  const walk: Walk = { ws, place, inner: skill !== undefined, paths: [], problems: [] };
  if (kind === 'folder') walkFolder(walk, path, file, skill ?? '', 1);
  else if (kind !== undefined) walk.problems.push(linked(file));
  return walk;
}

function walkFolder(walk: Walk, path: string, file: string, space: string, depth: number): void {
  for (const { name, kind } of walk.ws.disk.list(path)) {
    if (walk.paths.length >= FILES_MAX) return;
    if (name.startsWith('.') || (depth === 1 && walk.place.skip?.includes(name) === true)) continue;
    const [at, shown] = [`${path}/${name}`, `${file}/${name}`];
    const stem = /^(.*)\.(?:md|toml)$/.exec(name)?.[1];
    if (kind === 'folder' && depth < DEPTH_MAX) {
      walkFolder(walk, at, shown, space === '' ? name : `${space}/${name}`, depth + 1);
    } else if (stem !== undefined && !NO_AGENTS.has(name) && kind !== 'folder') {
      const whole = FOLDER_FILES.has(name) ? space : space === '' ? stem : `${space}/${stem}`;
      add(walk, { name: whole, path: at, file: shown });
    } else if (kind === 'other' && stem === undefined && name.indexOf('.') === -1) {
      walk.problems.push(linked(shown));
    }
  }
}

function add(walk: Walk, found: Pick<AgentPath, 'name' | 'path' | 'file'>): void {
  const [first, second, third] = found.name.split('/');
  // A chief stands in a folder of his own name, among those whom only he calls.
  const chief = walk.inner && third === undefined && first === second;
  const name = chief ? (first ?? '') : found.name;
  if (isAgentName(name)) {
    walk.paths.push({ ...found, name, place: walk.place, inner: walk.inner && !chief });
    return;
  }
  walk.problems.push(
    problem({
      code: 'bad_value',
      severity: 'warning',
      file: found.file,
      message: 'the name of this file cannot be the name of an agent, which is left out',
      found: found.name,
      expected: 'letters, digits, dots and dashes',
      fix: 'Rename the file',
    }),
  );
}

function linked(file: string): Problem {
  return problem({
    code: 'not_a_file',
    severity: 'warning',
    file,
    message: 'a link or a special file, which is not followed: agents in it are left out',
    fix: 'Put a real folder there',
  });
}

export interface ReadFile {
  /** undefined: it cannot be used, and `problems` says why. */
  readonly definition: AgentDefinition | undefined;
  /** What the file calls itself, where that is another name. */
  readonly alias?: string;
  /** Warnings. */
  readonly problems: readonly Problem[];
}

export function readAgentFile(ws: Workspace, found: AgentPath): ReadFile {
  const source = found.place.base === 'project' ? 'project' : 'user';
  return readOne(ws, found, source);
}

/** undefined: no such role comes with the package. */
export function readBuiltIn(ws: Workspace, name: string): AgentDefinition | undefined {
  const file = `templates/agents/${name}.md`;
  const path = join(packageFolder(), file);
  const place: Place = { base: 'project', folder: 'templates/agents' };
  return readOne(ws, { name, path, file, place, inner: false }, 'built-in').definition;
}

interface RawAgent {
  readonly head: Record<string, unknown>;
  readonly body: string;
  readonly lines: ReadonlyMap<string, number>;
}

function readOne(
  ws: Workspace,
  found: AgentPath,
  source: Exclude<AgentSource, 'config'>,
): ReadFile {
  const { name, file, place, inner } = found;
  const text = readText(ws.disk, found.path, file, { single_link: false });
  const raw = text.ok ? rawAgent(text.value, file, place) : text.problems;
  if (!('head' in raw)) {
    return { definition: undefined, problems: raw.map((one) => leftOut(name, one)) };
  }
  const client = place.client === undefined ? {} : { client: place.client };
  const read = readAgent({ name, file, source, inner, ...client, head: raw.head, body: raw.body });
  const lineOf = (key: string): number => raw.lines.get(key.split('.')[0] ?? '') ?? 1;
  if (!read.ok) {
    const said = read.notes.map(({ key, ...note }) =>
      problem({ code: 'bad_value', file, line: lineOf(key), ...note }),
    );
    return { definition: undefined, problems: said.map((one) => leftOut(name, one)) };
  }
  const problems = read.notes.map(({ key, ...note }) =>
    problem({ code: 'bad_value', severity: 'warning', file, line: lineOf(key), ...note }),
  );
  return {
    definition: read.definition,
    ...(read.alias === undefined ? {} : { alias: read.alias }),
    problems,
  };
}

function leftOut(name: string, one: Problem): Problem {
  return { ...one, severity: 'warning', message: `agent ${name} is left out: ${one.message}` };
}

function rawAgent(text: string, file: string, place: Place): RawAgent | readonly Problem[] {
  if (file.endsWith('.toml')) return rawToml(text, file);
  const front = readFrontMatter(text, file);
  if (front.ok) {
    if (front.value.present || place.folder === '.contracts/agents') {
      return { head: front.value.head, body: front.value.body, lines: front.value.keyLines };
    }
    return [
      problem({
        code: 'front_matter',
        file,
        message: 'it has no front matter',
        fix: 'Begin it with --- and description: what it is for',
      }),
    ];
  }
  const loose = place.folder.startsWith('.contracts') ? undefined : readLooseHead(text);
  return loose === undefined ? front.problems : { ...loose, lines: new Map() };
}

function rawToml(text: string, file: string): RawAgent | readonly Problem[] {
  const read = readTomlHead(text);
  if (read.ok) return { head: read.head, body: '', lines: read.lines };
  const { line, message } = read;
  return [
    problem({
      code: 'yaml',
      file,
      line,
      message: `not TOML: ${message}`,
      expected: 'name, description and developer_instructions',
      fix: 'Mend the line',
    }),
  ];
}
