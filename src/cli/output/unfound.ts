/** Folders that no command finds as a task: where there are some, nobody can say that nothing is left. */
import type { Event } from '../../task/core/lines/event.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { many } from './plural.ts';

/** True for a folder without the name of a task, and for one beside the states that holds tasks. */
export function isUnfound({ code, severity }: Problem): boolean {
  return severity === 'error' && (code === 'bad_id' || code === 'leftover');
}

/** How many of such folders these events name. */
export function unfoundIn(events: readonly Event[]): number {
  return events.filter((event) => event.event === 'problem' && isUnfound(event.problem)).length;
}

/** No sentence end: it is also a heading. */
export function unfoundWords(count: number): string {
  return `${many(count, 'error')} found; see above`;
}
