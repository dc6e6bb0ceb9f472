/**
 * The live lines at the foot of a terminal, redrawn in place; what is printed goes above them. The cursor is
 * never hidden and no other screen is entered: after a crash there is nothing to restore.
 */
import type { Event } from '../../task/core/lines/event.ts';
import { cut, width } from './text-width.ts';
import { afterEvent, liveLines, NOTHING_LIVE } from './live.ts';
import { makeOutput, type Output } from './output.ts';
import type { Streams } from '../streams/streams.ts';

export interface Ticker {
  now_ms(): number;
  /** Calls it again and again; the result ends that. */
  every(ms: number, tick: () => void): () => void;
}

export interface LiveScreen {
  /** Streams that print above the live lines. */
  readonly streams: Streams;
  event(event: Event): void;
  /** Draws lines above the live ones, in so many rows and as wide as the terminal is then. */
  foot(lines: (rows: number) => readonly string[]): void;
  end(): void;
}

const DRAW_MS = 250;
const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;
/** For what scrolls above. */
const ROWS_ABOVE = 6;

const tickerOf = (now_ms: () => number): Ticker => ({
  now_ms,
  every: (ms, tick) => {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
});

/** A terminal that can be redrawn, with a person before it. */
export function isLively(streams: Streams, env: NodeJS.ProcessEnv = process.env): boolean {
  const ci = env['CI'] ?? '';
  return streams.isTTY === true && env['TERM'] !== 'dumb' && (ci === '' || ci === 'false');
}

export function liveScreen(streams: Streams, ticker: Ticker): LiveScreen {
  let live = NOTHING_LIVE;
  let drawn: readonly string[] = [];
  // A terminal may break the line already when its last column is filled.
  const cells = (): number => Math.max(1, (streams.columns ?? COLUMNS_DEFAULT) - 1);
  let foot = (_rows: number): readonly string[] => [];
  const lines = (): string[] => {
    const rows = streams.rows ?? ROWS_DEFAULT;
    const now = liveLines(live, ticker.now_ms(), cells(), rows);
    const above = foot(rows - now.length - ROWS_ABOVE);
    return [...above.map((line) => cut(line, cells())), ...now];
  };
  const draw = (): void => {
    const next = lines();
    if (next.length === drawn.length && next.every((line, i) => line === drawn[i])) return;
    streams.out(cleared(drawn, cells() + 1) + block(next));
    drawn = next;
  };
  const above = (print: () => void): void => {
    if (drawn.length > 0) streams.out(cleared(drawn, cells() + 1));
    print();
    drawn = lines();
    if (drawn.length > 0) streams.out(block(drawn));
  };
  const stop = ticker.every(DRAW_MS, draw);
  return {
    streams: {
      out: (text) => above(() => streams.out(text)),
      err: (text) => above(() => streams.err(text)),
      isTTY: true,
      get columns() {
        return streams.columns;
      },
      get rows() {
        return streams.rows;
      },
    },
    event: (event) => {
      live = afterEvent(live, event, ticker.now_ms());
    },
    foot: (made) => {
      foot = made;
      draw();
    },
    end: () => {
      stop();
      live = NOTHING_LIVE;
      foot = () => [];
      draw();
    },
  };
}

function block(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** A window that became narrower has broken the old lines into more rows. */
function cleared(lines: readonly string[], columns: number): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0);
  return rows === 0 ? '' : `\u001b[${rows}A\r\u001b[J`;
}

interface Printing {
  readonly ws: { readonly elapsed_ms: () => number };
  readonly out: Output;
  readonly frame: { readonly streams: Streams };
}

/** With live lines where there is a terminal for them; elsewhere there is no foot. */
export async function withLive<V extends Printing, T>(
  verb: V,
  work: (verb: V, foot: LiveScreen['foot'] | undefined) => Promise<T>,
): Promise<T> {
  if (verb.out.json || !isLively(verb.frame.streams)) return work(verb, undefined);
  const screen = liveScreen(verb.frame.streams, tickerOf(verb.ws.elapsed_ms));
  const out = makeOutput(screen.streams, false, verb.out.path, verb.out.short);
  const event = (one: Event): void => {
    screen.event(one);
    out.event(one);
  };
  try {
    return await work({ ...verb, out: { ...out, event } }, screen.foot);
  } finally {
    screen.end();
  }
}
