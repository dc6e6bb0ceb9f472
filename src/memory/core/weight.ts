/**
 * The weight of a learning or an assumption: by what became of the tasks whose briefs showed it, and never by
 * what it says of itself (docs/reference/memory.md#weight). Pure.
 */
import type { Learning } from './learning.ts';

/** The names of tasks that are done or in the archive, and of those that have not ended. */
export interface TaskNames {
  readonly ended: ReadonlySet<string>;
  readonly live: () => ReadonlySet<string>;
}

export interface Weight {
  readonly passed: number;
  readonly came_back: number;
  /** Above 0 and below 1; of one that no brief showed one half. */
  readonly weight: number;
}

/** A task counts once on each side, however often it was tried. One that is open again has not passed. */
export function weightOf(
  { uses, returned }: Pick<Learning, 'uses' | 'returned'>,
  { ended, live }: TaskNames,
): Weight {
  const passed = new Set(uses.filter((id) => ended.has(id)));
  const open = uses.filter((id) => !ended.has(id) && live().has(id));
  const came_back = new Set([...returned, ...open]);
  const weight = (passed.size + 1) / (passed.size + came_back.size + 2);
  return { passed: passed.size, came_back: came_back.size, weight: Math.round(weight * 100) / 100 };
}

/** Empty where no brief showed it. */
export function weightWords({ passed, came_back, weight }: Weight): string {
  if (passed + came_back === 0) return '';
  return `weight ${weight}: of the tasks briefed with it, ${passed} passed and ${came_back} came back`;
}
