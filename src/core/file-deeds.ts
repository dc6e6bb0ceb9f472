/**
 * What the usual programs openly do to files, by their words: which they write, let grow, remove, and
 * which folders they make. A program that is not known here does nothing. Pure; it never fails.
 */
import type { ChangeKind } from './authority.ts';
import type { Word } from './shell-word.ts';

/** In the order in which the program does it; no file changes when a folder is made. */
export interface FileDeed {
  /** `whole`: any file below, the word is what does it. */
  readonly change: ChangeKind | 'folder' | 'whole';
  readonly word: Word;
}

/** `rest` is what stands behind the name of the program, options too. */
export function fileDeeds(name: string, rest: readonly Word[]): readonly FileDeed[] {
  const given = rest.filter(({ text }) => !text.startsWith('-') || text === '-');
  const has = (flag: RegExp): boolean => rest.some(({ text }) => flag.test(text));
  switch (name) {
    case 'rm':
    case 'unlink':
    case 'shred':
    case 'rmdir':
      return all('delete', given);
    case 'touch':
      return all('append', given);
    case 'tee':
      return all(has(/^(-[a-z]*a|--append)/) ? 'append' : 'write', given);
    case 'truncate':
    case 'chmod':
    case 'chown':
      return all('write', valuesOf(name, rest, given));
    case 'mv': {
      const gone = targetOf(rest) === undefined ? given.slice(0, -1) : given;
      return [...all('delete', gone), ...into(rest, given)];
    }
    case 'cp':
    case 'install':
    case 'ln':
    case 'rsync':
      return into(rest, given);
    case 'sed':
    case 'perl':
    case 'ruby':
      return has(/^(-[a-zA-Z]*i|--in-place)/) ? all('write', scriptless(rest, given)) : [];
    case 'dd': {
      const out = rest.filter(({ text }) => text.startsWith('of='));
      return all(
        'write',
        out.map((word) => ({ ...word, text: word.text.slice(3) })),
      );
    }
    case 'curl':
    case 'sort':
      return all('write', valueAfter(rest, /^(-o|--output)$/));
    case 'wget':
      return all('write', valueAfter(rest, /^(-O|--output-document)$/));
    case 'patch':
      return patched(rest);
    case 'mkdir':
      return all('folder', given);
    default:
      return [];
  }
}

const PATCH_TAKES = /^(-[iprdoDBFYzV]|--(input|strip|directory|output|reject-file|fuzz))$/;

/** What a patch names is not known here; the file that is named beside it is. */
function patched(rest: readonly Word[]): readonly FileDeed[] {
  if (rest.some(({ text }) => text === '--dry-run' || text === '-C')) return [];
  const out = valueAfter(rest, /^(-o|--output)$/);
  if (out.length > 0) return all('write', out);
  const given = rest.filter(
    ({ text }, i) => !text.startsWith('-') && !PATCH_TAKES.test(rest[i - 1]?.text ?? ''),
  );
  const away = rest.some(({ text }) => /^(-d|--directory)/.test(text));
  return given.length > 0 && !away
    ? all('write', given.slice(0, 1))
    : [{ change: 'whole', word: { text: 'patch', known: true } }];
}

function all(change: FileDeed['change'], words: readonly Word[]): readonly FileDeed[] {
  return words.map((word) => ({ change, word }));
}

/** The folder of `-t`. */
function targetOf(rest: readonly Word[]): Word | undefined {
  return valueAfter(rest, /^(-t|--target-directory)$/)[0];
}

/** Into a folder the files keep their names. */
function into(rest: readonly Word[], given: readonly Word[]): readonly FileDeed[] {
  const last = given.slice(-1);
  const target = targetOf(rest);
  const folder =
    target ?? (given.length > 2 || last[0]?.text.endsWith('/') === true ? last[0] : undefined);
  if (folder === undefined) return given.length < 2 ? [] : all('write', last);
  const sources = target === undefined ? given.slice(0, -1) : given.filter((one) => one !== target);
  const made = sources.map(({ text, known }) => {
    const name = text.replace(/\/+$/, '').split('/').at(-1) ?? '';
    const path = `${folder.text.replace(/\/+$/, '')}/${name}`;
    return { text: path, known: known && folder.known };
  });
  return all('write', made);
}

/** Behind the mode of chmod, the owner of chown, the size of truncate. */
function valuesOf(name: string, rest: readonly Word[], given: readonly Word[]): readonly Word[] {
  if (name !== 'truncate') return given.slice(1);
  const size = valueAfter(rest, /^(-s|--size|-r|--reference)$/);
  return given.filter((one) => !size.includes(one));
}

function valueAfter(rest: readonly Word[], flag: RegExp): readonly Word[] {
  return rest.filter((_, i) => flag.test(rest[i - 1]?.text ?? ''));
}

/** Without the script, which is the first word where no option gives one. */
function scriptless(rest: readonly Word[], given: readonly Word[]): readonly Word[] {
  const scripts = valueAfter(rest, /^(-[a-zA-Z]*e|-f|--expression|--file)$/);
  return scripts.length > 0 ? given.filter((one) => !scripts.includes(one)) : given.slice(1);
}
