/** The lines of `--json`. Import types from here, never values: no verb pays for the shapes. */
import * as z from 'zod';
import { VERB_LINES } from '../../engine/core/events/command-lines.ts';
import { EVENT_LINES } from '../../task/core/lines/event-lines.ts';
import type { LineOf, LineShape } from '../../task/core/lines/line-types.ts';
import type { Shapes } from '../../workspace/tasks/capability.ts';

export type Line = LineOf<readonly [...typeof EVENT_LINES, ...typeof VERB_LINES]>;

export function lineSchema(shapes: readonly Shapes[]) {
  const all: readonly LineShape[] = [
    ...EVENT_LINES,
    ...VERB_LINES,
    ...shapes.flatMap(({ lines }) => lines),
  ];
  const nameOf = (one: LineShape): string => one.shape.event.value;
  const [first, ...rest] = all.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (first === undefined) throw new Error('no line has a shape');
  return z.discriminatedUnion('event', [first, ...rest]);
}
