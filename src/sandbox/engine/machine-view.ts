/** What of this machine a sandbox shows, and whether bubblewrap works: tried once, never fails. */
import { existsSync, readlinkSync } from 'node:fs';
import { isWithin } from '../../task/core/base/folders.ts';
import { execFileSync } from '../../process/child-process.ts';
import { orNothing, realOf } from '../../process/path-kind.ts';
import { findProgram, SYSTEM_PATH, type Programs } from '../../process/program.ts';
import { sandboxArgv, type Sandbox, type SandboxPlace } from './bwrap-args.ts';
import { rootOnlyPlaces } from './root-only.ts';

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
