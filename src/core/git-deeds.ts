/**
 * What a command line of git, gh or glab does, as operations: the words behind the program's name go
 * in. Looking is no operation. A word of git that is not known here (an alias perhaps) is told as
 * such and not guessed. Pure.
 */
import type { GitOperation } from './authority.ts';
import { operands, valuesOf } from './file-deeds.ts';
import { word, type Word } from './shell-word.ts';

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
    'describe shortlog name-rev merge-base merge-tree for-each-ref show-ref show-branch var ' +
    'version help check-ignore check-attr check-mailmap count-objects fsck diff-tree diff-index ' +
    'diff-files range-diff whatchanged request-pull cherry hash-object verify-commit verify-tag ' +
    'verify-pack get-tar-commit-id column stripspace patch-id'
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
  push: ['push'],
  'send-pack': ['push'],
  'http-push': ['push'],
  merge: ['merge'],
  rebase: ['rebase'],
  'filter-branch': ['rebase'],
  'filter-repo': ['rebase'],
  'update-ref': ['branch'],
  'fast-import': ['branch'],
  init: ['config'],
  gc: ['config'],
  prune: ['config'],
  repack: ['config'],
  maintenance: ['config'],
  mktree: [],
  'write-tree': [],
};

/** Subcommand -> what of it only looks, as the word behind it, and what the rest is. */
const SOME: Readonly<Record<string, readonly [RegExp, GitOperation]>> = {
  notes: [/^(list|show|)$/, 'commit'],
  replace: [/^(-l|--list.*|)$/, 'branch'],
  bisect: [/^(log|view|visualize|)$/, 'branch'],
  submodule: [/^(status|summary|)$/, 'config'],
  'sparse-checkout': [/^list$/, 'config'],
  stash: [/^(list|show)$/, 'stash'],
  reflog: [/^(?!expire$|delete$)/, 'config'],
  remote: [/^(|-v|--verbose|show|get-url)$/, 'config'],
};

/** Options of git itself that take the next word. */
const WITH_VALUE = new Set(
  '-C -c --git-dir --work-tree --namespace --config-env --exec-path --super-prefix'.split(' '),
);
/** Settings that only say how something looks. */
const HARMLESS =
  /^core\.(quotepath|autocrlf|eol|filemode|abbrev|commentchar|whitespace|safecrlf|(pager|editor)=(cat|true|:|)$)|^diff\.(renames|algorithm|noprefix|context|mnemonicprefix|colormoved)\b/i;
/** Settings that name a program, or where something is read from. */
const STARTS =
  /^(alias|core|include|includeif|credential|filter|diff|url|remote|protocol|trailer|gpg|sequence|pager|interactive|hook|uploadpack|difftool|mergetool|man|web|browser|sendemail)\b|\.(cmd|command|program|textconv|helper|driver|process|clean|smudge)\b/i;
/** Options behind a subcommand that name a program. */
const STARTING: Readonly<Record<string, RegExp>> = {
  fetch: /^--uplo/,
  pull: /^--uplo/,
  'ls-remote': /^--(uplo|exe)/,
  clone: /^(--(uplo|conf|templ|shared-nothing)|-[a-zA-Z]*[uc])/,
  archive: /^--(exe|remote)/,
  push: /^--(exe|receive-p)/,
  grep: /^(-O|--open)/,
};

/** `words` behind `git`; `isThere`: a file or folder stands at that path. */
export function gitDeeds(
  words: readonly string[],
  isThere: (path: string) => boolean = () => false,
): GitDeeds {
  let folder: string | undefined;
  let at = 0;
  const own: GitOperation[] = [];
  for (; at < words.length && words[at]?.startsWith('-') === true; at++) {
    const word = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (word === '-C') folder = folder === undefined ? value : `${folder}/${value}`;
    // An alias could be anything, and so could a hook or a pager, or the settings elsewhere.
    const set = word === '-c' ? value : /^-c./.test(word) ? word.slice(2) : '';
    if (STARTS.test(set) && !HARMLESS.test(set)) own.push('config');
    const [, name = '', place = value] = /^(--[a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (/^--(git-dir|work-tree)$/.test(name) && !/^(\.\/)?(\.git)?\/?$|^\.$/.test(place)) {
      own.push('config');
    }
    if (/^--(exec-path=|config-env)/.test(word)) own.push('config');
    if (WITH_VALUE.has(word)) at++;
  }
  const [sub, ...rest] = words.slice(at);
  const made = sub === undefined ? { operations: [] } : subcommand(sub, rest, isThere);
  const starting = Object.hasOwn(STARTING, sub ?? '') ? STARTING[sub ?? ''] : undefined;
  if (rest.some((word) => starting?.test(word) === true || word.startsWith('ext::'))) {
    own.push('config');
  }
  const output = sub === 'ls-files' ? [] : valuesOf(rest.map(word), '', '--output');
  return {
    ...made,
    written: [...(made.written ?? []), ...output.map(({ text }) => text)],
    operations: [...own, ...made.operations],
    ...(folder === undefined ? {} : { folder }),
  };
}

const only = (...operations: readonly GitOperation[]): GitDeeds => ({ operations });
const has = (words: readonly string[], ...flags: readonly string[]): boolean =>
  words.some((word) => flags.includes(word));
const plain = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith('-'));

function subcommand(
  sub: string,
  rest: readonly string[],
  isThere: (path: string) => boolean,
): GitDeeds {
  if (LOOKS.has(sub)) return only();
  if (Object.hasOwn(ALWAYS, sub)) return { operations: ALWAYS[sub] ?? [] };
  const some = Object.hasOwn(SOME, sub) ? SOME[sub] : undefined;
  if (some !== undefined) return only(...(some[0].test(rest[0] ?? '') ? [] : [some[1]]));
  const names = plain(rest);
  switch (sub) {
    case 'pull':
      return only(has(rest, '-r', '--rebase') ? 'rebase' : 'merge');
    case 'branch':
      return only(...(changesBranches(rest) ? (['branch'] as const) : []));
    case 'symbolic-ref':
      return only(
        ...(names.length > 1 || has(rest, '-d', '--delete') ? (['branch'] as const) : []),
      );
    case 'tag':
      return only(...(isListed(rest) ? [] : (['tag'] as const)));
    case 'config':
      return only(...(isLook(rest) ? [] : (['config'] as const)));
    case 'fetch': {
      // What comes goes to refs/remotes, where the words do not send it elsewhere.
      const moved = names.slice(1).some((one) => /:(?!refs\/remotes\/)./.test(one));
      return only(...(moved && !has(rest, '--dry-run') ? (['branch'] as const) : []));
    }
    case 'checkout':
      return checkout(rest, isThere);
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
    case 'clone': {
      const [from = '', to] = texts(operands(rest.map(word), CLONE_TAKES));
      const name =
        from
          .replace(/\/+$/, '')
          .replace(/\.git$/, '')
          .split(/[/:]/)
          .at(-1) ?? '';
      return { ...only(), written: [`${to ?? name}/.git`] };
    }
    case 'merge-file':
      return { ...only(), written: has(rest, '-p', '--stdout') ? [] : plain(rest).slice(0, 1) };
    case 'interpret-trailers':
      return { ...only(), written: has(rest, '--in-place') ? plain(rest) : [] };
    case 'archive':
      return { ...only(), written: texts(valuesOf(rest.map(word), 'o')) };
    case 'bundle':
      return { ...only(), written: rest[0] === 'create' ? plain(rest).slice(1, 2) : [] };
    case 'format-patch': {
      const [folder = '.'] = texts(valuesOf(rest.map(word), 'o', '--output-directory'));
      return { ...only(), written: has(rest, '--stdout') ? [] : [`${folder}/*`] };
    }
    case 'worktree':
      return worktree(rest);
    default:
      return rewriting(sub, rest) ?? { ...only(), unknown: sub };
  }
}

const CLONE_TAKES = /^(-[bojucC]|--(branch|origin|depth|jobs|reference|config|template|filter))$/;
const texts = (words: readonly Word[]): string[] => words.map(({ text }) => text);

/** Of a branch, or of files as they were: two words are files of a commit. */
function checkout(rest: readonly string[], isThere: (path: string) => boolean): GitDeeds {
  const end = rest.indexOf('--');
  if (end !== -1) return { ...only(), written: rest.slice(end + 1) };
  const makes = rest.some((one) => /^(-[bBtd]|--(orphan|track|detach))/.test(one));
  const names = plain(rest);
  const written = makes
    ? []
    : names.filter((one, i) => i > 0 || /^\.\.?(\/|$)/.test(one) || isThere(one));
  if (written.length > 0) return { ...only(), written };
  const forced = has(rest, '-f', '--force') ? { whole: 'git checkout --force' } : {};
  return { ...only('branch'), ...forced };
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
  if (rest.some((one) => /^-[a-z]*[dDmMcCfu]|^--(edit|del|move|copy|set|unset|force)/.test(one)))
    return true;
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

/** Packages and images that go to where others get them. */
export function published(program: string, words: readonly string[]): boolean {
  if (!/^(npm|pnpm|yarn|cargo|gem|twine|docker|podman|poetry|vsce|helm)$/.test(program))
    return false;
  const [first = '', second = ''] = plain(words);
  const what = program === 'yarn' && first === 'npm' ? second : first;
  return /^(publish|push|upload)$/.test(what) && !has(words, '--dry-run');
}
