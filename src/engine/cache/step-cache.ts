/**
 * What a step that had nothing to do said, as lines of text that can be kept, and as the same events
 * again, one by one: nobody needs to hold those of thousands of tasks.
 */
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
  for (const said of rowsOf<Row | Event>(lines)) yield eventOf(said);
}

function eventOf(said: Row | Event): Event {
  if (!Array.isArray(said)) return said as Event;
  const [task, state, code, reason, fix] = said as Row;
  return { event: 'waits', task, state, code, on: WAITS[code], reason, fix };
}
