/** The types of lines of `--json`, made from their shapes: from a list of them, whosever they are. */
import type * as z from 'zod';

/** The shape of a line, as `line` of line-parts.ts makes it. */
export type LineShape = z.ZodObject<{ v: z.ZodLiteral<1>; event: z.ZodLiteral<string> }>;
export type LineShapes = readonly LineShape[];

type DeepReadonly<T> = T extends (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type ShapeOf<S extends z.ZodType> = DeepReadonly<z.infer<S>>;
export type LineOf<S extends LineShapes> = ShapeOf<S[number]>;

/** Values of a line of that event. */
export type DataOf<S extends LineShapes, E extends LineOf<S>['event']> = Omit<
  Extract<LineOf<S>, { event: E }>,
  'v' | 'event'
>;

interface AnyLine {
  readonly event: string;
}

type KeysOf<L extends AnyLine, E extends string> = keyof Extract<L, { event: E }>;

/** A line without keys that its shape has not: a value that was spread into it may have more. */
export type Exact<L extends AnyLine, Known extends AnyLine> = L &
  Record<Exclude<keyof L, KeysOf<Known, L['event']>>, never>;
