/** What went wrong with an agent, in words for a person. Pure. */
import type { ClientError } from '../../task/core/attempts/client-report.ts';
import { fields } from '../../task/core/base/json.ts';

export interface Failure {
  readonly what: ClientError;
  readonly text: string;
}

export interface Circumstance {
  readonly phase: 'initialize' | 'session' | 'prompt';
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

/** The words follow the name of the program, which the caller adds. */
export function failureOf(error: unknown, about: Circumstance): Failure {
  const { phase, garbage, ended } = about;
  if (fields(error)['code'] === AUTH_REQUIRED) {
    const by = about.logins.length === 0 ? '' : ` (it offers: ${about.logins.join(', ')})`;
    return { what: 'login', text: `${wordsOf(error)}${by}` };
  }
  if (phase === 'initialize' && garbage !== undefined) {
    const text = `it does not speak ACP: it printed ${JSON.stringify(cut(garbage, 200))}`;
    return other(ended === undefined ? text : `${text} and ${ended}`);
  }
  if (ended !== undefined) {
    const { printed } = about;
    const when = {
      initialize: `before it answered${printed === undefined ? '; does it speak ACP?' : ''}`,
      session: 'before it had a session',
      prompt: 'while it worked',
    };
    const last = printed === undefined ? '' : `: ${cut(printed, 300)}`;
    return other(`it ${ended} ${when[phase]}${last}`);
  }
  switch (phase) {
    case 'initialize':
      return other(`it does not speak ACP: initialize was answered with ${wordsOf(error)}`);
    case 'session':
      return other(`it opened no session: ${wordsOf(error)}`);
    case 'prompt':
      return { what: 'model', text: wordsOf(error) };
  }
}

function other(text: string): Failure {
  return { what: 'other', text };
}

const STOPS: ReadonlyMap<string, Failure | undefined> = new Map([
  ['end_turn', undefined],
  ['max_tokens', { what: 'limit', text: 'no tokens are left in this turn' }],
  ['max_turn_requests', { what: 'limit', text: 'no requests are left in this turn' }],
  ['refusal', { what: 'model', text: 'it refused to continue' }],
  ['cancelled', other('the turn was cancelled')],
]);

/** Why a turn ended other than by its end; undefined when it is well. */
export function failureOfStop(reason: string): Failure | undefined {
  return STOPS.has(reason) ? STOPS.get(reason) : other(`the turn ended with ${reason}`);
}

/** The message, and what came with it where that has more. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return cut(String(error), 500);
  const data = fields(error)['data'] ?? '';
  const { details, message } = fields(data);
  const text = [data, details, message].find((one) => typeof one === 'string');
  const more = text ?? JSON.stringify(data);
  return cut(error.message.includes(more) ? error.message : `${error.message}: ${more}`, 500);
}

function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text;
}
