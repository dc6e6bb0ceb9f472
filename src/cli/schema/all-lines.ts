/**
 * Every line that `--json` can say: the source of the JSON Schema that the package ships and of the
 * types that the verbs are held to. Import types from here, never values: the shapes are for the schema
 * and the tests, and no verb pays for them.
 */
import type * as z from 'zod';
import { EVENT_LINES } from '../../engine/core/events/event-lines.ts';
import { VERB_LINES } from '../../engine/core/events/command-lines.ts';

export const LINES = [...EVENT_LINES, ...VERB_LINES] as const;

/** Shapes of lines by whose they are; a capability adds its own by declaring this module again. */
export interface LineShapes {
  readonly own: typeof LINES;
}
export type LineShape = LineShapes[keyof LineShapes][number];

type DeepReadonly<T> = T extends (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type Line = DeepReadonly<z.infer<LineShape>>;
export type EventLine = DeepReadonly<z.infer<(typeof EVENT_LINES)[number]>>;

/** What a verb finds out for a line of that event. */
export type LineData<E extends Line['event']> = Omit<Extract<Line, { event: E }>, 'v' | 'event'>;

type KeysOf<E extends Line['event']> = keyof Extract<Line, { event: E }>;

/** A line without keys that its shape has not: a value that was spread into it may have more. */
export type Exact<L extends Line> = L & Record<Exclude<keyof L, KeysOf<L['event']>>, never>;
