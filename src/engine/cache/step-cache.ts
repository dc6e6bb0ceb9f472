/** The events of a step that had nothing to do, as rows for the cache and back. */
import { WAITS } from '../../task/core/model/action.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { rowLines, rowsOf } from './json-rows.ts';

type Waits = Extract<Event, { event: 'waits' }>;
type Row = readonly [Waits['task'], Waits['state'], Waits['code'], string, string];

/** A row for a wait without more to it, else the event itself. */
export function linesOf(events: readonly Event[]): string {
  return rowLines(events.map((event) => rowOf(event) ?? event));
}

function rowOf(event: Event): Row | undefined {
  if (event.event !== 'waits' || event.problems !== undefined || event.until) return undefined;
  return [event.task, event.state, event.code, event.reason, event.fix];
}

export function* eventsOf(lines: Buffer): Iterable<Event> {
  for (const row of rowsOf<Row | Event>(lines)) yield eventOf(row);
}

function eventOf(row: Row | Event): Event {
  if (!Array.isArray(row)) return row as Event;
  const [task, state, code, reason, fix] = row as Row;
  return { event: 'waits', task, state, code, on: WAITS[code], reason, fix };
}
