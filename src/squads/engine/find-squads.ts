/**
 * Where the squads are that can be named: folders with SQUAD.yaml, nearest first. Lists folders and
 * reads no file. Links are never followed: a squad behind one is reported, and nobody is behind it.
 */
import { sourceOf, SQUAD_PLACES } from '../../agents/core/places.ts';
import type { Client } from '../../permissions/core/tools.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { SQUAD_NAME, type Squad } from '../core/squad.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import {
  badName,
  foldersThere,
  linked,
  nearestIn,
  type Folder,
} from '../../agents/engine/catalog.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const SQUADS_MAX = 200;
/** Either is taken; the first that is there. */
const SQUAD_FILES = ['SQUAD.yaml', 'SQUAD.yml', 'squad.yaml', 'squad.yml'];

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
  return nearestIn(all.slice(from + 1), (folder) => squadIn(ws, folder, name));
}

/** What makes a folder one. */
export function squadFileIn(ws: Workspace, folder: string): string | undefined {
  return SQUAD_FILES.find((file) => ws.disk.stat(`${folder}/${file}`) !== undefined);
}

function squadIn(ws: Workspace, folder: Folder, name: string): SquadPath | undefined {
  const path = `${folder.path}/${name}`;
  const file = `${folder.file}/${name}`;
  const kind = ws.disk.stat(path)?.kind;
  if (kind === undefined || kind === 'file') return undefined;
  const yaml = squadFileIn(ws, path);
  const { place } = folder;
  const found = { name, path, file, source: sourceOf(place), client: place.client };
  const known = { ...found, yaml: yaml ?? 'SQUAD.yaml' };
  if (kind !== 'folder') return { ...known, wrong: linked(file, 'this is no squad') };
  if (yaml === undefined) return undefined;
  if (SQUAD_NAME.test(name)) return known;
  const expected = 'at most 64 letters, digits and dashes';
  return { ...known, wrong: badName(file, 'folder', 'a squad', { found: name, expected }) };
}
