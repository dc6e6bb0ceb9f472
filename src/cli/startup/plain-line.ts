/**
 * Command lines as nearly all are: a verb, words, and flags with a value behind them. Read as commander reads
 * them, so that such a call need not load commander. Whatever is unusual or wrong is left to commander.
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

/** Nothing was done yet: commander reads the line. */
const notPlain = (): Misread => new Misread('not plain', '');

/** Runs the verb; false where commander must read the line. */
export async function runPlain(verb: VerbEntry, frame: Frame, words: readonly string[]) {
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
  if (isOdd || verb.required !== undefined || verb.below !== undefined) throw notPlain();
  const known = new Map<string, Flag>();
  const values: Record<string, unknown> = {};
  for (const flag of [DIR, ...flagsOf(verb)]) {
    for (const name of namesOf(flag).names) known.set(name, flag);
    const preset = namesOf(flag).names.includes(`--no-${keyOf(flag)}`) || flag[2]?.preset;
    if (preset !== undefined) values[keyOf(flag)] = preset;
  }
  const given: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '') throw notPlain();
    if (!word.startsWith('-')) {
      given.push(word);
      continue;
    }
    const flag = known.get(word);
    // A negation has the key of what it negates.
    if (flag === undefined || word.startsWith('--no-')) throw notPlain();
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
  if (value === undefined || value === '' || value.startsWith('-')) throw notPlain();
  try {
    const parse = parserOf(flag);
    return parse === undefined ? value : parse(value, earlier);
  } catch {
    throw notPlain();
  }
}

function placedIn(args: readonly Argument[], given: readonly string[]): unknown[] {
  const names = args.map(([name]) => name);
  const rest = names.at(-1)?.includes('...') === true;
  const needed = names.filter((name) => name.startsWith('<')).length;
  if (given.length < needed || (given.length > names.length && !rest)) throw notPlain();
  return names.map((_, i) => (rest && i === names.length - 1 ? given.slice(i) : given[i]));
}
