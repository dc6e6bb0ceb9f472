/** What only root can read in folders that a sandbox shows: looked for, and kept for minutes. */
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { elapsedMs } from '../../process/elapsed.ts';
import { wholeFile } from '../../process/key-file.ts';
import { makeFolder, namesIn, orNothing, textOf } from '../../process/path-kind.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { isOwn } from '../../workspace/open/code-folder.ts';
import type { SandboxPlace } from './bwrap-args.ts';

const LOOKED_THROUGH = ['/etc', '/opt', '/usr/local'];
const LOOKED_AT_MAX = 50_000;
/** Each place is a mount: a folder with more of them is left out whole. */
const SHUT_IN_FOLDER_MAX = 50;
/** A chmod of a file does not mark its folder, and is seen after this time. */
const KEPT_MS = 5 * 60_000;
const KEPT_BYTES_MAX = 2 ** 23;
/** Times of files move in steps of up to 10 ms: a younger folder may change without a new mark. */
const SETTLED_MS = 20;
const FILE = 'root-only.json';

type Places = readonly SandboxPlace[];

/** `folder`: no sandbox shows it, and the answer is kept there; without one, each call looks. */
export function rootOnlyPlaces(folder = '', tops = LOOKED_THROUGH): Places {
  const [now, at] = [Date.now(), elapsedMs()];
  const kept = orNothing(() => keptPlaces(folder, tops, at));
  if (kept !== undefined) return kept;
  const { places, looked } = lookThrough(tops);
  const text = JSON.stringify({ at, places, seen: looked.map(markOf) });
  if (looked.every(({ stat }) => (stat?.ctimeMs ?? 0) < now - SETTLED_MS)) {
    makeFolder(folder);
    orNothing(() => wholeFile(folder, FILE, `${sumOf(text, tops)}\n${text}`, 0o600));
  }
  return places;
}

/** Throws where there is none; undefined for another user's, and for what holds no more. */
function keptPlaces(folder: string, tops: readonly string[], now: number): Places | undefined {
  const [above, own] = [lstatSync(folder), lstatSync(join(folder, FILE))];
  const isRead = isOwn(above) && isOwn(own) && own.isFile() && own.size <= KEPT_BYTES_MAX;
  const [sum, text = ''] = isRead ? textOf(join(folder, FILE)).split('\n') : [];
  if (sum !== sumOf(text, tops)) return undefined;
  type Kept = { readonly at: number; readonly places: Places; readonly seen: readonly string[] };
  const { at, places, seen } = JSON.parse(text) as Kept;
  const isSame = (mark: string): boolean => markOf(lookAt(mark.replace(/^[^/]*/, ''))) === mark;
  return at <= now && now < at + KEPT_MS && seen.every(isSame) ? places : undefined;
}

/** Sum of one start of the machine, with the mounts of this process. */
function sumOf(text: string, tops: readonly string[]): string {
  const boot = textOf('/proc/sys/kernel/random/boot_id');
  return sha256('1', boot, readlinkSync('/proc/self/ns/mnt'), ...tops, text);
}

function lookAt(path: string) {
  return { path, stat: lstatSync(path, { throwIfNoEntry: false }) };
}

function markOf({ path, stat }: ReturnType<typeof lookAt>): string {
  return [stat?.dev, stat?.ino, stat?.mode, stat?.mtimeMs, stat?.ctimeMs, path].join(' ');
}

/** From the top down, so that the limit cuts off the deepest. */
function lookThrough(tops: readonly string[]) {
  const places: SandboxPlace[] = [];
  const looked = tops.map(lookAt);
  let looked_at = 0;
  for (let i = 0; i < looked.length && looked_at < LOOKED_AT_MAX; i++) {
    const { path: folder = '', stat: own } = looked[i] ?? {};
    const [shut, open]: [SandboxPlace[], typeof looked] = [[], []];
    for (const name of own?.isDirectory() === true ? namesIn(folder) : []) {
      const { path, stat } = lookAt(join(folder, name));
      looked_at += 1;
      if (stat === undefined || stat.isSymbolicLink()) continue;
      if (!stat.isDirectory()) {
        if ((stat.mode & 0o4) === 0) shut.push({ path, as: 'veiled' });
      } else if ((stat.mode & 0o5) === 0o5) open.push({ path, stat });
      else shut.push({ path, as: 'empty' });
    }
    const is_whole = shut.length > SHUT_IN_FOLDER_MAX && !tops.includes(folder);
    if (is_whole) places.push({ path: folder, as: 'empty' });
    else {
      places.push(...shut);
      looked.push(...open);
    }
  }
  return { places, looked };
}
