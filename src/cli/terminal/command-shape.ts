/**
 * What a verb declares, once: the words and flags behind it, its example, the verbs below it, and what
 * it does. The plain reader, commander (help, mistakes) and completion all read it. Knows no workspace.
 */
import type { State } from '../../task/core/model/state.ts';
import type { Frame } from './frame.ts';

/** Named as in the help: `<id>` must be given, `[id]` may be, `[id...]` takes all that follow. */
export type Argument = readonly [name: string, about?: string, choices?: readonly string[]];

/** As commander has it; `parse` gets the value and what was there before, at first `preset`. */
export type Flag = readonly [
  flags: string,
  about: string,
  parse?: (value: string, earlier: never) => unknown,
  preset?: unknown,
];

/** The words of one call. */
export interface Line {
  /** One for each argument. */
  readonly given: readonly unknown[];
  readonly flags: unknown;
  /** All words that are no flags and no values, also those too many. */
  readonly words: readonly string[];
  /** Of the program itself, wherever they stand. */
  readonly json: boolean;
  readonly dir: string | undefined;
}

export interface Shape {
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** Flags that must be given. */
  readonly required?: readonly Flag[];
  /** It starts programs: where nobody trusts the workspace yet, a person is asked first. */
  readonly starts?: boolean;
  /** Words too many are looked at by the verb itself. */
  readonly loose?: boolean;
  /** A line each. */
  readonly example: string;
  /** Stands before the example in the help. */
  readonly help?: string;
  /** The states in which it finds the tasks that it acts on; all live ones when left out. */
  readonly on?: readonly State[];
  readonly below?: Readonly<Record<string, Shape>>;
  /** Of one below another; the table of all verbs has the others. */
  readonly summary?: string;
  /** Missing where there is only what is below. */
  readonly run?: (frame: Frame, line: Line) => unknown;
}

export const DIR: Flag = [
  '-C, --dir <folder>',
  'the workspace, or a folder in it (also: CONTRACTS_DIR)',
];
export const JSON_FLAG: Flag = ['--json', 'one JSON value a line'];

const TRUST_FLAG: Flag = ['--trust', 'trust the workspace for this call (also: CONTRACTS_TRUST=1)'];

/** Its own, and `--json`, last where it has no other place. */
export function flagsOf({ flags = [], starts }: Shape): readonly Flag[] {
  const own = starts === true ? [...flags, TRUST_FLAG] : flags;
  return own.includes(JSON_FLAG) ? own : [...own, JSON_FLAG];
}

/** `-n, --lines <n>` is `['-n', '--lines']`, the longest last, and takes a value. */
export function namesOf([flags]: Flag): { names: readonly string[]; takesValue: boolean } {
  const words = flags.split(/[ ,]+/);
  const names = words.filter((word) => word.startsWith('-'));
  return { names, takesValue: names.length < words.length };
}

/** The words are not what the verb takes. Commander says it, as all mistakes in command lines. */
export class Misread extends Error {
  /** One of commander's codes. */
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
