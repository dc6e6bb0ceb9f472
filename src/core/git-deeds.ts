/**
 * What a command line of git, gh or glab does, as operations: the words behind the program's name go
 * in. Looking is no operation. A word of git that is not known here (an alias perhaps) is told as
 * such and not guessed. Pure.
 */
import type { GitOperation } from './authority.ts';

export interface GitDeeds {
  readonly operations: readonly GitOperation[];
  /** A subcommand that nobody knows here. */
  readonly unknown?: string;
  /** Files of the working tree that it sets back or removes, as written. */
  readonly written?: readonly string[];
  readonly removed?: readonly string[];
  /** It rewrites files that it does not name: what does it. */
  readonly whole?: string;
  /** The folder of `-C`. */
  readonly folder?: string;
}

const LOOKS = new Set(
  (
    'status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list cat-file ' +
    'describe shortlog fetch name-rev merge-base merge-tree for-each-ref show-ref show-branch var ' +
    'version help check-ignore check-attr check-mailmap count-objects fsck diff-tree diff-index ' +
    'diff-files range-diff whatchanged archive bundle format-patch request-pull cherry hash-object ' +
    'verify-commit verify-tag get-tar-commit-id column stripspace patch-id interpret-trailers'
  ).split(' '),
);

const ALWAYS: Readonly<Record<string, readonly GitOperation[]>> = {
  add: ['add'],
  stage: ['add'],
  'update-index': ['add'],
  commit: ['commit'],
  'commit-tree': ['commit'],
  'cherry-pick': ['commit'],
  revert: ['commit'],
  am: ['commit'],
  notes: ['commit'],
  push: ['push'],
  'send-pack': ['push'],
  'http-push': ['push'],
  merge: ['merge'],
  'merge-file': [],
  rebase: ['rebase'],
  'filter-branch': ['rebase'],
  'filter-repo': ['rebase'],
  'update-ref': ['branch'],
  replace: ['branch'],
  bisect: ['branch'],
  'fast-import': ['branch'],
  init: ['config'],
  submodule: ['config'],
  gc: ['config'],
  prune: ['config'],
  repack: ['config'],
  maintenance: ['config'],
  'sparse-checkout': ['config'],
  clone: [],
  mktree: [],
  'write-tree': [],
};

/** Options of git itself that take the next word. */
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

/** `words` behind `git`. */
export function gitDeeds(words: readonly string[]): GitDeeds {
  let folder: string | undefined;
  let at = 0;
  const own: GitOperation[] = [];
  for (; at < words.length && words[at]?.startsWith('-') === true; at++) {
    const word = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (word === '-C') folder = value;
    // An alias could be anything, and so could a hook or a pager.
    const set = word === '-c' ? value : word.startsWith('-c') ? word.slice(2) : '';
    if (/^(alias|core|include|credential|filter|diff|url|remote)\b/i.test(set)) own.push('config');
    if (WITH_VALUE.has(word)) at++;
  }
  const [sub, ...rest] = words.slice(at);
  const made = sub === undefined ? { operations: [] } : subcommand(sub, rest);
  return {
    ...made,
    operations: [...own, ...made.operations],
    ...(folder === undefined ? {} : { folder }),
  };
}

const only = (...operations: readonly GitOperation[]): GitDeeds => ({ operations });
const has = (words: readonly string[], ...flags: readonly string[]): boolean =>
  words.some((word) => flags.includes(word));
const plain = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith('-'));

function subcommand(sub: string, rest: readonly string[]): GitDeeds {
  if (LOOKS.has(sub)) return only();
  if (Object.hasOwn(ALWAYS, sub)) return { operations: ALWAYS[sub] ?? [] };
  switch (sub) {
    case 'pull':
      return only(has(rest, '-r', '--rebase') ? 'rebase' : 'merge');
    case 'branch':
      return only(...(changesBranches(rest) ? (['branch'] as const) : []));
    case 'symbolic-ref':
      return only(...(plain(rest).length > 1 ? (['branch'] as const) : []));
    case 'tag':
      return only(...(isListed(rest) ? [] : (['tag'] as const)));
    case 'stash':
      return only(...(has(rest.slice(0, 1), 'list', 'show') ? [] : (['stash'] as const)));
    case 'reflog':
      return only(...(has(rest.slice(0, 1), 'expire', 'delete') ? (['config'] as const) : []));
    case 'config':
      return only(...(isLook(rest) ? [] : (['config'] as const)));
    case 'remote':
      return only(
        ...(/^(|-v|--verbose|show|get-url)$/.test(rest[0] ?? '') ? [] : (['config'] as const)),
      );
    default:
      return withFiles(sub, rest);
  }
}

function withFiles(sub: string, rest: readonly string[]): GitDeeds {
  switch (sub) {
    case 'rm':
      return { ...only('add'), ...(has(rest, '--cached') ? {} : { removed: plain(rest) }) };
    case 'mv': {
      const names = plain(rest);
      return { ...only('add'), removed: names.slice(0, -1), written: names.slice(-1) };
    }
    case 'clean':
      return { ...only(), ...(has(rest, '-n', '--dry-run') ? {} : { removed: cleaned(rest) }) };
    case 'restore': {
      const staged = has(rest, '-S', '--staged');
      const files = !staged || has(rest, '-W', '--worktree');
      return {
        ...only(...(staged ? (['add'] as const) : [])),
        ...(files ? { written: plain(rest) } : {}),
      };
    }
    case 'checkout': {
      const end = rest.indexOf('--');
      if (end !== -1) return { ...only(), written: rest.slice(end + 1) };
      const forced = has(rest, '-f', '--force') ? { whole: 'git checkout --force' } : {};
      // No branch begins with a dot.
      return {
        ...only('branch'),
        ...forced,
        written: rest.filter((one) => /^\.\.?(\/|$)/.test(one)),
      };
    }
    case 'worktree':
      return worktree(rest);
    default:
      return rewriting(sub, rest) ?? { ...only(), unknown: sub };
  }
}

/** What rewrites files that it does not name. */
function rewriting(sub: string, rest: readonly string[]): GitDeeds | undefined {
  const whole = (operation: readonly GitOperation[], what: string, is: boolean): GitDeeds => ({
    operations: operation,
    ...(is ? { whole: `git ${what}` } : {}),
  });
  switch (sub) {
    case 'reset': {
      const how = ['--hard', '--merge', '--keep'].find((one) => rest.includes(one));
      const moves = how !== undefined || rest.includes('--soft');
      return whole([moves ? 'branch' : 'add'], `reset ${how ?? ''}`, how !== undefined);
    }
    case 'switch':
      return whole(['branch'], 'switch --force', has(rest, '-f', '--force', '--discard-changes'));
    case 'read-tree':
      return whole(['add'], 'read-tree -u', has(rest, '-u'));
    case 'checkout-index':
      return whole([], sub, true);
    case 'apply': {
      const looks = has(rest, '--check', '--stat', '--numstat', '--summary');
      const cached = has(rest, '--cached');
      const index: readonly GitOperation[] = cached || has(rest, '--index') ? ['add'] : [];
      if (looks && !has(rest, '--apply')) return only();
      return whole(index, sub, !cached);
    }
    default:
      return undefined;
  }
}

/** The folder of a new worktree, and of one that goes or is moved. */
function worktree([how = '', ...rest]: readonly string[]): GitDeeds {
  if (how === 'list') return only();
  const takes = /^(-b|-B|--reason|--expire)$/;
  const names = rest.filter((word, i) => !word.startsWith('-') && !takes.test(rest[i - 1] ?? ''));
  const [first, second] = [names.slice(0, 1), names.slice(1, 2)];
  if (how === 'add') return { ...only('branch'), written: first };
  if (how === 'remove') return { ...only('branch'), removed: first };
  return how === 'move' ? { ...only('branch'), removed: first, written: second } : only('branch');
}

function cleaned(rest: readonly string[]): readonly string[] {
  const names = plain(rest);
  return names.length === 0 ? ['.'] : names;
}

function changesBranches(rest: readonly string[]): boolean {
  const looks = ['-l', '--list', '-a', '-r', '--all', '--remotes', '--contains', '--no-contains'];
  if (has(rest, '--show-current', '--merged', '--no-merged', '--points-at', ...looks)) return false;
  return plain(rest).length > 0;
}

function isListed(rest: readonly string[]): boolean {
  if (rest.length === 0) return true;
  return /^(-l|--list|-n\d*|--contains|--no-contains|--points-at|--merged|--sort=.*)$/.test(
    rest[0] ?? '',
  );
}

function isLook(rest: readonly string[]): boolean {
  if (
    has(rest, '-l', '--list', '--get', '--get-all', '--get-regexp', '--get-urlmatch', '--get-color')
  )
    return true;
  if (/^(list|get)$/.test(rest[0] ?? '')) return true;
  return (
    !has(rest, '--unset', '--unset-all', '--add', '-e', '--edit', '--replace-all') &&
    plain(rest).length === 1 &&
    !has(rest, '--remove-section')
  );
}

/** `words` behind gh, glab, hub or tea. */
export function forgeDeeds(program: string, words: readonly string[]): GitDeeds {
  const [what = '', how = ''] = plain(words);
  if (program === 'hub') return only(...hub(what));
  if (/^(pr|mr|pull|pulls|pull-request)$/.test(what)) {
    if (how === 'checkout') return only('branch');
    return /^(|view|list|ls|show|diff|checks|status|issues)$/.test(how)
      ? only()
      : only('pull_request');
  }
  if (what === 'release') return /^(|view|list|download)$/.test(how) ? only() : only('push', 'tag');
  if (what === 'repo' || what === 'project') {
    return /^(|view|list|clone|search)$/.test(how) ? only() : only('push');
  }
  if (what !== 'api') return only();
  const isSent = words.some((word) =>
    /^(-X|--method|-f|-F|--field|--raw-field|--input)/.test(word),
  );
  const isGet = /(^|\s)(-X|--method)[ =]?GET(\s|$)/i.test(words.join(' '));
  const isGraph = how === 'graphql' && /\bmutation\b/.test(words.join(' '));
  if (how === 'graphql') return isGraph ? only('pull_request', 'push') : only();
  return isSent && !isGet
    ? only(/\b(pulls|merge_requests)\b/.test(how) ? 'pull_request' : 'push')
    : only();
}

function hub(what: string): readonly GitOperation[] {
  const done = gitDeeds([what]).operations;
  return what === 'pull-request' ? ['pull_request'] : done;
}
