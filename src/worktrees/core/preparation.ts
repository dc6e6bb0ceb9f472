/** How a worktree is prepared, and where package managers keep what they fetched. */
import type { Contract } from '../../task/core/model/contract.ts';
import type { Config } from '../../task/core/model/policy.ts';

const PREPARATION = ['setup', 'copy', 'cleanup'] as const;

/** A contract leaves entries of the configuration out; `beyond` is one that the configuration lacks. */
export function preparationFor(contract: Contract | undefined, { worktree = {} }: Config) {
  const given = contract?.head.worktree ?? {};
  const [setup = [], copy = [], cleanup = []] = PREPARATION.map((name) =>
    (worktree[name] ?? []).filter((one) => given[name]?.includes(one) ?? true),
  );
  const beyond = PREPARATION.flatMap((name) =>
    (given[name] ?? []).filter((one) => worktree[name]?.includes(one) !== true),
  )[0];
  return { setup, copy, cleanup, beyond };
}

/** A variable, and the folders without it: below the home, or below `$XDG_CACHE_HOME`. */
const CACHES: readonly (readonly [variable: string, ...folders: string[]])[] = [
  ['npm_config_cache', '~/.npm'],
  ['npm_config_store_dir', '~/.local/share/pnpm/store'],
  ['YARN_CACHE_FOLDER', '~/.yarn/berry/cache', '$/yarn'],
  ['BUN_INSTALL_CACHE_DIR', '~/.bun/install/cache'],
  ['PIP_CACHE_DIR', '$/pip'],
  ['UV_CACHE_DIR', '$/uv'],
  ['CARGO_HOME', '~/.cargo/registry', '~/.cargo/git'],
  ['GOMODCACHE', '~/go/pkg/mod'],
  ['GOCACHE', '$/go-build'],
  ['COMPOSER_CACHE_DIR', '$/composer'],
];

/** Variables that a package manager inherits: its cache, and the way to the network. */
export const FETCH_VARIABLES: readonly string[] = [
  ...CACHES.map(([variable]) => variable),
  ...'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy'.split(' '),
];

/** Folders that may not exist. */
export function cacheFolders(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { HOME = '', XDG_CACHE_HOME = `${HOME}/.cache` } = env;
  return CACHES.flatMap(([variable, ...usual]) => {
    const named = env[variable];
    // Beside them are its keys.
    if (named && variable === 'CARGO_HOME') return [`${named}/registry`, `${named}/git`];
    const all = usual.map((one) => one.replace('~', HOME).replace('$', XDG_CACHE_HOME));
    return named ? [named] : all;
  }).filter((folder) => folder.startsWith('/'));
}
