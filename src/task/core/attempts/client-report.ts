/** What an agent's client reported, and how its process ended. Texts are untrusted and bounded. */
import type { OutcomeCode } from './outcome-codes.ts';

/**
 * Why a client failed: there is no login, it is of another version, the model refused, there is no such model,
 * the text is longer than the model takes, the model cannot be reached or its limit is used up, its session is
 * gone, a limit of its own, no command can run where it works, something else.
 */
export const CLIENT_ERRORS = [
  'login',
  'version',
  'model',
  'no_model',
  'too_long',
  'outage',
  'session',
  'limit',
  'setup',
  'other',
] as const;
export type ClientError = (typeof CLIENT_ERRORS)[number];

export interface ClientReport {
  readonly session?: string;
  readonly model?: string;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost_usd?: number;
  /** Figures that are those of its whole session, with earlier calls in it: all of them, or the cost alone. */
  readonly of_session?: 'all' | 'cost_usd';
  /** At least one use of a tool was judged before it happened. */
  readonly judged?: true;
  /** `tool: why`, each call once. */
  readonly denied: readonly string[];
  /** Questions of the client itself to whoever sits there, each once. */
  readonly asked: readonly string[];
  /** The last one. */
  readonly error?: { readonly what: ClientError; readonly text: string };
  /** When a limit ends, in the client's words (reset-time.ts). */
  readonly resets?: string;
  /** The last closing event; undefined when there was none. */
  readonly ended?: 'ok' | 'failed';
  /** The text with which each of its commands failed. */
  readonly failed_alike?: string;
  readonly last_message: string;
  /** The last line that the client printed beside its events. */
  readonly noise?: string;
  /** The machine of a worker that called it, and what confined it there. */
  readonly machine?: { readonly name: string; readonly enforced: readonly string[] };
  /** How its process ended there. */
  readonly ended_there?: Ending;
}

/** The program of a client, for words. */
export interface ClientNames {
  readonly program: string;
  readonly login: string;
  /** The variable that sends it to a cloud, where its own login does not count. */
  readonly cloud?: string | undefined;
  /** Exit codes that say why it ended; others are the low eight bits of the server's status. */
  readonly exits?: { readonly login: number; readonly turns: number };
  /** True if it reports tokens, and not what they cost. */
  readonly costless?: boolean;
  /** True if it can end a turn well with the error of the model's server as the agent's words. */
  readonly bridge?: boolean;
}

/** Why there is neither result nor question, and what that makes of the attempt. */
export interface ClientEnd {
  readonly code: Extract<OutcomeCode, `client_${string}`>;
  readonly outcome: 'failed' | 'crashed' | 'interrupted' | 'blocked';
  readonly reason: string;
  readonly error?: ClientError;
  /** Exit 1 after a last event that says that all is well: OpenCode 2, after an error that was tried again. */
  readonly recovered?: true;
  /** Every further call would end with the same. */
  readonly stops?: true;
  /** An instant, where it reported one. */
  readonly resets_at?: string;
}

/** Ways in which the process of an agent ends. */
export const ENDS = [
  ...(['exited', 'timed_out', 'stalled', 'output_limit', 'cancelled', 'failed_to_start'] as const),
] as const;

/** Ends without an answer: its worker is silent, the queue lost the job, or one side refused what the other sent. */
export const ENDS_ELSEWHERE = ['machine_lost', 'queue_lost', 'refused'] as const;

/** How the agent's process ended, as far as anybody knows. */
export interface Ending {
  readonly reason: (typeof ENDS)[number] | (typeof ENDS_ELSEWHERE)[number] | 'unknown';
  /** As in sh: 127 for a missing program, 128+n for signal n. null: it never ran to an end. */
  readonly code: number | null;
  /** Set when the wrapper itself was killed. */
  readonly signal: string | null;
  readonly error?: string;
}
