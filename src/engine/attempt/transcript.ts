/** What a client printed as lines that people read: an event a line, with its time, a tool with its end. */
import type { AgentProgress } from '../../process/adapter.ts';
import { useWords, type ReportedUse } from '../../task/core/attempts/budget.ts';
import { collectEvents } from './collect-events.ts';

export interface Reading {
  read(line: string): readonly AgentProgress[];
  timeOf(line: string): number | undefined;
  /** Absolute folders: paths below them are shown without them. The longest first. */
  readonly roots: readonly string[];
  /** The use of the attempt, where that is known: a client may report that of its whole session. */
  readonly used?: ReportedUse | undefined;
}

type Of<K extends AgentProgress['kind']> = Extract<AgentProgress, { kind: K }>;
/** Milliseconds; undefined where the client reports no time. */
type At = number | undefined;

const PENDING_MAX = 1000;

export class Transcript {
  readonly #reading: Reading;
  readonly #events = collectEvents();
  readonly #pending = new Map<string, { at: At; text: string; shown: boolean }>();
  readonly #denied = new Set<string>();
  #isTimed = false;
  #last = '';
  #part: { at: At; text: string } | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** One line of the log -> lines to show. */
  take(line: string): readonly string[] {
    const at = this.#reading.timeOf(line);
    return this.#reading.read(line).flatMap((event) => {
      this.#events.take(event);
      return this.#shown(event, at);
    });
  }

  /** The tools that still run, each once. */
  running(): readonly string[] {
    return [...this.#pending.values()].flatMap((one) => {
      const { at, text, shown } = one;
      one.shown = true;
      return shown ? [] : this.#lines(at, text);
    });
  }

  /** The rest at the end of the log, and the use. */
  end(): readonly string[] {
    return [
      ...this.#words(),
      ...this.running(),
      ...this.#lines(undefined, useWords({ ...this.#events.report(), ...this.#reading.used })),
    ];
  }

  #shown(event: AgentProgress, at: At): string[] {
    if (event.kind === 'line' && event.part === true) {
      this.#part = { at: this.#part?.at ?? at, text: `${this.#part?.text ?? ''}${event.text}` };
      return [];
    }
    return [...this.#words(), ...this.#whole(event, at)];
  }

  #whole(event: AgentProgress, at: At): string[] {
    switch (event.kind) {
      case 'line':
        this.#part = { at, text: event.text };
        return this.#words();
      case 'tool':
        return this.#tool(event, at);
      case 'result':
        return this.#ended(event.call, at, howItEnded(event));
      case 'denied':
        return this.#deny(event, at);
      case 'error':
        // Some clients report it twice: as their last message, and as an error.
        return event.text === this.#last ? [] : this.#lines(at, shownText(event));
      default:
        return this.#lines(at, shownText(event));
    }
  }

  /** A message that came in parts. */
  #words(): string[] {
    if (this.#part === undefined) return [];
    const { at, text } = this.#part;
    this.#part = undefined;
    this.#last = text.trim() || this.#last;
    return this.#lines(at, text);
  }

  #tool({ name, detail, call }: Of<'tool'>, at: At): string[] {
    const text = `${name} ${detail}`.trim();
    if (call === undefined || this.#pending.size >= PENDING_MAX) return this.#lines(at, text);
    this.#pending.set(call, { at, text, shown: false });
    return [];
  }

  /** A tool that was shown as running is shown again only where its end has a result. */
  #ended(call: string, at: At, how: string): string[] {
    const begun = this.#pending.get(call);
    this.#pending.delete(call);
    if (begun === undefined || (begun.shown && how === '')) return [];
    return this.#lines(begun.shown ? at : begun.at, `${begun.text}${how}`);
  }

  #deny(event: Of<'denied'>, at: At): string[] {
    const { call, why, tool } = event;
    if (this.#denied.has(call ?? why) || (tool === '' && this.#denied.has(why))) return [];
    this.#denied.add(call ?? why).add(why);
    if (call !== undefined && this.#pending.has(call))
      return this.#ended(call, at, ` → denied: ${why}`);
    return this.#lines(at, shownText(event));
  }

  #lines(at: At, text = ''): string[] {
    this.#isTimed ||= at !== undefined;
    const margin = this.#isTimed ? ' '.repeat(9) : '';
    return this.#reading.roots
      .reduce((rest, root) => rest.replaceAll(`${root}/`, ''), text.trim())
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line, i) => `${i === 0 && at !== undefined ? clock(at) : margin}${line}`);
  }
}

/** In local time. */
function clock(at: number): string {
  return `${new Date(at).toTimeString().slice(0, 8)} `;
}

function howItEnded({ ok, text, exit_code }: Of<'result'>): string {
  const why = text === '' ? '' : `: ${text}`;
  if (exit_code !== undefined) return ` → exit ${exit_code}${why}`;
  if (ok) return text === '' ? '' : ` → ${text}`;
  return ` → failed${why}`;
}

/** One event in words; undefined for those that are not shown. */
export function shownText(progress: AgentProgress): string | undefined {
  switch (progress.kind) {
    case 'line':
    case 'noise':
      return progress.text;
    case 'tool':
      return `${progress.name} ${progress.detail}`;
    case 'result':
      return progress.ok ? undefined : howItEnded(progress).trim();
    case 'question':
      return `asks: ${progress.text}`;
    case 'denied':
      return `denied ${progress.tool === '' ? '' : `${progress.tool}: `}${progress.why}`;
    case 'retry':
      return `the model does not answer; tried again (${progress.text})`;
    case 'error':
      return `error: ${progress.text}`;
    case 'machine':
      // Named again at its end, with what confined it.
      return progress.enforced.length === 0 ? `${progress.name} took it` : undefined;
    default:
      return undefined;
  }
}
