/** What runs now, a line a task, as a pure function of events and a clock. It always fits the screen. */
import { colours as pc } from './colour.ts';
import type { Event } from '../../task/core/lines/event.ts';
import type { AttemptKind } from '../../task/core/attempts/record.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { ListedTask } from '../../engine/queries/listing.ts';
import { cut, fit, width } from './text-width.ts';
import { colourState } from './output.ts';

export interface LiveRow {
  readonly task: string;
  readonly kind: AttemptKind;
  readonly attempt: number;
  readonly since_ms: number;
  /** The current step of status.md; empty without one. */
  readonly step: string;
  /** The last line of the agent, or the last check. */
  readonly printed: string;
  /** The model does not answer: why, and how often its client has tried again. */
  readonly retries?: string;
  /** Since when its agent has reported nothing; undefined while the agent is not lagging. */
  readonly silent_since_ms: number | undefined;
}

/** By task, the oldest first. */
export type Live = ReadonlyMap<string, LiveRow>;

export const NOTHING_LIVE: Live = new Map();

/** Rows that stay free, for the moves above and the prompt. */
const ROWS_FREE = 4;
const TASK_CELLS_MIN = 12;

/** The state after this event; the same value when it changed nothing. */
export function afterEvent(live: Live, event: Event, now_ms: number): Live {
  switch (event.event) {
    case 'claimed':
      // The work of a person or a host begins with a claim too, but no program runs.
      return event.kind === 'review' ? begun(live, event, 'review', now_ms) : live;
    case 'called':
      return live.get(event.task)?.attempt === event.attempt
        ? live
        : begun(live, event, 'work', now_ms);
    case 'progress':
      return changed(live, event, { printed: event.text, retries: '' });
    case 'retries':
      return changed(live, event, { retries: `${event.text}, ${event.times} times` });
    case 'checked':
      return changed(live, event, {
        printed: `check ${event.passed ? 'passed' : 'failed'}: ${event.check}`,
      });
    case 'status':
      return changed(live, event, { step: event.text });
    case 'lags':
      return changed(live, event, { silent_since_ms: now_ms - event.seconds * 1000 });
    case 'goes_on':
      return changed(live, event, { silent_since_ms: undefined });
    case 'ended':
    case 'moved':
    case 'moved_by_hand':
    case 'lost_race':
    case 'fault':
      return without(live, event.task);
    default:
      return live;
  }
}

function begun(
  live: Live,
  { task, attempt }: { readonly task: string; readonly attempt: number },
  kind: AttemptKind,
  since_ms: number,
): Live {
  const row = { task, attempt, kind, since_ms, step: '', printed: '', silent_since_ms: undefined };
  return new Map(live).set(task, row);
}

function changed(
  live: Live,
  { task, attempt }: { readonly task: string; readonly attempt: number },
  news: Partial<LiveRow>,
): Live {
  const row = live.get(task);
  if (row === undefined || row.attempt !== attempt) return live;
  return new Map(live).set(task, { ...row, ...news });
}

function without(live: Live, task: string | undefined): Live {
  if (task === undefined || !live.has(task)) return live;
  const left = new Map(live);
  left.delete(task);
  return left;
}

export function liveLines(live: Live, now_ms: number, cells: number, rows: number): string[] {
  const all = [...live.values()];
  const room = Math.max(1, rows - ROWS_FREE);
  const shown = all.length <= room ? all : all.slice(0, room - 1);
  const names = shown.reduce((most, row) => Math.max(most, width(row.task)), TASK_CELLS_MIN);
  const name_cells = Math.min(names, Math.max(TASK_CELLS_MIN, Math.floor(cells / 3)));
  const lines = shown.map((row) =>
    cut(rowLine(row, now_ms, fit(lastOf(row.task, name_cells), name_cells)), cells),
  );
  if (shown.length === all.length) return lines;
  return [...lines, cut(moreLine(all.slice(shown.length)), cells)];
}

/** Ids begin alike and differ at the end. */
const lastOf = (id: string, cells: number): string =>
  id.length <= cells ? id : `…${id.slice(1 - cells)}`;

function rowLine(row: LiveRow, now_ms: number, name: string): string {
  const state = row.kind === 'work' ? 'in_progress' : 'review';
  const silent =
    row.silent_since_ms === undefined ? '' : `${lagging(now_ms - row.silent_since_ms)}  `;
  const { step, printed, retries = '' } = row;
  const waits = retries === '' ? '' : `${pc.yellow('the model does not answer')}: ${retries}`;
  const text = waits || escapeText(step === '' ? printed : step);
  return [
    name,
    colourState(state, fit(state, 'in_progress'.length)),
    `#${row.attempt}`.padStart(3),
    took(now_ms - row.since_ms).padStart(6),
    `${silent}${pc.dim(text)}`,
  ]
    .join('  ')
    .trimEnd();
}

function lagging(ms: number): string {
  return pc.bold(pc.yellow(`LAGGING ${took(ms)}`));
}

/** The current step as list, board, show, status and doctor have it; empty while nothing is known of one. */
export function stepWords(task: Pick<ListedTask, 'step' | 'step_seconds' | 'lagging'>): string {
  const { step = '', step_seconds = 0 } = task;
  const ms = step_seconds * 1000;
  if (task.lagging === true) return `${lagging(ms)}  ${escapeText(step)}`.trimEnd();
  return step === '' ? '' : `${escapeText(step)} (${took(ms)})`;
}

function moreLine(hidden: readonly LiveRow[]): string {
  const silent = hidden.filter((row) => row.silent_since_ms !== undefined).length;
  return `and ${hidden.length} more${silent === 0 ? '' : `, ${silent} of them LAGGING`}`;
}

/** `7s`, `1m02s`, `3h05m`. */
export function took(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n % 60).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds / 60))}m`;
}
