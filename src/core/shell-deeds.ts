/**
 * What a command line of the shell openly does to files and to git. Knows the usual programs and
 * what starts others (`sh -c`, env, xargs, find -exec); what a program does by itself is not seen,
 * nor a path that is only known when it runs. Pure; it never fails.
 */
import type { ChangeKind, GitOperation } from './authority.ts';
import { forgeDeeds, gitDeeds } from './git-deeds.ts';
import { shellCommands, type SimpleCommand, type Variables, type Word } from './shell-words.ts';

export type Deed =
  | {
      readonly kind: 'change';
      readonly change: ChangeKind;
      readonly path: string;
      readonly cwd: string;
    }
  /** A folder is made: no file changes by that. */
  | { readonly kind: 'folder'; readonly path: string; readonly cwd: string }
  | { readonly kind: 'git'; readonly operation: GitOperation }
  | { readonly kind: 'unknown_git'; readonly word: string };

export interface Standing {
  /** Absolute. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}

const DEPTH_MAX = 6;
const COMMANDS_MAX = 2000;

export function shellDeeds(command: string, standing: Standing, depth = 0): Deed[] {
  if (depth > DEPTH_MAX) return [];
  const deeds: Deed[] = [];
  const variables: Variables = new Map(Object.entries(standing.variables));
  let cwd: string | undefined = standing.cwd;
  for (const one of shellCommands(command, variables).slice(0, COMMANDS_MAX)) {
    const line = new Line(one, cwd, standing, depth);
    deeds.push(...line.deeds());
    cwd = line.cwd;
  }
  return deeds;
}

const BEFORE = new Set(
  'if then elif else while until do ! { time exec command builtin nohup setsid'.split(' '),
);
/** With options of their own: name -> options that take the next word. */
const STARTERS: Readonly<Record<string, RegExp>> = {
  env: /^-(u|C|S)$/,
  sudo: /^-(u|g|h|p|C|D)$/,
  doas: /^-(u|C)$/,
  nice: /^-n$/,
  ionice: /^-(c|n|p)$/,
  timeout: /^-(s|k)$/,
  stdbuf: /^-(i|o|e)$/,
  xargs: /^-(I|n|P|L|d|E|s|a)$/,
  unshare: /^$/,
  script: /^$/,
};
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'busybox']);

class Line {
  cwd: string | undefined;
  readonly #one: SimpleCommand;
  readonly #standing: Standing;
  readonly #depth: number;
  readonly #deeds: Deed[] = [];

  constructor(one: SimpleCommand, cwd: string | undefined, standing: Standing, depth: number) {
    this.#one = one;
    this.cwd = cwd;
    this.#standing = standing;
    this.#depth = depth;
  }

  deeds(): readonly Deed[] {
    for (const { op, target } of this.#one.redirections) {
      this.#change(op === '>>' ? 'append' : 'write', target);
    }
    this.#program(this.#one.words);
    return this.#deeds;
  }

  #change(change: ChangeKind, { text, known }: Word, cwd = this.cwd): void {
    if (known && cwd !== undefined && text !== '')
      this.#deeds.push({ kind: 'change', change, path: text, cwd });
  }

  #all(change: ChangeKind, words: readonly Word[]): void {
    for (const word of words) this.#change(change, word);
  }

  #git(made: ReturnType<typeof gitDeeds>): void {
    for (const operation of made.operations) this.#deeds.push({ kind: 'git', operation });
    if (made.unknown !== undefined) this.#deeds.push({ kind: 'unknown_git', word: made.unknown });
    const cwd = this.cwd === undefined ? undefined : resolvePath(this.cwd, made.folder ?? '.');
    for (const text of made.written ?? []) this.#change('write', { text, known: true }, cwd);
    for (const text of made.removed ?? []) this.#change('delete', { text, known: true }, cwd);
  }

  #program(words: readonly Word[]): void {
    const [first, ...rest] = words;
    if (first === undefined) return;
    const name = first.text.slice(first.text.lastIndexOf('/') + 1);
    if (BEFORE.has(name)) return this.#program(afterOptions(rest));
    const own = STARTERS[name];
    if (Object.hasOwn(STARTERS, name) && own !== undefined) return this.#started(name, own, rest);
    if (SHELLS.has(name)) return this.#shell(rest);
    const texts = rest.map(({ text }) => text);
    if (name === 'git') this.#git(gitDeeds(texts));
    else if (name === 'gh' || name === 'glab' || name === 'hub' || name === 'tea') {
      this.#git(forgeDeeds(name, texts));
    } else if (name === 'eval') this.#again(texts.join(' '));
    else if (name === 'cd' || name === 'pushd') this.#enter(rest);
    else if (name === 'popd') this.cwd = undefined;
    else if (name === 'find') this.#find(rest);
    else this.#files(name, rest);
  }

  #started(name: string, takesNext: RegExp, rest: readonly Word[]): void {
    let at = 0;
    for (; at < rest.length; at++) {
      const { text = '' } = rest[at] ?? {};
      if (name === 'env' && /^\w+=/.test(text)) continue;
      if (!text.startsWith('-')) break;
      if (name === 'env' && (text === '-S' || text.startsWith('--split-string'))) {
        return this.#again(
          rest
            .slice(at)
            .map((word) => word.text.replace(/^(-S|--split-string=?)/, ''))
            .join(' '),
        );
      }
      if (takesNext.test(text)) at++;
    }
    // The time that it has.
    this.#program(rest.slice(name === 'timeout' ? at + 1 : at));
  }

  #shell(rest: readonly Word[]): void {
    const flag = rest.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
    const script = flag === -1 ? undefined : rest[flag + 1];
    if (script !== undefined) this.#again(script.text);
    else if (/^(sh|ash)$/.test(rest[0]?.text ?? '')) this.#shell(rest.slice(1));
  }

  #again(text: string): void {
    const cwd = this.cwd;
    if (cwd === undefined) return;
    this.#deeds.push(...shellDeeds(text, { ...this.#standing, cwd }, this.#depth + 1));
  }

  #enter(rest: readonly Word[]): void {
    const to = afterOptions(rest)[0];
    const home = this.#standing.variables['HOME'];
    const text = to === undefined ? home : to.known && to.text !== '-' ? to.text : undefined;
    this.cwd =
      text === undefined || this.cwd === undefined ? undefined : resolvePath(this.cwd, text);
  }

  #find(rest: readonly Word[]): void {
    const at = rest.findIndex(({ text }) => /^-(exec|execdir|ok|okdir)$/.test(text));
    if (at !== -1) {
      const end = rest.findIndex(({ text }, i) => i > at && (text === ';' || text === '+'));
      // What it finds is not known.
      const words = rest.slice(at + 1, end === -1 ? undefined : end);
      this.#program(words.map((word) => (word.text === '{}' ? { ...word, known: false } : word)));
    }
    if (rest.some(({ text }) => text === '-delete')) {
      this.#all(
        'delete',
        rest.filter(
          ({ text }, i) =>
            !text.startsWith('-') && rest.slice(0, i).every((one) => !one.text.startsWith('-')),
        ),
      );
    }
  }

  #files(name: string, rest: readonly Word[]): void {
    const given = rest.filter(({ text }) => !text.startsWith('-') || text === '-');
    const has = (flag: RegExp): boolean => rest.some(({ text }) => flag.test(text));
    const last = given.slice(-1);
    switch (name) {
      case 'rm':
      case 'unlink':
      case 'shred':
      case 'rmdir':
        return this.#all('delete', given);
      case 'touch':
        return this.#all('append', given);
      case 'tee':
        return this.#all(has(/^(-[a-z]*a|--append)/) ? 'append' : 'write', given);
      case 'truncate':
      case 'chmod':
      case 'chown':
        return this.#all('write', valuesOf(name, rest, given));
      case 'mv':
        this.#all('delete', this.#target(rest) === undefined ? given.slice(0, -1) : given);
        return this.#into(rest, given, last);
      case 'cp':
      case 'install':
      case 'ln':
      case 'rsync':
        return this.#into(rest, given, last);
      case 'sed':
      case 'perl':
      case 'ruby':
        if (has(/^(-[a-zA-Z]*i|--in-place)/)) this.#all('write', scriptless(rest, given));
        return;
      case 'dd':
        return this.#all(
          'write',
          rest
            .filter(({ text }) => text.startsWith('of='))
            .map((word) => ({ ...word, text: word.text.slice(3) })),
        );
      case 'curl':
      case 'wget':
      case 'sort':
        return this.#all(
          'write',
          valueAfter(rest, name === 'wget' ? /^(-O|--output-document)$/ : /^(-o|--output)$/),
        );
      case 'mkdir':
        for (const { text, known } of given) {
          if (known && this.cwd !== undefined)
            this.#deeds.push({ kind: 'folder', path: text, cwd: this.cwd });
        }
    }
  }

  /** The folder of `-t`. */
  #target(rest: readonly Word[]): Word | undefined {
    return valueAfter(rest, /^(-t|--target-directory)$/)[0];
  }

  /** Into a folder the files keep their names. */
  #into(rest: readonly Word[], given: readonly Word[], last: readonly Word[]): void {
    const folder = this.#target(rest);
    const into =
      folder ?? (given.length > 2 || last[0]?.text.endsWith('/') === true ? last[0] : undefined);
    if (into === undefined) return given.length < 2 ? undefined : this.#all('write', last);
    const sources =
      folder === undefined ? given.slice(0, -1) : given.filter((one) => one !== folder);
    for (const { text, known } of sources) {
      const name = text.replace(/\/+$/, '').split('/').at(-1) ?? '';
      this.#change('write', {
        text: `${into.text.replace(/\/+$/, '')}/${name}`,
        known: known && into.known,
      });
    }
  }
}

function afterOptions(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => !text.startsWith('-') && !/^\w+=/.test(text));
  return at === -1 ? [] : words.slice(at);
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

/** Absolute, without `.` and `..`, as the text says; links are the caller's. */
export function resolvePath(from: string, path: string): string {
  const parts: string[] = [];
  for (const segment of `${path.startsWith('/') ? '' : from}/${path}`.split('/')) {
    if (segment === '..') parts.pop();
    else if (segment !== '' && segment !== '.') parts.push(segment);
  }
  return `/${parts.join('/')}`;
}
