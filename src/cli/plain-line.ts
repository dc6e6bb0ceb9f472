/**
 * Command lines as nearly all are: the verb, words, and flags by a name of theirs with the value behind
 * it. Read by what the verb itself declares, as commander reads it, so that a call that is like that
 * need not load commander, the largest library of the command. Knows no mistakes: whatever is unusual
 * or wrong is left to commander. Differential-tested against it (test/plain-line.test.ts).
 */
import type { Command } from 'commander';
import type { Frame } from './frame.ts';
import type { SetUp } from './verbs.ts';

/** Nothing was done yet, and commander can tell what is meant. */
class NotPlain extends Error {}

/** Of the program itself; can stand anywhere. */
export const DIR_FLAGS = '-C, --dir <folder>';

type Parse = (value: string, earlier: unknown) => unknown;
type Action = (...given: unknown[]) => unknown;

interface Flag {
  readonly key: string;
  readonly takesValue: boolean;
  readonly parse: Parse | undefined;
}

/** Does what the verb does, if these are plain words; false when commander must be asked. */
export async function runPlain(
  setUp: SetUp,
  frame: Frame,
  words: readonly string[],
): Promise<boolean> {
  try {
    const line = new PlainLine();
    setUp(line as unknown as Command, frame);
    await line.run(words);
    return true;
  } catch (error) {
    if (error instanceof NotPlain) return false;
    throw error;
  }
}

/** What verbs use of a Command of commander. */
class PlainLine {
  /** Words too many are commander's, so what a verb looks for among all words is never here. */
  readonly args: readonly string[] = [];
  readonly #arguments: string[] = [];
  readonly #flags = new Map<string, Flag>();
  readonly #values: Record<string, unknown> = {};
  readonly #program: Record<string, unknown> = {};
  #action: Action | undefined;

  constructor() {
    this.option(DIR_FLAGS);
  }

  argument(name: string, _about?: string): this {
    this.#arguments.push(name);
    return this;
  }

  /** As commander has it: behind the text a default, or a function and then its default. */
  option(flags: string, _about?: string, parse?: unknown, preset?: unknown): this {
    const names = flags.split(/[ ,]+/);
    const value = names.at(-1)?.startsWith('<') === true ? names.pop() : undefined;
    const long = names.at(-1) ?? '';
    if (!/^--[a-z-]+$/.test(long) || long.startsWith('--no-')) throw new NotPlain();
    const key = long.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const isParse = typeof parse === 'function';
    const first = isParse ? preset : parse;
    if (first !== undefined) this.#values[key] = first;
    const flag = {
      key,
      takesValue: value !== undefined,
      parse: isParse ? (parse as Parse) : undefined,
    };
    for (const name of names) this.#flags.set(name, flag);
    return this;
  }

  addHelpText(): this {
    return this;
  }

  allowExcessArguments(): this {
    return this;
  }

  action(action: Action): this {
    this.#action = action;
    return this;
  }

  requiredOption(): never {
    throw new NotPlain();
  }

  /** A verb with verbs of its own. */
  command(): never {
    throw new NotPlain();
  }

  createArgument(): never {
    throw new NotPlain();
  }

  /** Verbs refuse so what they cannot begin with: commander says it in its own way. */
  error(): never {
    throw new NotPlain();
  }

  optsWithGlobals(): Record<string, unknown> {
    return { ...this.#values, ...this.#program };
  }

  async run(words: readonly string[]): Promise<void> {
    const given: string[] = [];
    for (let i = 0; i < words.length; i++) {
      const word = words[i] ?? '';
      if (word === '') throw new NotPlain();
      if (!word.startsWith('-')) given.push(word);
      else if (this.#set(word, words[i + 1])) i++;
    }
    if (this.#action === undefined) throw new NotPlain();
    await this.#action(...this.#placed(given), this.#values, this);
  }

  /** Whether the next word was its value. */
  #set(name: string, next: string | undefined): boolean {
    const flag = this.#flags.get(name);
    if (flag === undefined) throw new NotPlain();
    const { key, takesValue, parse } = flag;
    const values = key === 'dir' ? this.#program : this.#values;
    if (!takesValue) values[key] = true;
    else if (next === undefined || next === '' || next.startsWith('-')) throw new NotPlain();
    else values[key] = parse === undefined ? next : parsed(parse, next, values[key]);
    return takesValue;
  }

  #placed(given: readonly string[]): unknown[] {
    const names = this.#arguments;
    const rest = names.at(-1)?.endsWith('...>') === true || names.at(-1)?.endsWith('...]') === true;
    const needed = names.filter((name) => name.startsWith('<')).length;
    if (given.length < needed || (given.length > names.length && !rest)) throw new NotPlain();
    return names.map((_, i) => (rest && i === names.length - 1 ? given.slice(i) : given[i]));
  }
}

function parsed(parse: Parse, value: string, earlier: unknown): unknown {
  try {
    return parse(value, earlier);
  } catch {
    throw new NotPlain();
  }
}
