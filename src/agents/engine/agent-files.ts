/**
 * Finds and reads the files that describe agents. Links are never followed; depth and number are bounded;
 * what cannot be read is a problem, and the others are still read.
 */
import { readAgent, type AgentDefinition, type AgentPath, type AgentRead } from '../core/agents.ts';
import {
  AGENT_PLACES,
  FOLDER_FILES,
  isAgentName,
  NO_AGENTS,
  PACKAGE_AGENTS,
  SKILL_PLACES,
} from '../core/places.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import {
  badName,
  foldersOn,
  foldersThere,
  leftOut,
  linked,
  readDescribed,
  type Folder,
} from './catalog.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const DEPTH_MAX = 4;
const FILES_MAX = 1000;

export interface Found {
  readonly paths: readonly AgentPath[];
  readonly problems: readonly Problem[];
}

interface Start extends Folder {
  /** The skill whose folder of agents it is. */
  readonly skill?: string;
}

interface Walk extends Start {
  readonly ws: Workspace;
  readonly paths: AgentPath[];
  readonly problems: Problem[];
}

/** All files that are agents by their place, without those of skills. */
export function findAgents(ws: Workspace): Found {
  return walked(ws, foldersOn(ws, AGENT_PLACES));
}

export function findSkillAgents(ws: Workspace): Found {
  const skills = foldersThere(ws, SKILL_PLACES).flatMap(({ path, file, place }) =>
    ws.disk
      .list(path)
      .filter(({ kind, name }) => kind === 'folder' && isAgentName(name))
      .map(({ name: skill }): Start => {
        const agents = `${skill}/agents`;
        return { path: `${path}/${agents}`, file: `${file}/${agents}`, place, skill };
      }),
  );
  return walked(ws, skills);
}

function walked(ws: Workspace, starts: readonly Start[]): Found {
  const all = starts.map((start): Found => {
    const { path, file, skill = '' } = start;
    const kind = ws.disk.stat(path)?.kind;
    const walk: Walk = { ...start, ws, paths: [], problems: [] };
    if (kind === 'folder') walkFolder(walk, path, file, skill, 1);
    else if (kind !== undefined) walk.problems.push(linked(file, LEFT_OUT));
    return walk;
  });
  return {
    paths: all.flatMap(({ paths }) => paths),
    problems: all.flatMap(({ problems }) => problems),
  };
}

const LEFT_OUT = 'agents in it are left out';

function walkFolder(walk: Walk, path: string, file: string, space: string, depth: number): void {
  for (const { name, kind } of walk.ws.disk.list(path)) {
    if (walk.paths.length >= FILES_MAX) return;
    if (name.startsWith('.') || (depth === 1 && walk.place.skip?.includes(name) === true)) continue;
    const [at, shown] = [`${path}/${name}`, `${file}/${name}`];
    const stem = /^(.*)\.(?:md|toml)$/.exec(name)?.[1];
    const inSpace = (own: string): string => (space === '' ? own : `${space}/${own}`);
    if (kind === 'folder' && depth < DEPTH_MAX) {
      walkFolder(walk, at, shown, inSpace(name), depth + 1);
    } else if (stem !== undefined && !NO_AGENTS.has(name) && kind !== 'folder') {
      const whole = FOLDER_FILES.has(name) ? space : inSpace(stem);
      add(walk, { name: whole, path: at, file: shown });
    } else if (kind === 'other' && stem === undefined && !name.includes('.')) {
      walk.problems.push(linked(shown, LEFT_OUT));
    }
  }
}

function add(walk: Walk, found: Pick<AgentPath, 'name' | 'path' | 'file'>): void {
  const { place, skill } = walk;
  const [first = '', second, third] = found.name.split('/');
  // A chief is in a folder of its own name, among the agents that only it calls.
  const chief = skill !== undefined && third === undefined && first === second;
  const name = chief ? first : found.name;
  if (isAgentName(name)) {
    walk.paths.push({ ...found, name, place, inner: skill !== undefined && !chief });
    return;
  }
  const expected = 'letters, digits, dots and dashes';
  walk.problems.push(badName(found.file, 'file', 'an agent', { found: found.name, expected }));
}

/** undefined: no such role comes with the package. */
export function readBuiltIn(ws: Workspace, name: string): AgentDefinition | undefined {
  const [folder] = foldersOn(ws, [PACKAGE_AGENTS]);
  if (folder === undefined) return undefined;
  const [path, file] = [`${folder.path}/${name}.md`, `${folder.file}/${name}.md`];
  const read = readAgentFile(ws, { name, path, file, place: folder.place, inner: false });
  return read.ok ? read.value.definition : undefined;
}

/** All its problems are warnings: the others are still read. */
export function readAgentFile(ws: Workspace, found: AgentPath): Result<AgentRead> {
  const { name, file, place } = found;
  const gone = (problems: readonly Problem[]): Result<never> =>
    refused(problems.map((one) => leftOut('agent', name, one)));
  const ours = place.folder.startsWith('.contracts');
  const described = readDescribed(ws, found.path, file, ours);
  if (!described.ok) return gone(described.problems);
  const { present, located } = described.value;
  // In our own folder a file without a head is an agent without settings.
  if (!present && place.folder !== '.contracts/agents') {
    const fix = 'Begin it with --- and description: what it is for';
    return gone([problem({ code: 'front_matter', file, message: 'it has no front matter', fix })]);
  }
  const read = readAgent(found, described.value);
  const problems = read.notes.map(({ key, ...note }) => {
    const line = located?.places.get(key.split('.')[0] ?? '')?.line ?? 1;
    return problem({ code: 'bad_value', severity: 'warning', file, line, ...note });
  });
  return read.ok ? ok(read.value, problems) : gone(problems);
}
