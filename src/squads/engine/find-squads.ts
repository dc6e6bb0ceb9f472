/**
 * Where the squads are that can be named: folders with SQUAD.yaml, nearest first. Lists folders and
 * reads no file. Links are never followed: a squad behind one is told, and nobody is behind it.
 */
import { sourceOf, SQUAD_PLACES } from '../../agents/core/places.ts';
import type { Client } from '../../authority/core/tools.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { SQUAD_NAME, type Squad } from '../core/squad.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { foldersThere, notTaken, type Folder } from '../../agents/engine/definition-files.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const SQUADS_MAX = 200;
/** Either is taken; the first that is there. */
export const SQUAD_FILES = ['SQUAD.yaml', 'SQUAD.yml', 'squad.yaml', 'squad.yml'];

export interface SquadPath {
  readonly name: string;
  /** The squad's folder, absolute and as people are shown it. */
  readonly path: string;
  readonly file: string;
  readonly source: Squad['source'];
  readonly client?: Client | undefined;
  /** SQUAD.yaml in it, as it is called there. */
  readonly yaml: string;
  /** It is none, or a name that cannot be one. */
  readonly wrong?: Problem;
}

/** Nearest first; a name that was met before is not told again. */
export function findSquads(ws: Workspace): readonly SquadPath[] {
  const found = new Map<string, SquadPath>();
  for (const folder of foldersThere(ws, SQUAD_PLACES)) {
    for (const { name, kind } of listOrNothing(ws.disk, folder.path)) {
      if (name.startsWith('.') || kind === 'file' || found.has(name)) continue;
      const path = squadIn(ws, folder, name);
      if (path !== undefined && found.size < SQUADS_MAX) found.set(name, path);
    }
  }
  return [...found.values()];
}

/** The nearest of that name; with `nearer`, in the places behind that squad. */
export function findSquad(ws: Workspace, name: string, nearer?: SquadPath): SquadPath | undefined {
  // It is joined into paths.
  if (!SQUAD_NAME.test(name)) return undefined;
  const all = foldersThere(ws, SQUAD_PLACES);
  const from = all.findIndex(({ path }) => nearer?.path.startsWith(`${path}/`));
  for (const folder of all.slice(from + 1)) {
    const path = squadIn(ws, folder, name);
    if (path !== undefined) return path;
  }
  return undefined;
}

function squadIn(ws: Workspace, folder: Folder, name: string): SquadPath | undefined {
  const at = `${folder.path}/${name}`;
  const kind = ws.disk.stat(at)?.kind;
  if (kind === undefined || kind === 'file') return undefined;
  const source = sourceOf(folder.place);
  const { client } = folder.place;
  const yaml = SQUAD_FILES.find((file) => ws.disk.stat(`${at}/${file}`) !== undefined);
  const squad = { name, path: at, file: `${folder.file}/${name}`, source, client };
  const known = { ...squad, yaml: yaml ?? 'SQUAD.yaml' };
  if (kind !== 'folder') return { ...known, wrong: linked(squad.file) };
  if (yaml === undefined) return undefined;
  return SQUAD_NAME.test(name) ? known : { ...known, wrong: badName(squad.file, name) };
}

function linked(file: string): Problem {
  return notTaken(file, {
    code: 'not_a_file',
    message: 'a link or a special file, which is not followed: this is no squad',
    fix: 'Put a real folder there',
  });
}

function badName(file: string, name: string): Problem {
  return notTaken(file, {
    code: 'bad_value',
    message: 'the name of this folder cannot be the name of a squad, which is left out',
    found: name,
    expected: 'at most 64 letters, digits and dashes',
    fix: 'Rename the folder',
  });
}
