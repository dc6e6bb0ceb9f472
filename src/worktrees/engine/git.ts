/**
 * Git in one place, with the harmless data of the person's configuration (name, ignored files, line
 * ends). Every configured filter, merge driver and hook is switched off by name.
 */
import { dirname, join } from 'node:path';
import { hooksOff, type GitCall, type GitPlace, type GitResult } from '../../git/runner-git.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Repository } from '../../workspace/open/repository.ts';

export interface Git {
  readonly place: GitPlace;
  run(args: readonly string[], call?: GitCall): GitResult;
  /** Its output, without the last newline. Throws a Fault where git refuses. */
  say(args: readonly string[], call?: GitCall): string;
  /** undefined when there is none of that name. */
  commitOf(name: string): string | undefined;
  /** Whether the first is an ancestor of the second. */
  holds(commit: string, inside: string): boolean;
}

/** Data in a configuration that changes what is committed, and runs nothing. */
const ASKED =
  '^(user\\.(name|email)|core\\.(excludesfile|autocrlf|eol|safecrlf)|filter\\..*|merge\\..*|hook\\..*)$';
const NOBODY = { name: 'contracts', email: 'contracts@localhost' };
const ERROR_CHARACTERS = 500;

/** They read or write files, merge, or move a ref: filters and hooks could run. */
const RUNNING = new Set([
  'add',
  'checkout',
  'merge',
  'merge-tree',
  'read-tree',
  'reset',
  'status',
  'update-index',
  'update-ref',
  'worktree',
  'write-tree',
]);

export function gitAt(ws: Workspace, place: GitPlace): Git {
  let own: OwnWords | undefined;
  const run = (args: readonly string[], call: GitCall = {}): GitResult => {
    // Looked up just before: an agent may have configured more since the last run.
    if (own === undefined || RUNNING.has(args[0] ?? '')) own = ownWords(ws, place);
    return ws.git(place, args, {
      ...call,
      config: [...own.config, ...(call.config ?? [])],
      env: { ...own.env, ...call.env },
    });
  };
  const say = (args: readonly string[], call?: GitCall): string => {
    const said = run(args, call);
    if (said.code === 0) return said.out.replace(/\n$/, '');
    throw gitFault(`git ${args[0] ?? ''} failed`, said);
  };
  return {
    place,
    run,
    say,
    commitOf: (name) => {
      const how = ['--verify', '--quiet', '--end-of-options'];
      const said = run(['rev-parse', ...how, `${name}^{commit}`]);
      return said.code === 0 ? said.out.trim() : undefined;
    },
    holds: (commit, inside) => run(['merge-base', '--is-ancestor', commit, inside]).code === 0,
  };
}

export function mainPlace({ top, git_dir, common_dir }: Repository): GitPlace {
  return { git_dir, common_dir, work_tree: top };
}

interface OwnWords {
  readonly config: NonNullable<GitCall['config']>;
  readonly env: Readonly<Record<string, string>>;
}

function ownWords(ws: Workspace, place: GitPlace): OwnWords {
  const said = ws.git(place, ['config', '--null', '--get-regexp', ASKED], { global: true });
  const pairs = said.out.split('\0').flatMap((one): [string, string][] => {
    const at = one.indexOf('\n');
    return one === '' ? [] : at === -1 ? [[one, '']] : [[one.slice(0, at), one.slice(at + 1)]];
  });
  const known = new Map(pairs);
  const off = pairs.flatMap(([key]): [string, string][] => {
    const [, kind, name] = /^(filter|merge)\.(.*)\.[^.]+$/s.exec(key) ?? [];
    if (kind === undefined || name === undefined) return [];
    if (kind === 'merge') return [[`merge.${name}.driver`, 'false']];
    const off = { clean: '', smudge: '', process: '', required: 'false' };
    return Object.entries(off).map(([part, value]) => [`filter.${name}.${part}`, value]);
  });
  const hooks = hooksOff(pairs.map(([key]) => key)).map((key): [string, string] => [key, 'false']);
  const data = ['core.excludesfile', 'core.autocrlf', 'core.eol', 'core.safecrlf'].flatMap(
    (key): [string, string][] => (known.has(key) ? [[key, known.get(key) ?? '']] : []),
  );
  const name = known.get('user.name') || NOBODY.name;
  const email = known.get('user.email') || NOBODY.email;
  return {
    config: [...data, ...new Map(off), ...hooks],
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
  };
}

export function gitFault(
  what: string,
  said: GitResult,
  fix = 'Fix what git reports, then contracts step',
): Fault {
  return new Fault('git', `${what}: ${gitWords(said)}`, { fix });
}

/** On one line, without git's advice and terminal codes. */
export function gitWords({ err, out, code }: GitResult): string {
  const lines = (err.trim() || out.trim() || `exit ${code ?? 'by a signal'}`)
    .split('\n')
    .filter((line) => !line.startsWith('hint:'))
    .map((line) => line.replace(/^(?:fatal|error): /, '').trim());
  return escapeText(lines.join(' ').replace(/[ \t\r]+/g, ' ')).slice(0, ERROR_CHARACTERS);
}

/** `admin`: its own index, HEAD and locks. */
export interface Linked {
  readonly folder: string;
  readonly admin: string;
}

export function linkedWorktrees(ws: Workspace, common_dir: string): readonly Linked[] {
  const all = join(common_dir, 'worktrees');
  if (ws.disk.stat(all) === undefined) return [];
  return ws.disk.list(all).flatMap(({ name, kind }) => {
    const file = join(all, name, 'gitdir');
    if (kind !== 'folder' || ws.disk.stat(file)?.kind !== 'file') return [];
    const named = Buffer.from(ws.disk.read(file, 4096)).toString('utf8').trim();
    return { folder: dirname(named), admin: join(all, name) };
  });
}
