/**
 * A plain command line means to the command what it means to commander: for every verb, with its own
 * declarations, over lines of its flags, of words and of what nobody types. And the lines that the
 * README shows are plain, so that commander is not loaded for them.
 */
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Frame } from '../../src/cli/terminal/frame.ts';
import { runPlain } from '../../src/cli/startup/plain-line.ts';
import { declare } from '../../src/cli/startup/program.ts';
import { DIR, flagsOf as declared, namesOf } from '../../src/cli/terminal/command-shape.ts';
import type { Line, VerbEntry } from '../../src/workspace/tasks/verb.ts';
import { verbFirst } from '../../src/cli/startup/verb-of-args.ts';
import { VERBS } from '../support/verbs.ts';
import * as fc from '../support/property.ts';

const frame: Frame = {
  streams: { out: () => {}, err: () => {} },
  ports: {},
  capabilities: [],
  effects: () => ({}),
  again: () => Promise.resolve(0),
  after: async () => {},
  code: 0,
};
/** These declare more than the plain reader knows. */
const NEVER_PLAIN = new Set(['completion', 'agents', 'plan', 'squad', 'team', 'export', 'memory']);

/** The verb with all that it declares, and an action that only tells with what it was called. */
function listening(verb: VerbEntry): { verb: VerbEntry; heard: Line[] } {
  const heard: Line[] = [];
  const run = (_: never, line: Line): void => void heard.push(line);
  const names = [verb.name, ...Object.keys(verb.below ?? {}).map((one) => `${verb.name} ${one}`)];
  const runs = Object.fromEntries(names.map((name) => [name, run]));
  return { heard, verb: { ...verb, load: () => Promise.resolve({ runs }) } };
}

async function plainly(shape: VerbEntry, words: readonly string[]): Promise<Line | undefined> {
  const { verb, heard } = listening(shape);
  return (await runPlain(verb, frame, words)) ? heard[0] : undefined;
}

async function byCommander(
  name: string,
  shape: VerbEntry,
  words: readonly string[],
  front: readonly string[] = [],
): Promise<Line | undefined> {
  const { verb, heard } = listening(shape);
  const program = new Command('contracts').option(DIR[0]).exitOverride();
  program.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  declare(program.command(name), verb, frame);
  try {
    await program.parseAsync([...front, name, ...words], { from: 'user' });
  } catch {
    return undefined;
  }
  return heard[0];
}

/** Every flag that the verb declares, by all its names, as words of a line. */
function flagsOf(shape: VerbEntry): string[] {
  return [...(shape.required ?? []), ...declared(shape)].flatMap((flag) => namesOf(flag).names);
}

const STRANGE = ['--', '-', '', '-x', '--none', '--help', '-h', '--json=1', '-5', '-C', '--dir'];
const WORDS = ['a', 'b c', 'help', 'show', '7', '-n5', 'state', 'a=b', 'ü', ...STRANGE];

/** What the program itself can be told before the verb. */
const FRONTS = [[], [], ['-C', 'x'], ['--dir', 'y'], ['-C', 'x', '--dir', 'y'], ['-C', '--json']];

test.each(VERBS.map((entry) => [entry.name, entry] as const))('%s', async (name, shape) => {
  const flags = flagsOf(shape);
  let plain = 0;
  const word = fc.oneof(
    fc.constantFrom('a', 'b', '3'),
    fc.constantFrom(...flags, '--json', '--dir'),
    fc.constantFrom(...WORDS),
  );
  const line = fc.array(word, { maxLength: 6 });
  const examples = [[], ['a'], ['a', '--json'], ['--dir', 'a', 'b']];
  await fc.assert(
    fc.asyncProperty(line, fc.constantFrom(...FRONTS), async (words, front) => {
      const [verb, ...rest] = verbFirst([...front, name, ...words]);
      expect(verb).toBe(name);
      const heard = await plainly(shape, rest);
      if (heard === undefined) return;
      plain++;
      expect(heard).toEqual(await byCommander(name, shape, words, front));
    }),
    { numRuns: 400, examples: examples.flatMap((one) => FRONTS.map((front) => [one, front])) },
  );
  expect(plain > 0).toBe(!NEVER_PLAIN.has(name));
});

test.each<[name: string, words: readonly string[]]>([
  [
    'new',
    ['Say hello', '--run', 'test -s a', '--run', 'true', '--sh', 'echo > a', '--id', 'hello'],
  ],
  ['confirm', ['a', 'b']],
  ['list', ['--ids', '--dir', 'elsewhere']],
  ['list', ['login', '--state', 'blocked', '--state', 'ready', '--json']],
  ['show', ['hello']],
  ['run', ['-p', '3']],
  ['step', ['--dry-run']],
  ['logs', ['hello', '-f', '-n', '20']],
])('%s %j is plain', async (name, words) => {
  const shape = VERBS.find((one) => one.name === name);
  expect(shape).toBeDefined();
  if (shape === undefined) return;
  const heard = await plainly(shape, words);
  expect(heard).toBeDefined();
  expect(heard).toEqual(await byCommander(name, shape, words));
});

test.each<[name: string, words: readonly string[]]>([
  ['show', ['a', 'b']],
  ['show', ['a', '--jsn']],
  ['show', ['--', 'a']],
  ['list', ['--state']],
  ['list', ['--state', '--json']],
  ['list', ['--state=ready']],
  ['step', ['-p', 'many']],
])('%s %j is not: commander says what is wrong, or reads it', async (name, words) => {
  const shape = VERBS.find((one) => one.name === name);
  expect(shape).toBeDefined();
  if (shape !== undefined) expect(await plainly(shape, words)).toBeUndefined();
});
