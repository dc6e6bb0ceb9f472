/**
 * How long a task waits before its next call, derived from outcomes alone: after an outage of its
 * client's model, after errors of its adapter in a row, after calls that ended at once. The first two
 * hold for all tasks of the adapter. Pure.
 */
import type { Attempt, OutcomeRecord } from './record.ts';

/** One ended call, of whichever task. */
export type Call = OutcomeRecord & { readonly task: string };

export interface Pause {
  readonly until_ms: number;
  readonly reason: string;
}

/** 1, 2, 4 … 30 minutes, and up to a fifth more. */
const OUTAGE_MS = 60_000;
const OUTAGE_MS_MAX = 30 * 60_000;
const JITTER = 0.2;
/** A limit that ends so late is waited for; a shorter pause is part of the same outage. */
const FAR_MS = 3_600_000;
/** How far the clocks of two hosts may be apart. */
const AHEAD_MS = 5 * 60_000;
/** A task whose calls met nothing but outages for so long needs a person. */
const DAY_MS = 24 * 3_600_000;
/** Errors of one adapter in a row, over all tasks: a run stops, steps leave it alone for a while. */
const ERRORS_MAX = 5;
const ERRORS_MS = 30 * 60_000;
const SILENT_S = 5;
const SILENT_MS = [5_000, 20_000, 60_000] as const;

/** The pause of one adapter, by its calls in the order in which they ended. */
export function outagePause(calls: readonly Call[], model: string | undefined): Pause | undefined {
  let pause: Pause | undefined;
  let outages = 0;
  let last_ms = 0;
  for (const call of calls) {
    const at_ms = Date.parse(call.at);
    if (call.error !== 'outage') {
      // A call that began before the outage says nothing about it.
      const isLater = at_ms - (call.seconds ?? 0) * 1000 >= last_ms;
      if (isAnswer(call) && isLater) [outages, pause] = [0, undefined];
    } else if (model === undefined || (call.model ?? model) === model) {
      last_ms = at_ms;
      // Calls that ran side by side met the same outage.
      if (at_ms >= (pause?.until_ms ?? 0)) outages += 1;
      const resets_ms = Date.parse(call.resets_at ?? '');
      const until_ms =
        Math.max(resets_ms, at_ms + grown(OUTAGE_MS / 2, outages)) ||
        at_ms + outageMs(call, outages);
      pause = later(pause, { until_ms, reason: `for ${call.adapter}: ${call.reason}` });
    }
  }
  return pause;
}

/** The pause of an adapter that failed too often in a row. */
export function errorsPause(calls: readonly Call[]): Pause | undefined {
  const answered = calls.filter((call) => isError(call) || isAnswer(call));
  const last = answered.at(-1);
  if (last === undefined || answered.length < ERRORS_MAX) return undefined;
  if (!answered.slice(-ERRORS_MAX).every(isError)) return undefined;
  const reason = `as ${last.adapter} failed ${ERRORS_MAX} times in a row: ${last.reason}`;
  return { until_ms: Date.parse(last.at) + ERRORS_MS, reason };
}

/** After calls of one task that ended at once and left nothing. */
export function silencePause(attempts: readonly Attempt[]): Pause | undefined {
  const ended = endedOf(attempts);
  const count = ended.length - 1 - ended.findLastIndex((outcome) => !isSilent(outcome));
  const last = ended.at(-1);
  const pause_ms = SILENT_MS[Math.min(count, SILENT_MS.length) - 1];
  if (last === undefined || pause_ms === undefined) return undefined;
  return {
    until_ms: Date.parse(last.at) + pause_ms,
    reason: `before the next try: ${last.reason}`,
  };
}

/** True if a task's calls met nothing but outages for too long; a reset far ahead begins it again. */
export function isOutTooLong(attempts: readonly Attempt[], now_ms: number): boolean {
  let since_ms = Infinity;
  for (const { error, resets_at, at } of endedOf(attempts)) {
    const [at_ms, resets_ms] = [Date.parse(at), Date.parse(resets_at ?? '')];
    if (error !== 'outage') since_ms = Infinity;
    else since_ms = resets_ms - at_ms > FAR_MS ? resets_ms : Math.min(since_ms, at_ms);
  }
  return now_ms - since_ms >= DAY_MS;
}

/** With the time on the clock of this machine, and the day where that is not near. */
export function inWords({ until_ms, reason }: Pause, now_ms: number): Pause {
  const until = new Date(until_ms);
  const [hour, minute, second, month, day] = [
    until.getHours(),
    until.getMinutes(),
    until.getSeconds(),
    until.getMonth() + 1,
    until.getDate(),
  ].map((n) => String(n).padStart(2, '0'));
  const left_ms = until_ms - now_ms;
  const date = left_ms < DAY_MS / 2 ? '' : `${until.getFullYear()}-${month}-${day} `;
  const seconds = left_ms < 2 * OUTAGE_MS ? `:${second}` : '';
  return { until_ms, reason: `waits until ${date}${hour}:${minute}${seconds} ${reason}` };
}

export function later(a: Pause | undefined, b: Pause | undefined): Pause | undefined {
  return a === undefined || (b !== undefined && b.until_ms > a.until_ms) ? b : a;
}

/** Recorded while a clock was ahead: when that call ended is not known, so it makes nothing wait. */
export function isAhead(outcome: OutcomeRecord | undefined, now_ms: number): boolean {
  return outcome !== undefined && Date.parse(outcome.at) > now_ms + AHEAD_MS;
}

/** Something that can make its task or its adapter wait. */
export function isTrouble(call: OutcomeRecord): boolean {
  return call.error === 'outage' || isError(call);
}

function isError({ error, no_result, no_verdict, outcome }: OutcomeRecord): boolean {
  if (error === 'outage' || error === 'session') return false;
  const nothing = no_result === 'silent' || no_result === 'working' || no_verdict === true;
  return nothing || error !== undefined || outcome === 'crashed';
}

/** The model has answered; a call that was stopped shows nothing. */
export function isAnswer(call: OutcomeRecord): boolean {
  return !isTrouble(call) && call.outcome !== 'interrupted' && call.outcome !== 'stale';
}

function isSilent({ no_result, seconds = 0 }: OutcomeRecord): boolean {
  return no_result === 'silent' && seconds < SILENT_S;
}

function endedOf(attempts: readonly Attempt[]): readonly OutcomeRecord[] {
  return attempts.flatMap(({ lost, outcome }) => (lost || outcome === undefined ? [] : [outcome]));
}

/** Length of the pause, always the same for one attempt. */
function outageMs({ task, attempt }: Call, outages: number): number {
  const key = [...`${task}.${attempt}`];
  const hash = key.reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1000, 0);
  return Math.round(grown(OUTAGE_MS, outages) * (1 + (JITTER * hash) / 1000));
}

function grown(first_ms: number, outages: number): number {
  return Math.min(OUTAGE_MS_MAX, first_ms * 2 ** (outages - 1));
}
