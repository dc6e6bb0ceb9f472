/** What list, board, graph and status show of a task in a few cells; what others wrote is escaped here. */
import { isYours, type ListedTask } from '../../engine/queries/listing.ts';
import { whoAt } from '../../task/core/attempts/counters.ts';
import { beginningsOf, shortNames } from '../../task/core/model/id.ts';
import { YOURS } from '../../task/core/model/marks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import type { Column } from './text-width.ts';

export const ID: Column = { least: 12, most: 40, even: true, ids: true, drop: 1 };

/** A sign, since colour alone is not seen by all. */
export function markOf(task: ListedTask): string {
  return isYours(task) ? pc.bold(pc[YOURS.colour](YOURS.sign)) : '';
}

export function titleOf(task: ListedTask): string {
  const text = escapeText(task.title === '' ? task.id : task.title);
  return isYours(task) ? pc.bold(text) : text;
}

export function whoOf({ code, agent, machine }: ListedTask): string {
  return code === 'in_hands' ? 'you' : escapeText(whoAt(agent, machine));
}

/** The priority, where it is not medium, and the tags. */
export function labelsOf({
  priority,
  workflow,
  phase,
  tags,
}: Pick<ListedTask, 'priority' | 'workflow' | 'phase' | 'tags'>): string {
  const urgent = priority === 'medium' ? [] : [priority];
  // What it waits for needs the room.
  const place = phase ?? workflow ?? '';
  return escapeText([...urgent, place, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' '));
}

/** Below this, ids are cut to the words that tell them apart: titles need the room. */
const WIDE_CELLS = 100;

export function namesOf(tasks: readonly Pick<ListedTask, 'id'>[], limit: number) {
  const short = shortNames(tasks.map(({ id }) => id));
  if (limit >= WIDE_CELLS) return short;
  const begun = beginningsOf(short.values());
  return new Map([...short].map(([id, name]) => [id, begun.get(name) ?? name]));
}

/** Whole ids in a sentence by their short names; in paths they stay. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  if (!/\w[-_]\w/.test(text)) return text;
  const word = /(?<![\w/-])[a-z0-9][\w-]*(?![\w/-])/g;
  return text.replace(word, (one) =>
    one === 'in_progress' ? 'in progress' : (names.get(one) ?? one),
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `now`, `5m`, `3h`, `2d`; the future is `now` too. */
export function ageText(ms: number): string {
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)}d`;
  if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)}h`;
  return ms >= MINUTE_MS ? `${Math.floor(ms / MINUTE_MS)}m` : 'now';
}

export function ageOf({ stands_since }: ListedTask, now: Date): string {
  return ageText(now.getTime() - Date.parse(stands_since));
}
