/**
 * What a step that had nothing to do said, as lines of text that can be kept, and as the same events
 * again, one by one: nobody needs to hold those of thousands of tasks.
 */
import type { Event } from '../core/event.ts';

type Waits = Extract<Event, { event: 'waits' }>;
type Row = readonly [Waits['task'], Waits['state'], Waits['on'], string, string];

/** Rows of a line: few enough to be held, many enough that to parse them is cheap. */
const ROWS = 100;

/** Lines of JSON arrays: a row for a wait without more to it, else the event itself. */
export function linesOf(events: readonly Event[]): string {
  let lines = '';
  for (let from = 0; from < events.length; from += ROWS) {
    const rows = events.slice(from, from + ROWS).map((event) => rowOf(event) ?? event);
    lines += `${JSON.stringify(rows)}\n`;
  }
  return lines;
}

function rowOf(event: Event): Row | undefined {
  if (event.event !== 'waits' || event.problems !== undefined) return undefined;
  return [event.task, event.state, event.on, event.reason, event.fix];
}

export function* eventsOf(lines: Buffer): Iterable<Event> {
  for (let from = 0, to = 0; from < lines.length; from = to + 1) {
    to = lines.indexOf('\n', from);
    const rows = JSON.parse(lines.toString('utf8', from, to)) as (Row | Event)[];
    for (const said of rows) yield eventOf(said);
  }
}

function eventOf(said: Row | Event): Event {
  if (!Array.isArray(said)) return said as Event;
  const [task, state, on, reason, fix] = said as Row;
  return { event: 'waits', task, state, on, reason, fix };
}
