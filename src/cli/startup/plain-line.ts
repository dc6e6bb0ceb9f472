/**
 * Command lines as nearly all are: the verb, words, and flags by a name of theirs with the value behind
 * it. Read by what the verb itself declares, as commander reads it, so that a call that is like that
 * need not load commander, the largest library of the command. Knows no mistakes: whatever is unusual
 * or wrong is left to commander. Differential-tested against it (test/cli/plain-line.test.ts).
 */
import type { Frame } from '../terminal/frame.ts';
import {
  DIR,
  flagsOf,
  keyOf,
  Misread,
  namesOf,
  parserOf,
  runVerb,
} from '../terminal/command-shape.ts';
import type { Argument, Flag, Line, VerbEntry } from '../../workspace/tasks/verb.ts';

/** Nothing was done yet, and commander can tell what is meant. */
class NotPlain extends Misread {
  constructor() {
    super('not plain', '');
  }
}

/** Does what the verb does, if these are plain words; false when commander must be asked. */
export async function runPlain(
  verb: VerbEntry,
  frame: Frame,
  words: readonly string[],
): Promise<boolean> {
  try {
    await runVerb(verb, frame, plainLine(verb, words));
    return true;
  } catch (error) {
    if (error instanceof Misread) return false;
    throw error;
  }
}

function plainLine(verb: VerbEntry, words: readonly string[]): Line {
  const args = verb.arguments ?? [];
  const isOdd = args.some(([, , choices]) => choices !== undefined);
  if (isOdd || verb.required !== undefined || verb.below !== undefined) throw new NotPlain();
  const known = new Map<string, Flag>();
  const values: Record<string, unknown> = {};
  for (const flag of [DIR, ...flagsOf(verb)]) {
    for (const name of namesOf(flag).names) known.set(name, flag);
    const preset = flag[2]?.preset;
    if (preset !== undefined) values[keyOf(flag)] = preset;
  }
  const given: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '') throw new NotPlain();
    if (!word.startsWith('-')) {
      given.push(word);
      continue;
    }
    const flag = known.get(word);
    if (flag === undefined) throw new NotPlain();
    const key = keyOf(flag);
    values[key] = namesOf(flag).takesValue ? valueOf(flag, words[++i], values[key]) : true;
  }
  const { dir, ...flags } = values;
  const placed = placedIn(args, given);
  const json = flags['json'] === true;
  const starts = verb.starts === true;
  return { given: placed, flags, words: given, json, dir: dir as string | undefined, starts };
}

function valueOf(flag: Flag, value: string | undefined, earlier: unknown): unknown {
  if (value === undefined || value === '' || value.startsWith('-')) throw new NotPlain();
  try {
    const parse = parserOf(flag);
    return parse === undefined ? value : parse(value, earlier as readonly unknown[] | undefined);
  } catch {
    throw new NotPlain();
  }
}

function placedIn(args: readonly Argument[], given: readonly string[]): unknown[] {
  const names = args.map(([name]) => name);
  const rest = names.at(-1)?.includes('...') === true;
  const needed = names.filter((name) => name.startsWith('<')).length;
  if (given.length < needed || (given.length > names.length && !rest)) throw new NotPlain();
  return names.map((_, i) => (rest && i === names.length - 1 ? given.slice(i) : given[i]));
}
