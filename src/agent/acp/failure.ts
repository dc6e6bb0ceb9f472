/**
 * What went wrong with an agent, in words for a person: it does not speak the protocol, nobody is
 * logged in, it speaks another version, it ended in the middle, its model failed. Pure.
 */
import type { ClientError } from '../../core/heard.ts';

export interface Failure {
  readonly what: ClientError;
  readonly text: string;
}

/** Where in the talk it happened. */
export type Phase = 'initialize' | 'session' | 'prompt';

/** What is known beside the error itself. */
export interface Circumstance {
  readonly phase: Phase;
  /** The first line of its output that is no JSON. */
  readonly garbage: string | undefined;
  /** How it ended, where it did. */
  readonly ended: string | undefined;
  /** The last line on its stderr. */
  readonly printed?: string | undefined;
  /** Ways to log in, as it names them. */
  readonly logins: readonly string[];
}

const AUTH_REQUIRED = -32000;

/** The words go on after the name of the program: it is said by whoever shows them. */
export function failureOf(error: unknown, about: Circumstance): Failure {
  const { phase, garbage, ended } = about;
  if (codeOf(error) === AUTH_REQUIRED) {
    const by = about.logins.length === 0 ? '' : ` (it offers: ${about.logins.join(', ')})`;
    return { what: 'login', text: `${wordsOf(error)}${by}` };
  }
  if (phase === 'initialize' && garbage !== undefined) {
    const text = `it does not speak ACP: it printed ${JSON.stringify(cut(garbage, 200))}`;
    return { what: 'other', text: ended === undefined ? text : `${text} and ${ended}` };
  }
  if (ended !== undefined) {
    const { printed } = about;
    const when = {
      initialize: `before it answered${printed === undefined ? '; does it speak ACP?' : ''}`,
      session: 'before it had a session',
      prompt: 'while it worked',
    };
    const last = printed === undefined ? '' : `: ${cut(printed, 300)}`;
    return { what: 'other', text: `it ${ended} ${when[phase]}${last}` };
  }
  switch (phase) {
    case 'initialize':
      return {
        what: 'other',
        text: `it does not speak ACP: initialize was answered with ${wordsOf(error)}`,
      };
    case 'session':
      return { what: 'other', text: `it gave no session: ${wordsOf(error)}` };
    case 'prompt':
      return { what: 'model', text: wordsOf(error) };
  }
}

/** Why a turn ended other than by its end; undefined when it is well. */
export function failureOfStop(reason: string): Failure | undefined {
  switch (reason) {
    case 'end_turn':
      return undefined;
    case 'max_tokens':
      return { what: 'limit', text: 'no tokens are left in this turn' };
    case 'max_turn_requests':
      return { what: 'limit', text: 'no requests are left in this turn' };
    case 'refusal':
      return { what: 'model', text: 'it refused to go on' };
    case 'cancelled':
      return { what: 'other', text: 'the turn was cancelled' };
    default:
      return { what: 'other', text: `the turn ended with ${reason}` };
  }
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
}

export function errorCodeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** The message and, where it says more, what came with it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return cut(String(error), 500);
  const data = (error as { readonly data?: unknown }).data;
  const more =
    data === undefined || data === null
      ? ''
      : typeof data === 'string'
        ? data
        : (detailOf(data) ?? JSON.stringify(data));
  return cut(
    more === '' || error.message.includes(more) ? error.message : `${error.message}: ${more}`,
    500,
  );
}

function detailOf(data: unknown): string | undefined {
  const { details, message } = data as { readonly details?: unknown; readonly message?: unknown };
  if (typeof details === 'string') return details;
  return typeof message === 'string' ? message : undefined;
}

function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text;
}
