/**
 * A plain command line means to the command what it means to commander: for every verb, with its own
 * declarations, over lines of its flags, of words and of what nobody types. And the lines that the
 * README shows are plain, so that commander is not loaded for them.
 */
import { Command } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame } from '../src/cli/frame.ts';
import { DIR_FLAGS, runPlain } from '../src/cli/plain-line.ts';
import { VERBS, type SetUp } from '../src/cli/verbs.ts';
import { verbFirst } from '../src/cli/wanted.ts';

const frame: Frame = { streams: { out: () => {}, err: () => {} }, ports: {}, code: 0 };
/** These declare more than the plain reader knows. */
const NEVER_PLAIN = new Set(['completion', 'recover', 'agents', 'plan', 'squad']);

interface Heard {
  readonly args: readonly unknown[];
  readonly flags: unknown;
  readonly all: unknown;
}

/** The verb with all that it declares, and an action that only tells with what it was called. */
function listening(setUp: SetUp): { setUp: SetUp; heard: Heard[] } {
  const heard: Heard[] = [];
  return {
    heard,
    setUp: (command, given) => {
      setUp(command, given);
      command.action((...all: unknown[]) => {
        const self = all.pop() as Command;
        const flags = all.pop();
        heard.push({ args: all, flags, all: self.optsWithGlobals() });
      });
    },
  };
}

async function plainly(setUp: SetUp, words: readonly string[]): Promise<Heard | undefined> {
  const verb = listening(setUp);
  return (await runPlain(verb.setUp, frame, words)) ? verb.heard[0] : undefined;
}

async function byCommander(
  name: string,
  setUp: SetUp,
  words: readonly string[],
  front: readonly string[] = [],
): Promise<Heard | undefined> {
  const verb = listening(setUp);
  const program = new Command('contracts').option(DIR_FLAGS).exitOverride();
  program.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  verb.setUp(program.command(name), frame);
  try {
    await program.parseAsync([...front, name, ...words], { from: 'user' });
  } catch {
    return undefined;
  }
  return verb.heard[0];
}

/** Every flag that the verb declares, by all its names, as words of a line. */
function flagsOf(setUp: SetUp): string[] {
  const command = new Command();
  setUp(command, frame);
  return command.options.flatMap(({ short, long }) => [short, long].filter((one) => one != null));
}

const STRANGE = ['--', '-', '', '-x', '--none', '--help', '-h', '--json=1', '-5', '-C', '--dir'];
const WORDS = ['a', 'b c', 'help', 'show', '7', '-n5', 'state', 'a=b', 'ü', ...STRANGE];

/** What the program itself can be told before the verb. */
const FRONTS = [[], [], ['-C', 'x'], ['--dir', 'y'], ['-C', 'x', '--dir', 'y'], ['-C', '--json']];

test.each(VERBS.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
  const setUp = await entry.load();
  const flags = flagsOf(setUp);
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
      const heard = await plainly(setUp, rest);
      if (heard === undefined) return;
      plain++;
      expect(heard).toEqual(await byCommander(name, setUp, words, front));
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
  ['list', ['--by', 'state', '--dir', 'elsewhere']],
  ['list', ['login', '--state', 'blocked', '--state', 'ready', '--json']],
  ['show', ['hello']],
  ['run', ['-p', '3']],
  ['step', ['--dry-run']],
  ['logs', ['hello', '-f', '-n', '20']],
])('%s %j is plain', async (name, words) => {
  const setUp = await VERBS.find((one) => one.name === name)?.load();
  expect(setUp).toBeDefined();
  if (setUp === undefined) return;
  const heard = await plainly(setUp, words);
  expect(heard).toBeDefined();
  expect(heard).toEqual(await byCommander(name, setUp, words));
});

test.each<[name: string, words: readonly string[]]>([
  ['show', []],
  ['show', ['a', 'b']],
  ['show', ['a', '--jsn']],
  ['show', ['--', 'a']],
  ['list', ['--state']],
  ['list', ['--state', '--json']],
  ['list', ['--state=ready']],
  ['step', ['-p', 'many']],
])('%s %j is not: commander says what is wrong, or reads it', async (name, words) => {
  const setUp = await VERBS.find((one) => one.name === name)?.load();
  expect(setUp).toBeDefined();
  if (setUp !== undefined) expect(await plainly(setUp, words)).toBeUndefined();
});
