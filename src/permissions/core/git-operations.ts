/** What a command line of git, gh or glab does. An unknown git command is never guessed. */
import { GIT_OPERATIONS, type GitOperation } from '../../task/core/model/permissions.ts';
import { operands, valuesOf } from './file-effects.ts';
import { word, type Word } from './shell-word.ts';

export interface GitEffects {
  readonly operations: readonly GitOperation[];
  /** A subcommand that is not in the tables. */
  readonly unknown?: string;
  /** Files of the working tree that it restores or removes, as written. */
  readonly written?: readonly string[];
  readonly removed?: readonly string[];
  /** The command, where it rewrites files that it does not name. */
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

/** Subcommands by operation. */
const DOES: Readonly<Record<GitOperation, string>> = {
  add: 'add stage update-index rm mv read-tree',
  commit: 'commit commit-tree cherry-pick revert am notes',
  push: 'push send-pack http-push',
  pull_request: '',
  tag: 'tag',
  merge: 'merge',
  rebase: 'rebase filter-branch filter-repo',
  branch:
    'update-ref fast-import replace bisect branch symbolic-ref fetch checkout switch worktree',
  stash: 'stash',
  config: 'init gc prune repack maintenance submodule sparse-checkout reflog remote config',
};

/** When such a subcommand only reads: tested against its words, each with a blank behind it. */
const ONLY_LOOKS: Readonly<Record<string, RegExp>> = {
  notes: /^(list |show |$)/,
  replace: /^(-l |--list|$)/,
  bisect: /^(log |view |visualize |$)/,
  submodule: /^(status |summary |$)/,
  'sparse-checkout': /^list /,
  stash: /^(list|show) /,
  reflog: /^(?!expire |delete |drop )/,
  remote: /^(-v $|--verbose $|show |get-url |$)/,
  tag: /^((-l|--list|-n\d*|--contains|--no-contains|--points-at|--merged|--sort=\S*) |$)/,
  config: /^(--(local|global|system) )*(-l |--list |--get\S* |list |get |[^-\s]\S* $)/,
  branch:
    /^(?!(.* )?(-[a-z]*[dDmMcCfu]|--(edit|del|move|copy|set|unset|force)))((-\S+ )*$|(.* )?(-[alr]|--(list|all|remotes|(no-)?(contains|merged)|points-at)) )/,
  'symbolic-ref': /^((-q|--quiet|--short) )*[^-\s]\S* $/,
  fetch: /^(-\S+ )*(\S+ )?([^:\s]+(:refs\/remotes\/\S+)? )*$/,
  worktree: /^list /,
};

/** Subcommands that rewrite files they do not name. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  reset: /^(?!((--soft|--mixed|-q|--quiet|--|[^-\s]\S*) )*$)/,
  switch: /(^| )(-f|--force|--discard-changes) /,
  checkout: /(^| )(-f|--force) /,
  restore: /(^| )(-W|--worktree) /,
  'read-tree': /(^| )-u /,
  'checkout-index': /^/,
  'format-patch': /^(?!.*--stdout )/,
  apply: /^(?!.*--(cached|check|stat|numstat|summary) )|--apply /,
};

/** Options of git itself that change nothing about what it does. */
const OWN =
  /^(-[pPvh]|--(no-pager|paginate|version|help|no-optional-locks|literal-pathspecs|git-dir=(\.\/)?\.git|work-tree=\.))$/;
/** Any other setting may name a program, or a place to read from. */
const HARMLESS =
  /^(core\.(quotepath|autocrlf|eol|filemode|abbrev|commentchar|whitespace|safecrlf|(pager|editor)=(cat|true|:|)$)|diff\.(renames|algorithm|noprefix|context|mnemonicprefix|colormoved)\b|(user|color|advice|init\.defaultbranch|commit\.gpgsign|gc\.auto|log|status|merge\.conflictstyle|push\.default|pull\.rebase)\b)/i;
const STARTING =
  /^(\S+ (--(uplo|exe|receive-p|templ|open-)|ext::)|grep -O|clone (--conf|-[a-zA-Z]*[uc])|archive --remote)/;

/** `words` behind `git`; `isThere`: a file or folder is at that path. */
export function gitEffects(
  words: readonly string[],
  isThere: (path: string) => boolean = () => false,
): GitEffects {
  let folder: string | undefined;
  let at = 0;
  const own: GitOperation[] = [];
  for (; words[at]?.startsWith('-') === true; at++) {
    const [option = '', value = ''] = words.slice(at);
    if (option === '-C') folder = folder === undefined ? value : `${folder}/${value}`;
    // An alias could be anything, and so could a hook, a pager or settings elsewhere.
    else if (option === '-c' ? !HARMLESS.test(value) : !OWN.test(option)) own.push('config');
    if (/^-[cC]$/.test(option)) at++;
  }
  const [sub = 'help', ...rest] = words.slice(at);
  if (rest.some((one) => STARTING.test(`${sub} ${one}`))) own.push('config');
  const made = subcommand(sub, rest, isThere);
  const output = sub === 'ls-files' ? [] : valuesOf(rest.map(word), '', '--output');
  return {
    ...made,
    written: [...(made.written ?? []), ...texts(output)],
    operations: [...own, ...made.operations],
    ...(folder === undefined ? {} : { folder }),
  };
}

const of = <Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
const only = (...operations: readonly GitOperation[]): GitEffects => ({ operations });
const has = (words: readonly string[], ...flags: readonly string[]): boolean =>
  words.some((one) => flags.includes(one));
const plain = (words: readonly string[]): string[] => words.filter((one) => !one.startsWith('-'));
const texts = (words: readonly Word[]): string[] => words.map(({ text }) => text);

function subcommand(sub: string, rest: readonly string[], isThere: (path: string) => boolean) {
  const [looks, rewrites, files] = [of(ONLY_LOOKS, sub), of(WHOLE, sub), of(FILES, sub)];
  const line = rest.map((one) => `${one} `).join('');
  if (LOOKS.has(sub) || looks?.test(line) === true) return only();
  const [rewritten] = rewrites?.exec(line) ?? [];
  const operations = GIT_OPERATIONS.filter((one) => DOES[one].split(' ').includes(sub));
  if (operations.length === 0 && rewrites === undefined && files === undefined) {
    return { operations, unknown: sub };
  }
  return {
    operations,
    ...files?.(rest, isThere),
    ...(rewritten === undefined ? {} : { whole: `git ${sub} ${rewritten}`.trim() }),
  };
}

/** Files that it names, and operations that depend on its arguments. */
const FILES: Readonly<
  Record<
    string,
    (rest: readonly string[], isThere: (path: string) => boolean) => Partial<GitEffects>
  >
> = {
  rm: (rest) => (has(rest, '--cached') ? {} : { removed: plain(rest) }),
  mv: (rest) => ({ removed: plain(rest).slice(0, -1), written: plain(rest).slice(-1) }),
  clean: (rest) => {
    const names = plain(rest);
    return has(rest, '-n', '--dry-run') ? {} : { removed: names.length === 0 ? ['.'] : names };
  },
  restore: (rest) =>
    has(rest, '-S', '--staged') ? { operations: ['add'] } : { written: plain(rest) },
  reset: (rest) => only(rest.some((one) => /^--(?!mixed|quiet|$)/.test(one)) ? 'branch' : 'add'),
  apply: (rest) => only(...(has(rest, '--cached', '--index') ? (['add'] as const) : [])),
  pull: (rest) => only(has(rest, '-r', '--rebase') ? 'rebase' : 'merge'),
  clone: (rest) => {
    const [, to = '*'] = texts(operands(rest.map(word), CLONE_TAKES));
    return { written: [`${to}/.git`] };
  },
  archive: (rest) => ({ written: texts(valuesOf(rest.map(word), 'o')) }),
  worktree: ([how = '', ...rest]) => {
    const place = texts(operands(rest.map(word), /^(-b|-B|--reason|--expire)$/)).slice(0, 1);
    if (how === 'add') return { written: place };
    return how === 'remove' ? { removed: place } : { whole: `git worktree ${how}` };
  },
  /** A branch, or files of a commit: a second word is always a file. */
  checkout: (rest, isThere) => {
    const end = rest.indexOf('--');
    if (end !== -1) return { ...only(), written: rest.slice(end + 1) };
    if (rest.some((one) => /^(-[bBtd]|--(orphan|track|detach))/.test(one))) return {};
    const isFile = (one: string, i: number) => i > 0 || /^\.\.?(\/|$)/.test(one) || isThere(one);
    const written = plain(rest).filter(isFile);
    return written.length > 0 ? { ...only(), written } : {};
  },
};

const CLONE_TAKES = /^(-[bojucC]|--(branch|origin|depth|jobs|reference|config|template|filter))$/;

/** `words`: the arguments of gh, glab, hub or tea. Whatever is not read-only publishes. */
export function forgeEffects(words: readonly string[]): GitEffects {
  const [what = '', how = ''] = plain(words);
  const isSent = /^(-X|--method|-f|-F|--field|--raw-field|--input)/;
  const looks =
    /^(|view|list|ls|show|diff|checks|status|issues|search|download|watch|browse|help)$/;
  const isLook = what === 'api' ? !words.some((one) => isSent.test(one)) : looks.test(how || what);
  if (isLook || what === 'search') return only();
  const isRequest =
    /^(pr|mr|pulls?|pull-request)$/.test(what) || /\/(pulls|merge_requests)\b/.test(how);
  return only(isRequest ? 'pull_request' : 'push');
}

export function published(program: string, words: readonly string[]): boolean {
  if (!/^(npm|pnpm|yarn|cargo|gem|twine|docker|podman|poetry|vsce|helm)$/.test(program))
    return false;
  const [first = '', second = ''] = plain(words);
  const what = program === 'yarn' && first === 'npm' ? second : first;
  return /^(publish|push|upload)$/.test(what) && !has(words, '--dry-run');
}
