/**
 * What a step did, as data: one event a line in `--json`, one line of words on a terminal. The
 * shapes are in event-lines.ts; they are versioned (`v`) and only ever grow.
 */
import type { EventLine } from '../../../cli/schema/all-lines.ts';

type WithoutVersion<L> = L extends unknown ? Omit<L, 'v'> : never;

export type Event = WithoutVersion<EventLine>;

/** The version of the shapes, in every JSON line as `v`. */
export const EVENT_VERSION = 1;
