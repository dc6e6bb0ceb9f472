/**
 * Finds and reads the files that describe agents. Finding lists folders and reads nothing; links are never
 * followed, depth and number are bounded. What cannot be read is a problem, and the others are read all
 * the same.
 */
import { readAgent, type AgentDefinition, type AgentPath } from '../core/agents.ts';
import {
  AGENT_PLACES,
  FOLDER_FILES,
  isAgentName,
  isSkillName,
  NO_AGENTS,
  PACKAGE_AGENTS,
  SKILL_PLACES,
  type Place,
} from '../core/places.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { Entry } from '../../task/store/disk/disk.ts';
import {
  foldersOn,
  foldersThere,
  leftOut,
  notTaken,
  readDescribed,
  type Described,
  type Folder,
} from './definition-files.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const DEPTH_MAX = 4;
const FILES_MAX = 1000;

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

/** The names of those that can be skills; a link is none. */
export function skillsAmong(found: readonly Entry[]): readonly string[] {
  return found
    .filter(({ kind, name }) => kind !== 'other' && isSkillName(name))
    .map(({ name }) => name);
}

/** All files that are agents by where they stand; those of skills are looked for apart. */
export function findAgents(ws: Workspace): Found {
  return walked(foldersOn(ws, AGENT_PLACES).map((folder) => below(ws, folder)));
}

export function findSkillAgents(ws: Workspace): Found {
  return walked(
    foldersThere(ws, SKILL_PLACES).flatMap(({ path, file, place }) => {
      const skills = ws.disk
        .list(path)
        .filter(({ kind, name }) => kind === 'folder' && isAgentName(name));
      const agents = (at: string, name: string): string => `${at}/${name}/agents`;
      return skills.map(({ name }) =>
        below(ws, { path: agents(path, name), file: agents(file, name), place }, name),
      );
    }),
  );
}

function walked(all: readonly Found[]): Found {
  return {
    paths: all.flatMap(({ paths }) => paths),
    problems: all.flatMap(({ problems }) => problems),
  };
}

function below(ws: Workspace, { path, file, place }: Folder, skill?: string): Found {
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
    notTaken(found.file, {
      code: 'bad_value',
      message: 'the name of this file cannot be the name of an agent, which is left out',
      found: found.name,
      expected: 'letters, digits, dots and dashes',
      fix: 'Rename the file',
    }),
  );
}

function linked(file: string): Problem {
  return notTaken(file, {
    code: 'not_a_file',
    message: 'a link or a special file, which is not followed: agents in it are left out',
    fix: 'Put a real folder there',
  });
}

export interface ReadFile {
  /** undefined: it cannot be used, and `problems` says why. */
  readonly definition: AgentDefinition | undefined;
  /** What the file calls itself, where that is another name. */
  readonly alias?: string | undefined;
  /** Warnings. */
  readonly problems: readonly Problem[];
}

/** undefined: no such role comes with the package. */
export function readBuiltIn(ws: Workspace, name: string): AgentDefinition | undefined {
  const place = PACKAGE_AGENTS;
  const [folder] = foldersOn(ws, [place]);
  const file = `${folder?.file}/${name}.md`;
  return readAgentFile(ws, { name, path: `${folder?.path}/${name}.md`, file, place, inner: false })
    .definition;
}

export function readAgentFile(ws: Workspace, found: AgentPath): ReadFile {
  const { name, file, place } = found;
  const described = readDescribed(ws, found.path, file, place.folder.startsWith('.contracts'));
  const wrong = described.ok ? headless(described.value, place) : described.problems;
  if (!described.ok || wrong.length > 0) {
    return { definition: undefined, problems: wrong.map((one) => leftOut('agent', name, one)) };
  }
  const { located } = described.value;
  const read = readAgent(found, described.value);
  const problems = read.notes.map(({ key, ...note }) => {
    const line = located?.places.get(key.split('.')[0] ?? '')?.line ?? 1;
    return problem({ code: 'bad_value', severity: 'warning', file, line, ...note });
  });
  if (read.ok) return { ...read.value, problems };
  return { definition: undefined, problems: problems.map((one) => leftOut('agent', name, one)) };
}

/** In a folder that is ours, what has no head is an agent without settings. */
function headless({ present, file }: Described, { folder }: Place): readonly Problem[] {
  if (present || folder === '.contracts/agents') return [];
  return [
    problem({
      code: 'front_matter',
      file,
      message: 'it has no front matter',
      fix: 'Begin it with --- and description: what it is for',
    }),
  ];
}
