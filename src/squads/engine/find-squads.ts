/** Finds squads: folders with SQUAD.yaml, nearest first. Reads no file. A link is reported and not followed. */
import { sourceOf, SQUAD_PLACES } from '../../agents/core/places.ts';
import type { ClientType } from '../../clients/core/records.ts';
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
/** The first that exists counts. */
const SQUAD_FILES = ['SQUAD.yaml', 'SQUAD.yml', 'squad.yaml', 'squad.yml'];

export interface SquadPath {
  readonly name: string;
  /** Absolute; `file` is for people. */
  readonly path: string;
  readonly file: string;
  readonly source: Squad['source'];
  readonly client?: ClientType | undefined;
  /** The name of its SQUAD.yaml. */
  readonly yaml: string;
  /** Why it is not a usable squad. */
  readonly wrong?: Problem;
}

/** Nearest first, each name once. */
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

/** With `nearer`: the next of that name after this one. */
export function findSquad(ws: Workspace, name: string, nearer?: SquadPath): SquadPath | undefined {
  // It becomes part of a path.
  if (!SQUAD_NAME.test(name)) return undefined;
  const all = foldersThere(ws, SQUAD_PLACES);
  const from = all.findIndex(({ path }) => nearer?.path.startsWith(`${path}/`));
  return nearestIn(all.slice(from + 1), (folder) => squadIn(ws, folder, name));
}

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
