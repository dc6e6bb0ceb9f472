/**
 * The eight states of a task. A state's string is the name of the folder that the task is in,
 * everywhere: code, files, JSON, messages (docs/concepts.md#states).
 */

/** States that the runner reads at every step; `done` and `aborted` are only ever asked by name. */
export const LIVE_STATES = [
  'draft',
  'ready',
  'in_progress',
  'questions',
  'review',
  'blocked',
] as const;

export const STATES = [...LIVE_STATES, 'done', 'aborted'] as const;
export type State = (typeof STATES)[number];

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}

/** A terminal state is left only by a person. */
export function isTerminal(state: State): state is 'done' | 'aborted' {
  return state === 'done' || state === 'aborted';
}
