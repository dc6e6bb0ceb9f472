/** Attempts on an axis of time: a row a task, a bar an attempt. Pure. */
import type { AttemptStory, Story } from './model.ts';

export interface Bar {
  readonly attempt: AttemptStory;
  /** From 0 to 1000 along the axis. */
  readonly from: number;
  readonly length: number;
}

export interface Timeline {
  readonly rows: readonly { readonly story: Story; readonly bars: readonly Bar[] }[];
  readonly ticks: readonly { readonly at: number; readonly time: string }[];
  /** Tasks that are left out. */
  readonly more: number;
}

const WIDTH = 1000;
/** Else an attempt of a second cannot be seen. */
const SHORTEST = 4;
const ROWS_MAX = 200;
const TICKS = 5;

/** `now`: where an attempt that is still open ends. Empty where nothing was ever claimed. */
export function timelineOf(stories: readonly Story[], now: Date): Timeline {
  const all = stories.flatMap((story) => {
    const spans = story.attempts.flatMap((attempt) => spanOf(attempt, now));
    return spans.length === 0 ? [] : [{ story, spans }];
  });
  const [begin, end] = [
    Math.min(...all.flatMap(({ spans }) => spans.map(({ from_ms }) => from_ms))),
    Math.max(...all.flatMap(({ spans }) => spans.map(({ to_ms }) => to_ms))),
  ];
  const scale = (ms: number): number => (ms / Math.max(1, end - begin)) * WIDTH;
  const rows = all.map(({ story, spans }) => ({
    story,
    bars: spans.map(({ attempt, from_ms, to_ms }): Bar => {
      const length = Math.min(WIDTH, Math.max(SHORTEST, scale(to_ms - from_ms)));
      return { attempt, from: Math.min(scale(from_ms - begin), WIDTH - length), length };
    }),
  }));
  rows.sort((a, b) => (a.bars[0]?.from ?? 0) - (b.bars[0]?.from ?? 0));
  const ticks = [...Array(all.length === 0 ? 0 : TICKS).keys()].map((i) => {
    const at = (i * WIDTH) / (TICKS - 1);
    return { at, time: new Date(begin + ((end - begin) * i) / (TICKS - 1)).toISOString() };
  });
  return { rows: rows.slice(0, ROWS_MAX), ticks, more: Math.max(0, rows.length - ROWS_MAX) };
}

function spanOf(attempt: AttemptStory, now: Date) {
  const from_ms = Date.parse(attempt.claimed);
  if (Number.isNaN(from_ms)) return [];
  const { seconds = 0, outcome, lost } = attempt;
  const isOpen = outcome === undefined && !lost;
  const to_ms = isOpen ? Math.max(from_ms, now.getTime()) : from_ms + seconds * 1000;
  return [{ attempt, from_ms, to_ms }];
}

/** A duration as people say it, in one or two units. */
export function seconds(count: number): string {
  if (count < 60) return `${Math.round(count)} s`;
  const [minutes, hours] = [Math.floor(count / 60), Math.floor(count / 3600)];
  return count < 3600 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
