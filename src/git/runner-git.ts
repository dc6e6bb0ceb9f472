/** Git as the runner calls it: in a named place, and nothing that a configuration names runs. */
import { closeSync, openSync } from 'node:fs';
import type { Environment } from '../process/adapter.ts';
import { spawnSync } from '../process/child-process.ts';
import { programsBeyond, type Programs } from '../process/program.ts';

/** An agent may have changed what git would find them by. */
export interface GitPlace {
  /** For a linked worktree its folder below `worktrees/`; else `common_dir`. */
  readonly git_dir: string;
  readonly common_dir: string;
  readonly work_tree: string;
}

export interface GitCall {
  /** Another index, absolute. */
  readonly index?: string;
  readonly input?: string;
  /** Its stdin from a file, of any length. */
  readonly input_file?: string;
  readonly config?: readonly (readonly [string, string])[];
  /** KiB of address space that it may use. */
  readonly memory_kb?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Reads the person's own configuration, too: only to look values up. */
  readonly global?: boolean;
}

export interface GitResult {
  /** null when it could not be started, was killed or timed out. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type RunGit = (place: GitPlace, args: readonly string[], call?: GitCall) => GitResult;

const TIMEOUT_MS = 10 * 60_000;
const BYTES_MAX = 256 * 1024 * 1024;

/** All of git 2.55. A hook of another event is switched off by its own name. */
const EVENTS = (
  'applypatch-msg commit-msg fsmonitor-watchman p4-changelist p4-post-changelist p4-pre-submit ' +
  'p4-prepare-changelist post-applypatch post-checkout post-commit post-index-change post-merge ' +
  'post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit ' +
  'pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout ' +
  'reference-transaction sendemail-validate update'
).split(' ');

/**
 * Since 2.54 the configuration has hooks too; one that uses an event as its name undoes the line
 * for that event, so each configured name is switched off as well (`hooksOff`).
 */
export const OFF = [
  'core.hooksPath=/dev/null',
  ...EVENTS.map((event) => `hook.${event}.enabled=false`),
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.pager=cat',
  'core.editor=true',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'protocol.allow=never',
  'rerere.enabled=false',
  'advice.detachedHead=false',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'gpg.program=false',
];

/** Objects are durable before refs. git before 2.36 knows only the second key; later ones warn. */
const DURABLE = ['core.fsync=all', 'core.fsyncObjectFiles=true'];
const ABOUT_DURABLE = /^warning: core\.fsyncObjectFiles is deprecated.*\n/gm;

/** For all configured keys: the keys that switch off their hooks. */
export function hooksOff(keys: readonly string[]): readonly string[] {
  const names = keys.flatMap((key) => /^hook\.(.*)\.[^.]+$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)].map((name) => `hook.${name}.enabled`);
}

/** Started where git is not installed, so that the system's own words report it. */
export const NO_GIT = '/nonexistent/git';

/** `programs`: where git is looked for; anywhere on the PATH without one. */
export function ownGit(
  ambient: Environment,
  programs: Programs = programsBeyond(() => [], ambient['PATH']),
): RunGit {
  return (place, args, call = {}) => {
    const config = [...OFF, ...DURABLE].flatMap((one) => ['-c', one]);
    const { input_file } = call;
    const from = input_file === undefined ? undefined : openSync(input_file, 'r');
    const own = [programs.find('git') ?? NO_GIT, '--no-pager', ...config, ...args];
    const [program = '', ...words] =
      call.memory_kb === undefined ? own : limited(own, call.memory_kb);
    const ended = spawnSync(program, words, {
      cwd: place.work_tree,
      env: {
        ...environment(ambient, place, call),
        PATH: programs.path,
        ...configured(call.config),
        ...call.env,
      },
      ...(from === undefined ? { input: call.input ?? '' } : {}),
      stdio: [from ?? 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      maxBuffer: BYTES_MAX,
    });
    if (from !== undefined) closeSync(from);
    const why = ended.error?.message ?? '';
    const err = (ended.stderr ?? '').replace(ABOUT_DURABLE, '');
    return { code: ended.status, out: ended.stdout ?? '', err: `${err}${why}` };
  };
}

const limited = (argv: readonly string[], memory_kb: number): readonly string[] => [
  '/bin/sh',
  '-c',
  `ulimit -v ${memory_kb}; exec "$@"`,
  'sh',
  ...argv,
];

/** By variables: a name may hold any character, and `-c` would end it at the first `=`. Behind `count` that are set. */
export function configured(pairs: GitCall['config'] = [], count = 0): Record<string, string> {
  const named = pairs.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${count + i}`, key] as const,
    [`GIT_CONFIG_VALUE_${count + i}`, value] as const,
  ]);
  return { ...Object.fromEntries(named), GIT_CONFIG_COUNT: String(count + pairs.length) };
}

/** Asks nobody, fetches nothing, and takes each path as it is written. */
export const ALONE = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

function environment(ambient: Environment, place: GitPlace, call: GitCall): Environment {
  const { HOME, XDG_CONFIG_HOME, TMPDIR } = ambient;
  return {
    HOME,
    XDG_CONFIG_HOME,
    TMPDIR,
    ...(call.global === true ? {} : { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }),
    GIT_DIR: place.git_dir,
    GIT_WORK_TREE: place.work_tree,
    ...(place.git_dir === place.common_dir ? {} : { GIT_COMMON_DIR: place.common_dir }),
    ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    ...ALONE,
  };
}
