/**
 * How `init --remove` takes back what `init` added: what is there as it was added goes, what a person has changed is
 * named and stays. There is no record of it; folders of the workspace go where nothing but what `init` makes is in them.
 */
import { dirname, join } from 'node:path';
import type { LineData } from '../core/events/command-lines.ts';
import { orNothing } from '../../process/path-kind.ts';
import { STATES } from '../../task/core/model/state.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { linkOn } from '../../workspace/open/workspace.ts';
import { fromPackage, isOutside, textAt, type Place } from './add-missing.ts';
import { CHANGED, type Addition } from './additions.ts';

/** Relative paths. */
export type TakenBack = Pick<LineData<'taken_back'>, 'removed' | 'taken_from' | 'by_hand'>;

/** A file as it is, and as it would be: undefined where it goes. */
interface Less {
  readonly held: string;
  readonly text: string | undefined;
}

interface Found {
  readonly files: ReadonlyMap<string, Less>;
  readonly by_hand: TakenBack['by_hand'];
}

/** Finds what would go. Writes nothing. */
export function findAdded({ putting, root }: Place, additions: readonly Addition[]): Found {
  const files = new Map<string, Less>();
  const by_hand: TakenBack['by_hand'][number][] = [];
  for (const { file, text, by_hand: own = text, shrink = () => CHANGED } of additions) {
    if (isOutside(file)) continue;
    const link = dirname(file) === '.' ? undefined : linkOn(putting.disk, root, dirname(file));
    const now = link === undefined ? textAt(putting.disk, join(root, file)) : undefined;
    if (typeof now !== 'string') continue;
    const { held, text: rest = '' } = files.get(file) ?? { held: now, text: now };
    const less = rest === text ? '' : shrink(rest);
    if (typeof less !== 'string') by_hand.push({ file, text: own, why: less.why });
    else if (less !== rest) files.set(file, { held, text: less.trim() === '' ? undefined : less });
  }
  return { files, by_hand };
}

export function takeBack(place: Place, { files, by_hand }: Found): TakenBack {
  const { putting, root } = place;
  const [removed, taken_from]: [string[], string[]] = [[], []];
  const left = [...by_hand];
  for (const [file, { held, text }] of files) {
    const path = join(root, file);
    if (text === undefined && textAt(putting.disk, path) === held) {
      putting.disk.remove(path);
      removed.push(file, ...emptyAbove(place, file));
    } else if (
      text !== undefined &&
      putIfUnchanged(putting, path, sha256(bytesOf(held)), bytesOf(text)) === 'put'
    )
      taken_from.push(file);
    else left.push({ file, text: held, why: 'another program changed it just now' });
  }
  return { removed, taken_from, by_hand: left };
}

/** Removes the folders that hold nothing any more; those of git are git's. */
function emptyAbove(place: Place, file: string): readonly string[] {
  const { putting, root } = place;
  const { disk } = putting;
  const folder = dirname(file);
  if (folder === '.' || folder.startsWith('.git/') || folder.startsWith('/')) return [];
  if (folder === SETTINGS || disk.names(join(root, folder)).length > 0) return [];
  if (orNothing(() => (disk.remove(join(root, folder)), true)) !== true) return [];
  return [`${folder}/`, ...emptyAbove(place, folder)];
}

/**
 * The folders of the workspace with all in them, deepest first, where nothing of a person or of a run is among it; else
 * empty. `settings`: lines that `init` may have written into config.yaml.
 */
export function bareFolders(place: Place, settings: readonly string[]): readonly string[] {
  const { putting, root, tasks } = place;
  const { disk } = putting;
  const offered = (name: string, task = ''): string =>
    fromPackage(disk, `templates/init/${name}`, { TASK: task });
  const config = `${SETTINGS}/config.yaml`;
  const known = new Set([...offered('config.yaml').split('\n'), ...settings, '']);
  const own = new Map([
    [`${SETTINGS}/archive/.gitignore`, offered('folder.gitignore', '*')],
    [`${tasks}/.gitignore`, offered('folder.gitignore', '*/*')],
    ...STATES.map((state) => [`${tasks}/${state}/.gitkeep`, ''] as const),
  ]);
  const isOwn = (file: string): boolean => {
    const text = textAt(disk, join(root, file));
    if (file !== config || typeof text !== 'string') return text === own.get(file);
    return text.split(/\r?\n/).every((line) => known.has(line));
  };
  const found: string[] = [];
  const isBare = (folder: string): boolean =>
    listOrNothing(disk, join(root, folder)).every(({ name, kind }) => {
      const path = `${folder}/${name}`;
      const isOurs =
        kind === 'folder'
          ? isBare(path)
          : kind === 'file' && (path.startsWith(`${SETTINGS}/cache/`) || isOwn(path));
      found.push(kind === 'folder' ? `${path}/` : path);
      return isOurs;
    });
  for (const folder of [SETTINGS, tasks]) {
    if (disk.stat(join(root, folder)) === undefined) continue;
    if (!isBare(folder)) return [];
    found.push(`${folder}/`);
  }
  return found;
}

/** `found`: files, and folders that end with a slash; what came into one meanwhile keeps it. */
export function removeFolders({ putting: { disk }, root }: Place, found: readonly string[]): void {
  for (const path of found) orNothing(() => disk.remove(join(root, path)));
}
