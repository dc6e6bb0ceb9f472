/** What of this machine a sandbox shows, and whether bubblewrap works: tried once, never fails. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../task/core/base/folders.ts';
import { execFileSync } from '../../process/child-process.ts';
import { namesIn, orNothing, realOf } from '../../process/path-kind.ts';
import { findProgram, SYSTEM_PATH, type Programs } from '../../process/program.ts';
import { sandboxArgv, type Sandbox, type SandboxPlace } from './bwrap-args.ts';

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
/** Searched for what is not readable by everyone. */
const LOOKED_THROUGH = ['/etc', '/opt', '/usr/local'];
const LOOKED_AT_MAX = 50_000;
/** Each place is a mount: a folder with more of them is left out whole. */
const SHUT_IN_FOLDER_MAX = 50;

/** Visible in every sandbox. */
export function isSystem(path: string): boolean {
  return TOP.some((name) => isWithin(`/${name}`, path));
}

/** By the path of bwrap: a process may open workspaces that find different ones. */
const answers = new Map<string | undefined, SandboxAnswer>();

/** `path`: the value of PATH. */
export function sandboxMachine(
  path: string,
  find: Programs['find'] = (name) => findProgram(name, path),
): SandboxAnswer {
  const bwrap = find('bwrap');
  const answer = answers.get(bwrap) ?? lookAtMachine(find);
  answers.set(bwrap, answer);
  return answer;
}

function lookAtMachine(find: Programs['find']): SandboxAnswer {
  if (process.platform !== 'linux') return no('bubblewrap exists on Linux only');
  const found = ['bwrap', 'setsid', 'env', 'flock'].map(find);
  const [bwrap, setsid, env, flock] = found;
  if (bwrap === undefined) return no('bubblewrap is not installed here');
  if (setsid === undefined || env === undefined || flock === undefined) {
    return no('setsid, env or flock is not installed here');
  }
  const as_root = process.getuid?.() === 0;
  const programs = { bwrap, setsid, env, flock };
  const machine: SandboxMachine = { programs, as_root, ...system(as_root) };
  const why = trySandbox({ ...machine, cwd: '/', mark: 'probe' });
  return why === undefined ? { works: true, machine } : no(`bubblewrap does not work here: ${why}`);
}

function no(why: string): SandboxAnswer {
  return { works: false, why };
}

function system(as_root: boolean): Pick<SandboxMachine, 'links' | 'places'> {
  const links: [string, string][] = [];
  const places: SandboxPlace[] = [];
  for (const path of [...TOP.map((name) => `/${name}`), ...MORE]) {
    const target = linkTarget(path);
    if (target !== undefined) links.push([path, target]);
    else if (existsSync(path)) places.push({ path, as: 'read' });
  }
  const names = realOf('/etc/resolv.conf');
  if (names !== undefined && !places.some(({ path }) => isWithin(path, names))) {
    places.push({ path: names, as: 'read' });
  }
  // Other users cannot read them anyway.
  if (as_root) places.push(...notForEverybody());
  places.push(...PRIVATE.map((path) => ({ path, as: 'empty' }) as const));
  return { links, places };
}

/** From the top down, so that the limit cuts off the deepest. */
function notForEverybody(): SandboxPlace[] {
  const places: SandboxPlace[] = [];
  const left = LOOKED_THROUGH.filter((path) => linkTarget(path) === undefined);
  let looked_at = 0;
  for (let i = 0; i < left.length && looked_at < LOOKED_AT_MAX; i++) {
    const folder = left[i] ?? '';
    const [shut, open]: [SandboxPlace[], string[]] = [[], []];
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      looked_at += 1;
      if (stat === undefined || stat.isSymbolicLink()) continue;
      if (!stat.isDirectory()) {
        if ((stat.mode & 0o4) === 0) shut.push({ path, as: 'veiled' });
      } else if ((stat.mode & 0o5) === 0o5) open.push(path);
      else shut.push({ path, as: 'empty' });
    }
    const is_whole = shut.length > SHUT_IN_FOLDER_MAX && !LOOKED_THROUGH.includes(folder);
    if (is_whole) places.push({ path: folder, as: 'empty' });
    else {
      places.push(...shut);
      left.push(...open);
    }
  }
  return places;
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

function linkTarget(path: string): string | undefined {
  return orNothing(() => readlinkSync(path));
}
