/**
 * Where a command line is while it runs, as far as its words tell: its folder, the values of variables,
 * blocks and groups that are open. A folder that may be another one is not known from then on; a
 * variable of several values is what they begin with, and `*`. Pure.
 */
import type { ChangeKind, GitOperation } from '../../task/core/model/permissions.ts';
import { resolvePath } from '../../task/core/base/paths.ts';
import { SPLIT, UNKNOWN, type Source, type Variables, type Word } from './shell-word.ts';

/** Paths are absolute, as the words say: links are the caller's. */
export type ShellEffect =
  | { readonly kind: 'change'; readonly change: ChangeKind; readonly path: string }
  /** A folder is made: no file changes by that. */
  | { readonly kind: 'folder'; readonly path: string }
  /** It may rewrite any file below. */
  | { readonly kind: 'whole'; readonly what: string; readonly cwd: string }
  /** `cwd`: undefined where it is not known, or where other settings are in force there. */
  | { readonly kind: 'git'; readonly operation: GitOperation; readonly cwd?: string }
  | { readonly kind: 'unknown_git'; readonly word: string }
  /** A verb of ours that is a person's to say. */
  | { readonly kind: 'verb'; readonly words: readonly string[]; readonly cwd: string | undefined }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Standing {
  /** Absolute. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  kind?(path: string): 'file' | 'folder' | undefined;
  text?(path: string): string | undefined;
}

/** Shared by all that one command line starts. */
export interface Shared {
  readonly standing: Standing;
  readonly effects: ShellEffect[];
  /** Variables of several values, found by one run: what they are in the next, undefined if anything. */
  readonly unsure: Map<string, string | undefined>;
  restart: boolean;
  /** Commands that may still come. */
  left: number;
  /** Files that it writes. */
  readonly written: Set<string>;
  readonly folders: Set<string>;
  /** Name -> text. */
  readonly functions: Map<string, Source>;
}

/** One of both: what they begin with, then `*`, which stands for no `..`. */
function either(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a === b) return a === b ? a : undefined;
  const isOdd = /(^|\/)\.\.(\/|$)|[\s\uE001]/.test(`${a}/${b}`);
  if (isOdd || a.startsWith('/') !== b.startsWith('/')) return undefined;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `${a.slice(0, at).replace(/\*$/, '')}*`;
}

export class Place {
  /** Absolute; undefined where it is not known. */
  cwd: string | undefined;
  readonly variables: Variables;
  readonly #shared: Shared;
  /** A `cd` may not have run: its folder holds until its line ends. */
  #isMoving = false;
  readonly #blocks: { readonly name: string; readonly cwd: string | undefined }[] = [];
  #words: readonly Word[] = [];

  constructor(cwd: string | undefined, variables: Variables, shared: Shared) {
    this.cwd = cwd;
    this.variables = new Map(variables);
    this.#shared = shared;
    for (const [name, value] of shared.unsure) this.#put(name, value);
  }

  copy(): Place {
    return new Place(this.cwd, this.variables, this.#shared);
  }

  /** Whatever runs now might not have run. */
  #isUnsure(sign: string): boolean {
    return this.#blocks.some(({ name }) => name !== '{') || sign === '&&' || sign === '||';
  }

  /** Behind a command. */
  passed(sign: string): void {
    if (sign !== '&&' && sign !== '|' && this.#isMoving) {
      this.#move(undefined);
      this.#isMoving = false;
    }
  }

  open(name: string): void {
    this.#blocks.push({ name, cwd: this.cwd });
  }

  /** At else, elif: the folder may still be the one before. */
  again(): void {
    if (this.#blocks.at(-1)?.cwd !== this.cwd) this.#move(undefined);
  }

  /** False for a loop that begins its next round in another folder. */
  close(): boolean {
    const block = this.#blocks.pop();
    if (block === undefined || block.name === '{' || block.cwd === this.cwd) return true;
    this.#move(undefined);
    return !/^(for|while|until|select)$/.test(block.name);
  }

  /** `sign`: the one before the command. */
  set(name: string, value: string | undefined, sign: string): void {
    const known = value?.includes(UNKNOWN) === true ? undefined : value;
    const own = this.variables.get(name);
    const { unsure } = this.#shared;
    if (unsure.has(name)) this.#several(name, either(unsure.get(name), known));
    else if (this.#isUnsure(sign) && own !== undefined && own !== known)
      this.#several(name, either(own, known));
    this.#put(name, unsure.has(name) ? unsure.get(name) : known);
  }

  #several(name: string, value: string | undefined): void {
    const { unsure } = this.#shared;
    if (unsure.has(name) && unsure.get(name) === value) return;
    unsure.set(name, value);
    this.#shared.restart = true;
  }

  #put(name: string, value: string | undefined): void {
    if (value === undefined) this.variables.delete(name);
    else this.variables.set(name, value);
  }

  /** `$1`, `$@`: gives back what they were. */
  positional(words: readonly Word[], shifts = false): readonly Word[] {
    const old = this.#words;
    this.#words = shifts ? old.slice(1) : words;
    for (const i of old.keys()) this.variables.delete(String(i + 1));
    for (const [i, { text }] of this.#words.entries()) this.variables.set(String(i + 1), text);
    for (const name of ['@', '*'])
      this.variables.set(name, this.#words.map(({ text }) => text).join(SPLIT));
    return old;
  }

  /** A variable of a loop. */
  loop(name: string, values: readonly Word[]): void {
    const texts = values.map(({ text, known }) => (known ? text : undefined));
    this.#put(name, texts.length === 0 ? undefined : texts.reduce(either));
    if (texts.length > 1 && texts.some((text = '') => /^(-|\w+=)/.test(text))) {
      const why = 'a loop over options hides what they do; write the commands themselves';
      this.#shared.effects.push({ kind: 'unknown', why });
    }
  }

  enter(to: Word | undefined, sign: string, isThere: (path: string) => boolean): void {
    const old = this.cwd;
    const text = to === undefined ? this.variables.get('HOME') : to.known ? to.text : undefined;
    const target = text === '-' ? this.variables.get('OLDPWD') : text;
    const next = target === undefined || old === undefined ? undefined : resolvePath(old, target);
    const isSure = next === old || (next !== undefined && isThere(next) && !this.#isUnsure(sign));
    if (!isSure) this.#isMoving = true;
    this.#move(next);
    this.#put('OLDPWD', old);
  }

  #move(cwd: string | undefined): void {
    this.cwd = cwd;
    this.#put('PWD', cwd);
  }
}
