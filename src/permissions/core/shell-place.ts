/** The folder and variables of a running command line; what may differ counts as unknown. */
import type { ChangeKind, GitOperation } from '../../task/core/model/permissions.ts';
import { resolvePath } from '../../task/core/base/paths.ts';
import { SPLIT, UNKNOWN, type Source, type Variables, type Word } from './shell-word.ts';

/** Paths are absolute; links are not followed here. */
export type ShellEffect =
  | { readonly kind: 'change'; readonly change: ChangeKind; readonly path: string }
  /** Creates a folder, and changes no file. */
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'whole'; readonly what: string; readonly cwd: string }
  /** `cwd`: undefined where it is not known, or where other settings of git apply. */
  | { readonly kind: 'git'; readonly operation: GitOperation; readonly cwd?: string }
  | { readonly kind: 'unknown_git'; readonly word: string }
  /** One of our own commands. */
  | { readonly kind: 'verb'; readonly words: readonly string[]; readonly cwd: string | undefined }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Standing {
  /** Absolute. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  kind?(path: string): 'file' | 'folder' | undefined;
}

/** Shared by everything that one command line starts. */
export interface Shared {
  readonly standing: Standing;
  readonly effects: ShellEffect[];
  /** Variables with several values, found in one run, for the next; undefined: any value. */
  readonly unsure: Map<string, string | undefined>;
  restart: boolean;
  /** Commands that may still follow. */
  left: number;
  readonly written: Set<string>;
  readonly folders: Set<string>;
  /** Name to body. */
  readonly functions: Map<string, Source>;
}

/** The common beginning, then `*`, which never stands for `..`. */
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
  /** A `cd` may have failed: its folder is known only until the line ends. */
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

  /** The next command may not run. */
  #isUnsure(sign: string): boolean {
    return this.#blocks.some(({ name }) => name !== '{') || sign === '&&' || sign === '||';
  }

  passed(sign: string): void {
    if (sign !== '&&' && sign !== '|' && this.#isMoving) {
      this.#move(undefined);
      this.#isMoving = false;
    }
  }

  open(name: string): void {
    this.#blocks.push({ name, cwd: this.cwd });
  }

  /** At else and elif: the folder may still be the earlier one. */
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

  /** `sign`: the operator before the command. */
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

  /** Sets `$1`, `$@`; returns the old ones. */
  positional(words: readonly Word[], shifts = false): readonly Word[] {
    const old = this.#words;
    this.#words = shifts ? old.slice(1) : words;
    for (const i of old.keys()) this.variables.delete(String(i + 1));
    for (const [i, { text }] of this.#words.entries()) this.variables.set(String(i + 1), text);
    for (const name of ['@', '*'])
      this.variables.set(name, this.#words.map(({ text }) => text).join(SPLIT));
    return old;
  }

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
