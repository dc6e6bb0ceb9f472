/**
 * What a program prints, where its words tell: names of files that it lists, as a path with `*`, a
 * name, a path that it works out. So a target that comes out of `$(…)`, a pipe or xargs is known.
 * `*` stands for whatever has no `..` in it. Pure.
 */
import { operands, valuesOf } from './file-deeds.ts';
import { resolvePath } from './paths.ts';
import type { Word } from './shell-word.ts';

export interface Around {
  /** undefined where it is not known. */
  readonly cwd: string | undefined;
  readonly root: string;
  /** The folder of temporary files. */
  readonly temporary: string;
  /** What comes on its stdin; undefined where it is not known. */
  readonly input: string | undefined;
}

/** They print numbers, dates, hashes, or nothing. */
const PLAIN = new Set(
  'seq date wc nproc whoami hostname uname id uuidgen expr md5sum sha256sum jot getconf arch'.split(
    ' ',
  ),
);
const SILENT = new Set(
  'cd true : mkdir rm touch set export local unset shopt test [ exit return sleep'.split(' '),
);
/** They give on some of what they read. */
const FILTERS = new Set(
  'grep egrep fgrep rg sort uniq head tail tac tr shuf cat tee nl'.split(' '),
);

/** undefined where it is not known. */
export function printed(name: string, rest: readonly Word[], around: Around): string | undefined {
  const given = operands(rest, /^(-[efmABCgtndk]|--(glob|type|include|exclude))$/);
  const texts = given.map(({ text }) => text);
  const has = (flag: RegExp): boolean => rest.some(({ text }) => flag.test(text));
  const known = rest.every((one) => one.known);
  if (PLAIN.has(name)) return has(/\.\./) ? undefined : '*';
  if (SILENT.has(name)) return '';
  if (FILTERS.has(name) && around.input !== undefined) {
    if (
      /grep|rg/.test(name)
        ? texts.length < 2 && !has(/^-[a-zA-Z]*[cno]/)
        : name === 'tr' || texts.length === 0 || /^(head|tail)$/.test(name)
    )
      return around.input;
  }
  if (!known) return undefined;
  const [first = '', second] = texts;
  switch (name) {
    case 'echo':
      return rest
        .map(({ text }) => text)
        .filter((text, i) => i > 0 || !/^-[neE]+$/.test(text))
        .join(' ');
    case 'printf':
      return formatted(rest.map(({ text }) => text));
    case 'pwd':
      return around.cwd;
    case 'which':
      return first;
    case 'dirname':
      return first.includes('/') ? first.replace(/\/+[^/]*\/*$/, '') || '/' : '.';
    case 'basename': {
      const base = first.replace(/\/+$/, '').split('/').at(-1) ?? '';
      return second !== undefined && base.endsWith(second) ? base.slice(0, -second.length) : base;
    }
    case 'realpath':
    case 'readlink':
      return around.cwd === undefined ? undefined : resolvePath(around.cwd, first);
    case 'mktemp':
      return temporary(rest, around.temporary);
    case 'find':
      return below(roots(rest));
    case 'fd':
    case 'fdfind':
      return below(texts.slice(1));
    case 'ls':
      return texts.some((text) => text.includes('*')) ? texts.join('\n') : '*';
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'rg':
    case 'ag':
      return has(/^(-[a-zA-Z]*[lL]|--files)/)
        ? below(texts.slice(has(/^(-e|--files$)/) ? 0 : 1))
        : undefined;
    case 'git':
      return ofGit(texts, rest, around);
    default:
      return undefined;
  }
}

/** The folders that find looks through. */
export function roots(rest: readonly Word[]): readonly string[] {
  const own = rest.filter(({ text }) => !/^-[HLPOD]/.test(text)).map(({ text }) => text);
  const end = own.findIndex((text) => /^[-(!]/.test(text));
  const found = end === -1 ? own : own.slice(0, end);
  return found.length === 0 ? ['.'] : found;
}

function below(folders: readonly string[]): string {
  const all = folders.length === 0 ? ['.'] : folders;
  return all
    .map((folder) => (/[*]/.test(folder) ? folder : `${folder.replace(/(.)\/+$/, '$1')}/*`))
    .join('\n');
}

function formatted([format = '', ...more]: readonly string[]): string | undefined {
  const text = format.replaceAll('\\n', '\n').replaceAll('\\0', '\n');
  if (!text.includes('%')) return text.includes('\\') ? undefined : text;
  return /^(%s\s*)+$/.test(text) ? more.join('\n') : undefined;
}

function temporary(rest: readonly Word[], folder: string): string {
  const [template = '*'] = operands(rest, /^(-p|--suffix)$/).map(({ text }) => text);
  const name = template.replaceAll(/X{3,}/g, '*');
  const at = valuesOf(rest, 'p', '--tmpdir').map(({ text }) => text)[0];
  const isPlain = template === '*' || rest.some(({ text }) => text === '-t');
  return at !== undefined ? `${at}/${name}` : isPlain ? `${folder}/${name}` : name;
}

function ofGit(
  [sub, ...texts]: readonly string[],
  rest: readonly Word[],
  around: Around,
): string | undefined {
  const has = (flag: RegExp): boolean => rest.some(({ text }) => flag.test(text));
  if (sub === 'rev-parse')
    return has(/^--show-toplevel$/) ? around.root : has(/^--(git|show)/) ? undefined : '*';
  if (sub === 'ls-files') return below(texts);
  if (sub === 'diff' || sub === 'diff-tree' || sub === 'show')
    return has(/^--name-only$/) ? './*' : undefined;
  if (sub === 'grep') return has(/^(-[a-zA-Z]*[lL]|--files|--name-only)/) ? './*' : undefined;
  return sub === 'branch' || sub === 'describe' || sub === 'merge-base' ? '*' : undefined;
}
