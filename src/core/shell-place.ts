/**
 * Where a command line is while it runs, as far as its words tell: the folders that it may be in, the
 * values of variables, blocks and groups that are open. What may or may not have happened counts as
 * both: two folders are judged, and a variable of two values is unknown from then on. Pure.
 */
import type { ChangeKind, GitOperation } from './authority.ts';
import { resolvePath } from './paths.ts';
import { SPLIT, UNKNOWN, type Source, type Variables, type Word } from './shell-word.ts';

/** Paths are absolute, as the words say: links are the caller's. */
export type Deed =
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
  readonly deeds: Deed[];
  /**
   * Variables that are set twice and not always, found by one run: in the next they are `*` where both
   * values are plain names, and else unknown.
   */
  readonly unsure: Map<string, string | undefined>;
  restart: boolean;
  /** Which value each loop takes in this run, and how many runs see all of them. */
  world: number;
  worlds: number;
  /** Commands that may still come. */
  left: number;
  /** Files that it writes, with the text where that is known. */
  readonly written: Map<string, string | undefined>;
  readonly folders: Set<string>;
  /** Name -> text. */
  readonly functions: Map<string, Source>;
}

const WORLDS_MAX = 64;
const union = (a: readonly string[], b: readonly string[]): readonly string[] =>
  a.length === 0 || b.length === 0 ? [] : [...new Set([...a, ...b])];

export class Place {
  /** Absolute; none where it is not known. */
  cwds: readonly string[];
  readonly variables: Variables;
  readonly #shared: Shared;
  /** Where it was before a `cd` that may not have run, until its line ends. */
  #before: readonly string[] | undefined;
  readonly #blocks: { readonly name: string; readonly cwds: readonly string[] }[] = [];
  readonly #groups: { readonly cwds: readonly string[]; readonly variables: Variables }[] = [];
  #words: readonly Word[] = [];
  readonly #stack: (readonly string[])[] = [];

  constructor(cwds: readonly string[], variables: Variables, shared: Shared) {
    this.cwds = cwds;
    this.variables = new Map(variables);
    this.#shared = shared;
    for (const [name, value] of shared.unsure) this.#put(name, value);
  }

  copy(): Place {
    return new Place(this.cwds, this.variables, this.#shared);
  }

  /** Whatever runs now might not have run. */
  #isUnsure(sign: string): boolean {
    return this.#blocks.some(({ name }) => name !== '{') || sign === '&&' || sign === '||';
  }

  /** Behind a command. */
  passed(sign: string): void {
    if (sign !== '&&' && sign !== '|' && this.#before !== undefined) {
      this.#move(union(this.#before, this.cwds));
      this.#before = undefined;
    }
    if (sign === '(') this.#groups.push({ cwds: this.cwds, variables: new Map(this.variables) });
    const group = sign === ')' ? this.#groups.pop() : undefined;
    if (group === undefined) return;
    this.#move(group.cwds);
    this.variables.clear();
    for (const [name, value] of group.variables) this.variables.set(name, value);
  }

  open(name: string): void {
    this.#blocks.push({ name, cwds: this.cwds });
  }

  /** At else, elif: the folder may still be the one before. */
  again(): void {
    const block = this.#blocks.at(-1);
    if (block !== undefined) this.#move(union(block.cwds, this.cwds));
  }

  /** False for a loop that begins its next round in another folder. */
  close(): boolean {
    const block = this.#blocks.pop();
    if (block === undefined || block.name === '{') return true;
    const isSame = block.cwds.join('\0') === this.cwds.join('\0');
    this.#move(union(block.cwds, this.cwds));
    return isSame || !/^(for|while|until|select)$/.test(block.name);
  }

  /** `sign`: the one before the command. */
  set(name: string, value: string | undefined, sign: string): void {
    const known = value?.includes(UNKNOWN) === true ? undefined : value;
    const own = this.variables.get(name);
    const { unsure: two } = this.#shared;
    const isOther = this.#isUnsure(sign) && own !== undefined && own !== known;
    const isPlain = [own, known].every((one) => /^[\w*-]*$/.test(one ?? '/'));
    if (two.has(name) ? two.get(name) !== undefined && !isPlain : isOther) {
      two.set(name, isPlain ? '*' : undefined);
      this.#shared.restart = true;
    }
    this.#put(name, two.has(name) ? two.get(name) : known);
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

  /** A variable of a loop: one value a run, unknown where these are too many. */
  loop(name: string, values: readonly Word[]): void {
    const shared = this.#shared;
    const many = shared.worlds * values.length;
    this.variables.delete(name);
    if (values.length === 0 || many > WORLDS_MAX) return;
    const { text = '', known = false } = values[shared.world % values.length] ?? {};
    shared.world = Math.floor(shared.world / values.length);
    shared.worlds = many;
    if (known) this.variables.set(name, text);
  }

  enter(to: Word | undefined, sign: string, isThere: (path: string) => boolean): void {
    const old = this.cwds;
    const text = to === undefined ? this.variables.get('HOME') : to.known ? to.text : undefined;
    const back = this.variables.get('OLDPWD');
    const target = text === '-' ? back : text;
    const next = target === undefined ? [] : old.map((one) => resolvePath(one, target));
    const sure = next.length > 0 && next.every(isThere) && !this.#isUnsure(sign);
    if (!sure) this.#before ??= old;
    this.#move(next);
    if (old.length === 1) this.variables.set('OLDPWD', old[0] ?? '');
  }

  push(): void {
    this.#stack.push(this.cwds);
  }

  pop(): void {
    this.#move(this.#stack.pop() ?? []);
  }

  #move(cwds: readonly string[]): void {
    this.cwds = cwds;
    const [only, ...more] = cwds;
    if (only === undefined || more.length > 0) this.variables.delete('PWD');
    else this.variables.set('PWD', only);
  }
}
