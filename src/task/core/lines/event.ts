/** What a step did, as data: one event a line in `--json`, one line of words on a terminal. */
import type { EVENT_LINES } from './event-lines.ts';
import type { LineOf } from './line-types.ts';

type WithoutVersion<L> = L extends unknown ? Omit<L, 'v'> : never;

export type Event = WithoutVersion<LineOf<typeof EVENT_LINES>>;

/** The version of the shapes, in every JSON line as `v`. */
export const EVENT_VERSION = 1;
