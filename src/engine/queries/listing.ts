/** A listing and what may be asked of one. */
import { WAITS } from '../../task/core/model/wait-codes.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import type { LineData } from '../core/events/command-lines.ts';
import type { State } from '../../task/core/model/state.ts';

/** Everything that is named must hold; of a list, one. */
export interface ListQuery {
  /** The live ones when left out. */
  readonly states?: ReadonlySet<State> | undefined;
  /** Names of executors. */
  readonly agents?: readonly string[] | undefined;
  /** `plan` of the contract. */
  readonly plans?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** In the id, title, objective, workflow or phase, in capitals or not. */
  readonly text?: string | undefined;
  readonly waits_for?: readonly ListedTask['waits_for'][] | undefined;
  /** Any task when left out. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** Leaves out, in a large tree, what is ready and in no row: only a look at each says what it waits for. */
  readonly quick?: boolean;
  /**
   * By state and id when left out; `age` has the longest standing first; `turn` what needs a person, then
   * what can start, what is at work, what waits, each by priority and age.
   */
  readonly sort?: 'turn' | 'age' | 'id' | undefined;
}

export type ListedTask = LineData<'task'>;

/** A pause of everything waits for one command, and not for one a task. */
export function isYours({ code }: Pick<ListedTask, 'code'>): boolean {
  return code !== 'nothing' && code !== 'paused' && WAITS[code] === 'person';
}

export interface Listing {
  readonly tasks: readonly ListedTask[];
  readonly problems: readonly Problem[];
}

/** All of these words are somewhere in it, in capitals or not. */
export function holdsWords(texts: readonly string[], words: string): boolean {
  const text = texts.join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
