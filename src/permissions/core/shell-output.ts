/** What a program prints, as far as its arguments show; `*` stands for anything without `..`. */
import { operands } from './file-effects.ts';
import type { Word } from './shell-word.ts';

export interface Around {
  /** undefined where it is not known. */
  readonly cwd: string | undefined;
  readonly root: string;
  readonly temporary: string;
  /** Its stdin; undefined where it is not known. */
  readonly input: string | undefined;
}

/** Programs that print numbers, dates, hashes, or nothing. */
const PLAIN =
  /^(seq|date|wc|nproc|whoami|hostname|uname|id|uuidgen|expr|md5sum|sha256sum|getconf|arch)$/;
const SILENT =
  /^(cd|true|:|mkdir|rm|touch|set|export|local|unset|shopt|test|\[|exit|return|sleep)$/;
/** Programs that print part of what they read. */
const FILTERS = /^(grep|egrep|fgrep|rg|sort|uniq|head|tail|tac|tr|shuf|cat|tee|nl)$/;
const LISTS = /^(-[a-zA-Z]*[lL]|--files|--name-only)/;

/** undefined where it is not known. */
export function printed(name: string, rest: readonly Word[], around: Around): string | undefined {
  const texts = operands(rest, /^(-[efmABCgtndk]|--(glob|type|include|exclude))$/).map(textOf);
  const all = rest.map(textOf);
  const has = (flag: RegExp): boolean => all.some((text) => flag.test(text));
  const isGrep = /^([ef]?grep|rg)$/.test(name);
  if (PLAIN.test(name)) return has(/\.\./) ? undefined : '*';
  if (SILENT.test(name)) return '';
  if (FILTERS.test(name) && around.input !== undefined) {
    const isPassed = isGrep
      ? texts.length < 2 && !has(/^-[a-zA-Z]*[cno]/)
      : texts.length === 0 || /^(head|tail|tr)$/.test(name);
    if (isPassed) return around.input;
  }
  if (!rest.every((one) => one.known)) return undefined;
  const [first = '', ...more] = texts;
  if (isGrep) return has(LISTS) ? below(texts.slice(has(/^(-e|--files$)/) ? 0 : 1)) : undefined;
  switch (name) {
    case 'echo':
      return all.filter((text, i) => i > 0 || !/^-[neE]+$/.test(text)).join(' ');
    case 'printf':
      return formatted(all);
    case 'pwd':
      return around.cwd;
    case 'dirname':
      return first.includes('/') ? first.replace(/\/+[^/]*\/*$/, '') || '/' : '.';
    case 'basename': {
      const base = first.replace(/\/+$/, '').split('/').at(-1) ?? '';
      const [end = ''] = more;
      return base.endsWith(end) ? base.slice(0, base.length - end.length) : base;
    }
    case 'mktemp':
      if (more.length > 0 || has(/^-\w*[pt]|^--[^d]/)) return undefined;
      return first === '' ? `${around.temporary}/*` : first.replaceAll(/X{3,}/g, '*');
    case 'find':
      return below(roots(rest));
    case 'ls':
      return has(/\*/) ? texts.join('\n') : '*';
    case 'git':
      if (first === 'rev-parse' && has(/^--show-toplevel$/)) return around.root;
      if (first === 'ls-files') return below(more);
      if (/^(diff|diff-tree|show)$/.test(first)) return has(/^--name-only$/) ? './*' : undefined;
      if (first === 'grep') return has(LISTS) ? './*' : undefined;
      return /^(rev-parse|branch|describe|merge-base)$/.test(first) && !has(/^--(git|show-[^c])/)
        ? '*'
        : undefined;
    default:
      return undefined;
  }
}

const textOf = ({ text }: Word): string => text;

/** The folders that find searches. */
export function roots(rest: readonly Word[]): readonly string[] {
  const own = rest.map(textOf).filter((text) => !/^-[HLPOD]/.test(text));
  const end = own.findIndex((text) => /^[-(!]/.test(text));
  const found = end === -1 ? own : own.slice(0, end);
  return found.length === 0 ? ['.'] : found;
}

function below(folders: readonly string[]): string {
  const all = folders.length === 0 ? ['.'] : folders;
  return all
    .map((folder) => (folder.includes('*') ? folder : `${folder.replace(/(.)\/+$/, '$1')}/*`))
    .join('\n');
}

function formatted([format = '', ...more]: readonly string[]): string | undefined {
  if (/^(%s(\s|\\n|\\0)*)+$/.test(format)) return more.join('\n');
  return /[\\%]/.test(format.replaceAll('\\n', '')) ? undefined : format.replaceAll('\\n', '\n');
}
