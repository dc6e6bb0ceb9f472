/** What of this machine a sandbox shows, and whether bubblewrap works: tried once, never fails. */
import { existsSync, readlinkSync, lstatSync } from 'node:fs';
import { isWithin } from '../../task/core/base/folders.ts';
import { execFileSync } from '../../process/child-process.ts';
import { orNothing, realOf, makeFolder, namesIn, textOf } from '../../process/path-kind.ts';
import { findProgram, SYSTEM_PATH, type Programs } from '../../process/program.ts';
import { sandboxArgv, type Sandbox, type SandboxPlace } from './bwrap-args.ts';
import { join } from 'node:path';
import { elapsedMs } from '../../process/elapsed.ts';
import { wholeFile } from '../../process/key-file.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { isOwn } from '../../workspace/open/code-folder.ts';

/** `places`: the system, read-only, without what only root may read; no home, no /run, no /var. */
export type SandboxMachine = Pick<Sandbox, 'programs' | 'as_root' | 'links' | 'places'>;

export type SandboxAnswer =
  | { readonly works: true; readonly machine: SandboxMachine }
  | { readonly works: false; readonly why: string };

const TOP = 'usr bin sbin lib lib32 lib64 libx32 etc opt nix gnu snap sys'.split(' ');
/** Programs need them: certificates, fonts, the system of NixOS. */
const MORE = ['/var/lib/ca-certificates', '/var/cache/fontconfig', '/run/current-system'];
/** Sockets of services and sessions, and files of other users. */
const PRIVATE = ['/tmp', '/run', '/var', '/var/tmp'];
const PROBE_TIMEOUT_MS = 10_000;

/** Visible in every sandbox. */
export function isSystem(path: string): boolean {
  return TOP.some((name) => isWithin(`/${name}`, path));
}

/** By the path of bwrap: a process may open workspaces that find different ones. */
const answers = new Map<string | undefined, SandboxAnswer>();

/** `path`: the value of PATH; `folder`: see `rootOnlyPlaces`. */
export function sandboxMachine(
  path: string,
  find: Programs['find'] = (name) => findProgram(name, path),
  folder?: string,
): SandboxAnswer {
  const bwrap = find('bwrap');
  const answer = answers.get(bwrap) ?? lookAtMachine(find, folder);
  answers.set(bwrap, answer);
  return answer;
}

function lookAtMachine(find: Programs['find'], folder?: string): SandboxAnswer {
  if (process.platform !== 'linux') return no('bubblewrap exists on Linux only');
  const found = ['bwrap', 'setsid', 'env', 'flock'].map(find);
  const [bwrap, setsid, env, flock] = found;
  if (bwrap === undefined) return no('bubblewrap is not installed here');
  if (setsid === undefined || env === undefined || flock === undefined) {
    return no('setsid, env or flock is not installed here');
  }
  const as_root = process.getuid?.() === 0;
  const programs = { bwrap, setsid, env, flock };
  const machine: SandboxMachine = { programs, as_root, ...system(as_root, folder) };
  const why = trySandbox({ ...machine, cwd: '/', mark: 'probe' });
  return why === undefined ? { works: true, machine } : no(`bubblewrap does not work here: ${why}`);
}

function no(why: string): SandboxAnswer {
  return { works: false, why };
}

function system(as_root: boolean, folder?: string): Pick<SandboxMachine, 'links' | 'places'> {
  const links: [string, string][] = [];
  const places: SandboxPlace[] = [];
  for (const path of [...TOP.map((name) => `/${name}`), ...MORE]) {
    const target = orNothing(() => readlinkSync(path));
    if (target !== undefined) links.push([path, target]);
    else if (existsSync(path)) places.push({ path, as: 'read' });
  }
  const names = realOf('/etc/resolv.conf');
  if (names !== undefined && !places.some(({ path }) => isWithin(path, names))) {
    places.push({ path: names, as: 'read' });
  }
  // Other users cannot read them anyway.
  if (as_root) places.push(...rootOnlyPlaces(folder));
  places.push(...PRIVATE.map((path) => ({ path, as: 'empty' }) as const));
  return { links, places };
}

/** undefined when a program ran in it; else the error of bwrap. */
export function trySandbox(sandbox: Sandbox): string | undefined {
  const [program = '', ...args] = sandboxArgv(sandbox, ['true']);
  try {
    execFileSync(program, args, {
      env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: PROBE_TIMEOUT_MS,
    });
    return undefined;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return stderr.split('\n')[0]?.replace(/^bwrap: /, '') || 'it does not start';
  }
}

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

/**
 * Places that only root can read, in folders that a sandbox shows. `folder`: no sandbox shows it, and the answer is
 * kept there for minutes; without one, each call looks.
 */
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
