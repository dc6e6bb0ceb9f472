/**
 * Git in one place, with harmless data of the person's configuration. Every configured filter,
 * merge driver and hook is switched off by name.
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
  out(args: readonly string[], call?: GitCall): string;
  /** The parts of its output, which NUL separates (`-z`). */
  list(args: readonly string[], call?: GitCall): readonly string[];
  treeOf(commit: string): string;
  /** HEAD at that commit, on no branch. */
  detach(commit: string): void;
  /** undefined when there is none of that name. */
  commitOf(name: string): string | undefined;
  /** True if the first is an ancestor of the second. */
  holds(commit: string, inside: string): boolean;
}

/** Data in a configuration that changes what is committed, and runs nothing. */
const ASKED =
  '^(user\\.(name|email)|core\\.(excludesfile|autocrlf|eol|safecrlf)|filter\\..*|merge\\..*|hook\\..*)$';
const NOBODY = { name: 'contracts', email: 'contracts@localhost' };
const ERROR_CHARACTERS = 500;

/** Commands that read or write files, merge, or move a ref: filters and hooks could run. */
const RUNNING = new Set(
  (
    'add checkout merge merge-tree read-tree reset status update-index update-ref worktree ' +
    'write-tree'
  ).split(' '),
);

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
  const out = (args: readonly string[], call?: GitCall): string => {
    const result = run(args, call);
    if (result.code === 0) return result.out.replace(/\n$/, '');
    throw gitFault(`git ${args[0] ?? ''} failed`, result);
  };
  return {
    place,
    run,
    out,
    list: (args, call) => parts(out(args, call)),
    treeOf: (commit) => out(['rev-parse', `${commit}^{tree}`]),
    detach: (commit) => void out(['update-ref', '--no-deref', 'HEAD', commit]),
    commitOf: (name) => {
      const how = ['--verify', '--quiet', '--end-of-options'];
      const { code, out } = run(['rev-parse', ...how, `${name}^{commit}`]);
      return code === 0 ? out.trim() : undefined;
    },
    holds: (commit, inside) => run(['merge-base', '--is-ancestor', commit, inside]).code === 0,
  };
}

/** Parts of output that NUL, or another end, separates. */
export function parts(output: string, end = '\0'): readonly string[] {
  return output.split(end).filter((part) => part !== '');
}

export function mainPlace({ top, git_dir, common_dir }: Repository): GitPlace {
  return { git_dir, common_dir, work_tree: top };
}

interface OwnWords {
  readonly config: NonNullable<GitCall['config']>;
  readonly env: Readonly<Record<string, string>>;
}

function ownWords(ws: Workspace, place: GitPlace): OwnWords {
  const { out } = ws.git(place, ['config', '--null', '--get-regexp', ASKED], { global: true });
  const pairs = parts(out).map((one): [string, string] => {
    const [key = '', ...value] = one.split('\n');
    return [key, value.join('\n')];
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
  const data = [...known].filter(([key]) => key.startsWith('core.'));
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
  result: GitResult,
  fix = 'Fix what git reports, then contracts step',
): Fault {
  return new Fault('git', `${what}: ${gitWords(result)}`, { fix });
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
