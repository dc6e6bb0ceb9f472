/**
 * Finds and reads the skills that contracts and agents name, in the nearest folder that has one of that
 * name. Links are never followed; if one cannot be read, no other is taken in its place.
 */
import { isSkillName, PACKAGE_SKILLS, SKILL_PLACES } from '../core/places.ts';
import { skillOf, type Skill } from '../core/skills.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import {
  foldersOn,
  foldersThere,
  namesIn,
  nearestIn,
  readDescribed,
  type Folder,
} from './catalog.ts';
import { moreAgents } from '../../workspace/tasks/routes.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

interface SkillFile extends Pick<Skill, 'name' | 'file' | 'folder'> {
  readonly path: string;
}

const PLACES = [...SKILL_PLACES, PACKAGE_SKILLS];
const SKILL_FILES = ['SKILL.md', 'skill.md'];
/** The skill itself, and the agents that work by it. */
const OWN_ENTRIES: ReadonlySet<string> = new Set([...SKILL_FILES, 'agents']);

export type SkillRead =
  | { readonly ok: true; readonly skill: Skill }
  /** Without a problem, there is no such skill. */
  | { readonly ok: false; readonly problem?: Problem };

/** As agents are: once for each look at the tasks. */
const known = /* @__PURE__ */ onceFor<Workspace, Map<string, SkillRead>>(() => new Map());

export function readSkill(ws: Workspace, name: string): SkillRead {
  const read = known(ws).get(name) ?? findAndRead(ws, name);
  known(ws).set(name, read);
  return read;
}

function findAndRead(ws: Workspace, name: string): SkillRead {
  // The name is joined into paths.
  if (!isSkillName(name) || name.includes('..')) return { ok: false };
  const found =
    nearestIn(foldersThere(ws, PLACES), (folder) => fileIn(ws, folder, name)) ?? ofOthers(ws, name);
  return found === undefined ? { ok: false } : readOne(ws, found);
}

/** Readable ones, each once, in the order of the names. */
export function skillsNamed(ws: Workspace, names: readonly string[]): readonly Skill[] {
  return [...new Set(names)].flatMap((name) => {
    const read = readSkill(ws, name);
    return read.ok ? [read.skill] : [];
  });
}

/** The names in all folders, without skills in groups. */
export function skillNames(ws: Workspace): readonly string[] {
  const all = foldersOn(ws, PLACES).flatMap(({ path }) => namesIn(ws, path));
  return [...new Set(skillsAmong(all))];
}

/** The skills of one folder; a link is none. */
export function skillsIn(ws: Workspace, folder: string): readonly string[] {
  const found = namesIn(ws, folder).filter(
    ({ name, kind }) => kind !== 'folder' || skillFileIn(ws, `${folder}/${name}`) !== undefined,
  );
  return skillsAmong(found);
}

function skillsAmong(found: ReturnType<typeof namesIn>): readonly string[] {
  return found
    .filter(({ kind, name }) => kind !== 'other' && isSkillName(name))
    .map(({ name }) => name);
}

function skillFileIn(ws: Workspace, folder: string): string | undefined {
  return SKILL_FILES.find((one) => ws.disk.stat(`${folder}/${one}`) !== undefined);
}

/** Skills of capabilities: `<whose>/<name>`. */
function ofOthers(ws: Workspace, name: string): SkillFile | undefined {
  const [of = '', skill, more] = name.split('/');
  if (skill === undefined || more !== undefined) return undefined;
  const folders = moreAgents(ws).flatMap((one) => one.skillFolders(of));
  const found = nearestIn(folders, (folder) =>
    ws.disk.stat(folder.path)?.kind === 'folder' ? fileIn(ws, folder, skill) : undefined,
  );
  return found && { ...found, name };
}

function fileIn(ws: Workspace, { path, file }: Pick<Folder, 'path' | 'file'>, name: string) {
  const folder = `${path}/${name}`;
  const parts = name.split('/');
  const inGroups = parts.slice(0, -1).every((_, i) => {
    const above = parts.slice(0, i + 1).join('/');
    return ws.disk.stat(`${path}/${above}`)?.kind === 'folder';
  });
  if (!inGroups) return undefined;
  if (ws.disk.stat(folder)?.kind === 'folder') {
    const own = skillFileIn(ws, folder);
    if (own === undefined) return undefined;
    const others = ws.disk.list(folder).some((one) => !OWN_ENTRIES.has(one.name));
    return {
      name,
      path: `${folder}/${own}`,
      file: `${file}/${name}/${own}`,
      folder: others ? folder : '',
    };
  }
  if (ws.disk.stat(`${folder}.md`) === undefined) return undefined;
  return { name, path: `${folder}.md`, file: `${file}/${name}.md`, folder: '' };
}

function readOne(ws: Workspace, { path, ...named }: SkillFile): SkillRead {
  const read = readDescribed(ws, path, named.file);
  if (read.ok) return { ok: true, skill: skillOf(named, read.value.head, read.value.body) };
  const [first] = read.problems;
  return first === undefined ? { ok: false } : { ok: false, problem: first };
}
