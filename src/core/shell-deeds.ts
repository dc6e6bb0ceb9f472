/**
 * What a command line of the shell openly does to files (file-deeds.ts) and to git (git-deeds.ts). Knows
 * where it stands and what starts others (`sh -c`, env, xargs, find -exec); what a program does by
 * itself is not seen, nor a path that is only known when it runs. Pure; it never fails.
 */
import type { ChangeKind, GitOperation } from './authority.ts';
import { fileDeeds, type FileDeed } from './file-deeds.ts';
import { forgeDeeds, gitDeeds } from './git-deeds.ts';
import type { Variables, Word } from './shell-word.ts';
import { shellCommands, type SimpleCommand } from './shell-words.ts';

export type Deed =
  | {
      readonly kind: 'change';
      readonly change: ChangeKind;
      readonly path: string;
      readonly cwd: string;
    }
  /** A folder is made: no file changes by that. */
  | { readonly kind: 'folder'; readonly path: string; readonly cwd: string }
  /** It may rewrite any file below; `cwd` is undefined where it is not known. */
  | { readonly kind: 'whole'; readonly what: string; readonly cwd: string | undefined }
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

  #files(deeds: readonly FileDeed[]): void {
    const { cwd } = this;
    for (const { change, word } of deeds) {
      if (change === 'whole') this.#deeds.push({ kind: 'whole', what: word.text, cwd });
      else if (change !== 'folder') this.#change(change, word);
      else if (word.known && cwd !== undefined)
        this.#deeds.push({ kind: 'folder', path: word.text, cwd });
    }
  }

  #git(made: ReturnType<typeof gitDeeds>): void {
    for (const operation of made.operations) this.#deeds.push({ kind: 'git', operation });
    if (made.unknown !== undefined) this.#deeds.push({ kind: 'unknown_git', word: made.unknown });
    const cwd = this.cwd === undefined ? undefined : resolvePath(this.cwd, made.folder ?? '.');
    if (made.whole !== undefined) this.#deeds.push({ kind: 'whole', what: made.whole, cwd });
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
    else this.#files(fileDeeds(name, rest));
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
}

function afterOptions(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => !text.startsWith('-') && !/^\w+=/.test(text));
  return at === -1 ? [] : words.slice(at);
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
