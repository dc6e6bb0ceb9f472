/**
 * A verb of the command as data: help, the readers of command lines, completion, what is reserved for
 * people, the bundles and the reference are made from it. Its code is behind `load`.
 */
import type { VerbEffect } from '../../permissions/core/person-commands.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Workspace } from '../open/workspace.ts';

/** Offers of completion: tasks, live ones alone, agents, possible gates, files, or these words. */
export type Offer = 'id' | 'live' | 'agent' | 'gate' | 'file' | readonly string[];

/** Named as in the help: `<id>` must be given, `[id]` may be, `[id...]` takes all that follow. */
export type Argument = readonly [name: string, about?: string, choices?: readonly string[]];

export interface FlagValue {
  /** True if it may be repeated: its values are collected. */
  readonly many?: true;
  /** Kind of the value; `list`: words with commas between them. */
  readonly is?: 'count' | 'whole' | 'number' | 'age' | 'seconds' | 'list';
  readonly preset?: unknown;
  readonly offers?: Offer;
  /** An earlier form: read, and not shown. */
  readonly hidden?: true;
}

/** Its names as in the help: `-n, --lines <n>`. */
export type Flag = readonly [names: string, about: string, value?: FlagValue];

export interface Line {
  readonly given: readonly unknown[];
  readonly flags: unknown;
  /** All words that are no flags and no values, also those too many. */
  readonly words: readonly string[];
  /** Flags of the program itself, wherever they are. */
  readonly json: boolean;
  readonly dir: string | undefined;
  /** The verb does: see VerbSpec. */
  readonly starts: boolean;
}

/** Exports of a file of verbs: what each does, by its name; of one below another, by both. */
export interface VerbFile {
  readonly runs: Readonly<Record<string, (frame: never, line: Line) => unknown>>;
}

export interface VerbShape {
  readonly summary: string;
  /** Missing where it changes something and decides nothing that is a person's. */
  readonly effect?: VerbEffect;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly required?: readonly Flag[];
  /** True if it starts programs: where nobody trusts the workspace yet, a person is asked first. */
  readonly starts?: true;
  /** Words too many are looked at by the verb itself. */
  readonly loose?: true;
  /** A line each. */
  readonly example: string;
  /** Stands before the example in the help. */
  readonly help?: string;
  /** The states in which it finds the tasks that it acts on; all live ones when left out. */
  readonly on?: readonly State[];
  /** Completes its argument where that is no task, agent or file. */
  readonly offers?: (ws: Workspace) => Promise<readonly string[]>;
}

export interface VerbSpec extends VerbShape {
  readonly below?: Readonly<Record<string, VerbShape>>;
  /** Reached as `help NAME` alone. */
  readonly topic?: true;
  /** Only those below it do something. */
  readonly onlyBelow?: true;
  /** The file of the built command that it is in, where that is one of its own. */
  readonly bundle?: string;
  /** Loads what it does, and what verbs below it do. */
  readonly load: () => Promise<VerbFile>;
}

export interface VerbEntry extends VerbSpec {
  readonly name: string;
  /** Heading in the help; empty where it is not in it. */
  readonly heading: string;
}

/** Under one heading of the help, by name. */
export type VerbGroup = Readonly<Record<string, VerbSpec>>;

/** Flags of a capability: with one of them the verb of this name does what is in another file. */
export interface JoiningFlags extends Pick<VerbSpec, 'load' | 'example'> {
  readonly name: string;
  readonly flags: readonly Flag[];
}

/** A capability's verb below the verb of this name, or its flags of one that is there. */
export interface JoiningBelow extends Pick<VerbSpec, 'load'> {
  readonly name: string;
  readonly inner: string;
  readonly shape: VerbShape;
}

/** A capability's verb, behind another in the help, or first in another group. */
export interface JoiningVerb extends VerbSpec {
  readonly name: string;
  readonly after: string;
  readonly group?: 'Many' | 'In and out' | 'Look after' | 'For hosts, scripts and shells';
}
