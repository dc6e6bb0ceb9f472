/** The flags of a verb: their names, those that many verbs share, and how a value is read. */
import { InvalidArgumentError } from 'commander';
import { ageMs } from '../../task/core/base/duration.ts';
import type { Flag, FlagValue, Line, VerbEntry, VerbShape } from '../../workspace/tasks/verb.ts';
import type { Frame } from './frame.ts';

export const DIR: Flag = [
  '-C, --dir <folder>',
  'the workspace, or a folder in it (also: CONTRACTS_DIR)',
];
const JSON_NAME = '--json';
export const JSON_FLAG: Flag = [JSON_NAME, 'one JSON value a line'];

/** Forms of `list --graph`; the first where none is named. */
export const GRAPH_FORMS = ['tree', 'mermaid', 'dot'] as const;

const TRUST_FLAG: Flag = ['--trust', 'trust the workspace for this call (also: CONTRACTS_TRUST=1)'];

/** Its own, and `--json`, last where it has no other place. */
export function flagsOf({ flags = [], starts }: VerbShape): readonly Flag[] {
  const own = starts === true ? [...flags, TRUST_FLAG] : flags;
  return own.some(([name]) => name === JSON_NAME) ? own : [...own, JSON_FLAG];
}

/** `-n, --lines <n>` is `['-n', '--lines']`, the longest last, and takes a value. */
export function namesOf([flags]: Flag): { names: readonly string[]; takesValue: boolean } {
  const words = flags.split(/[ ,]+/);
  const names = words.filter((word) => word.startsWith('-'));
  return { names, takesValue: names.length < words.length };
}

/** The key of its value: `--older-than` is `olderThan`, `--no-check` is `check`. */
export function keyOf(flag: Flag): string {
  const long = namesOf(flag).names.at(-1) ?? '';
  return long
    .replace(/^--(no-)?/, '')
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export type Parse = (value: string, earlier: unknown) => unknown;

/** Gets the value and the earlier ones; undefined where the text itself is the value. */
export function parserOf([, , value = {}]: Flag): Parse | undefined {
  const { is, many } = value;
  if (is === undefined && many !== true) return undefined;
  const read = is === undefined ? (text: string): unknown => text : READERS[is];
  return (text, earlier) => (many === true ? [earlier ?? [], read(text)].flat() : read(text));
}

const READERS: Readonly<Record<NonNullable<FlagValue['is']>, (text: string) => unknown>> = {
  list: (text) => text.split(',').map((one) => one.trim()),
  number: Number,
  count: (text) => inRange(text, Number.isInteger(Number(text)), [1, 64], 'a number'),
  seconds: (text) => inRange(text, true, [0.1, 3600], 'seconds,'),
  whole: (text) => {
    const n = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(n)) return n;
    throw new InvalidArgumentError('Give a number.');
  },
  age: (text) => {
    const ms = ageMs(text);
    if (ms !== undefined) return ms;
    throw new InvalidArgumentError('Give an age such as 12h, 30d or 8w.');
  },
};

function inRange(
  text: string,
  fits: boolean,
  [least, most]: readonly [number, number],
  what: string,
): number {
  const n = Number(text);
  if (fits && n >= least && n <= most) return n;
  throw new InvalidArgumentError(`Give ${what} from ${least} to ${most}.`);
}

/** Verbs below it, each as a verb of its own: `plan check`. */
export function innerVerbs({ name, heading, load, below = {} }: VerbEntry): readonly VerbEntry[] {
  return Object.entries(below).map(([inner, shape]) => ({
    ...shape,
    name: `${name} ${inner}`,
    heading,
    load,
  }));
}

export async function runVerb({ name, load }: VerbEntry, frame: Frame, line: Line): Promise<void> {
  const { runs } = await load();
  await runs[name]?.(frame as never, line);
}

/** The words are not what the verb takes: reported by commander, as all mistakes in command lines. */
export class Misread extends Error {
  /** One of commander's codes. */
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
