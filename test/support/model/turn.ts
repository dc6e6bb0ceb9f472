/**
 * What a request to a model is, whatever the protocol: who said what so far, which tools there are;
 * and what a reply is. The protocols translate between this and their own JSON; the stories know
 * nothing else.
 */
export interface Said {
  readonly by: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

export interface Turn {
  readonly said: readonly Said[];
  /** Names of the tools that the client offers. Empty: a request on the side, for a title or so. */
  readonly tools: readonly string[];
  readonly model: string;
  readonly stream: boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }
  /** Begins, and never ends. */
  | { readonly kind: 'hang' };

export type Answer = Extract<Reply, { kind: 'text' | 'call' }>;

/** What every answer is said to have cost. */
export const USAGE = { input: 100, output: 10 } as const;

export interface Protocol {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini';
  /** undefined when this path is not of this protocol. */
  matches(path: string): boolean;
  read(body: Json, path: string): Turn;
  /** The lines of a stream, each an event. `id` differs from answer to answer. */
  events(answer: Answer, turn: Turn, id: string): readonly Event[];
  /** The same as one JSON value, for requests that do not stream. */
  whole(answer: Answer, turn: Turn, id: string): Json;
  error(status: number, message: string): Json;
}

export interface Event {
  readonly event?: string;
  readonly data: Json | string;
}

export type Json = { readonly [key: string]: unknown };

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Text that stands as a string, or as a list of parts that each have a `text`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(part['text']))
    .filter((text) => text !== '')
    .join('\n');
}
