/** Why a client's call left no result, in words, from what it reported and how it ended. Pure. */
import type {
  ClientEnd,
  ClientError,
  ClientNames,
  Ending,
  ClientReport,
} from '../../task/core/attempts/client-report.ts';
import { resetTime } from './reset-time.ts';

const WORDS_MAX = 300;
const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g; // oxlint-disable-line no-control-regex

/** About the call: when it ended, whether it resumed a session, whether outages have lasted too long. */
export interface Calling {
  readonly now: Date;
  readonly resumed: boolean;
  readonly out_too_long: boolean;
  /** How the path of a copy of the person's home begins, which is gone after the call. */
  readonly home_of_call: string;
  /** No other model is named for the next call. */
  readonly last_model: boolean;
}

/** Why a client's process left neither result nor questions. */
export function whyNothing(...given: Parameters<typeof whyCopied>): ClientEnd {
  const end = whyCopied(...given);
  const parts = end.reason.split(given[3].home_of_call);
  return { ...end, reason: parts.map((one, i) => (i ? one.replace(/^\w+/, '~') : one)).join('') };
}

function whyCopied(
  report: ClientReport,
  ending: Ending,
  client: ClientNames,
  { now, resumed, out_too_long, last_model }: Calling,
): ClientEnd {
  const { program, cloud } = client;
  const { last_message: last, noise = '' } = report;
  const found =
    report.error ??
    errorOfExitCode(ending.code, client, last || noise) ??
    errorInLastWords(report, ending, client) ??
    errorInNoise(report, ending);
  const isCut = found !== undefined && OUTPUT_LIMIT.test(found.text);
  const error = isCut ? ({ what: 'limit', text: found.text } as const) : found;
  const words = error === undefined ? '' : quoted(error.text);
  if (resumed && report.ended !== 'ok' && SESSION_GONE.test(`${error?.text} ${last} ${noise}`)) {
    const reason = `${program} no longer has the session of the last attempt`;
    return { outcome: 'interrupted', code: 'client_session', reason, error: 'session' };
  }
  if (error !== undefined && isOutage(error)) {
    const resets_at = resetTime(`${report.resets ?? ''} ${error.text}`, now);
    const more = out_too_long ? ', for 24 hours so far' : '';
    return {
      outcome: out_too_long ? 'blocked' : 'interrupted',
      code: 'client_outage',
      reason: `the model is not available${of(report)}${more}${words}`,
      error: 'outage',
      ...(resets_at === undefined ? {} : { resets_at }),
    };
  }
  const unfit = error && unfitFor(error);
  if (unfit !== undefined) return becauseUnfit(unfit, report, words, { resumed, last_model });
  if (error !== undefined && ACCOUNT.test(error.text)) {
    const reason = `the account of ${program} cannot be used${words.replace(/\.$/, '')}`;
    return { ...becauseOf('login', reason), code: 'client_account', stops: true };
  }
  if (error?.what === 'login') {
    const where = cloud === undefined ? program : `the cloud of ${cloud}`;
    const reason = `you are not logged in to ${where}${words.replace(/\.$/, '')}`;
    return becauseOf('login', reason);
  }
  // Once it has a session, such words are about something else.
  if (error?.what === 'version' && report.session === undefined) {
    const why = 'rejected its arguments: contracts does not know this version';
    return becauseOf('version', `${program} ${why}; update it${words}`);
  }
  const stopped = wordsOfStop(report, ending);
  if (stopped !== undefined) {
    const reason = `${program} ${stopped}, no result`;
    return { outcome: 'crashed', code: 'client_stopped', reason };
  }
  // Bridges print the server's words, and end.
  switch (error?.what === 'other' && /\bapi error\b/i.test(error.text) ? 'model' : error?.what) {
    case 'model':
      return becauseOf('model', `the model failed${of(report)}${words}`);
    case 'setup':
      return becauseOf('setup', error?.text ?? '');
    case 'limit':
      return becauseOf('limit', `${program} stopped at a limit of its own${words}`);
    case undefined:
      return silent(report, ending, program);
    default:
      return becauseOf('other', `${program} failed${words}`);
  }
}

const SESSION_GONE =
  /no conversation found with session|no rollout found for thread|error resuming session|session not found/i;

/** Words about a model that a client's catalog does not have. */
const UNLISTED = /^model unavailable: \S+\/\S+$/i;
const STATUS = /\b[45]\d\d\b/;
const OUTAGE_STATUS = /\b(?:408|429|500|502|503|504|529)\b/;
/** How an agent's words begin that are the server's. */
const SERVER_WORDS =
  /^(?:error: )?(?:api error(?::| \()|(?:we're|we are) currently experiencing|you've hit your |exceeded retry limit|stream disconnected|unexpected status [45]|selected model is at capacity|(?:your )?credit balance is too low|\w+ ran out of room)/i;
/** The answer was cut off: no outage, whatever else the words say. */
const OUTPUT_LIMIT = /reason: ?"?max_(?:output_)?tokens|output token (?:limit|maximum)/i;
/** No login helps: the account has no credit, is shut, or may not be used from here. */
const ACCOUNT =
  /credit balance is too low|insufficient credits?\b|organization (?:has been|is) disabled|(?:country|region|territory|user location)\b[^.\n]{0,30} not supported|upgrade to plus\b/i;
const OUTAGE =
  /rate.?limit|too many requests|over ?loaded|usage limit|limit (?:reached|exceeded)|hit your (?:[\w-]+ )?limit|(?<!disk )quota|resource.?exhausted|high demand|at capacity|unavailable|internal server error|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|connection error|fetch failed|stream disconnected|error sending request/i;

/** Only a bridge can end its turn well with such last words. */
function errorInLastWords(
  { last_message, ended }: ClientReport,
  { code }: Ending,
  client: ClientNames,
): ClientReport['error'] {
  if (ended === 'ok' && code === 0 && client.bridge !== true) return undefined;
  return SERVER_WORDS.test(last_message.trim()) ? { what: 'model', text: last_message } : undefined;
}

/** A status in the form of an error, not the number of a line or of a port. */
const PRINTED_STATUS = /(?:^|\b(?:error|status|http(?:\/[\d.]+)?)(?: code)?\W{0,3})([45]\d\d)\b/i;

/** How clients say that a login is needed. */
export const LOGIN =
  /not logged in|please (run|log|sign) ?\/?(in|login)|\/login\b|(?:log|sign) ?in again|invalid (api|x-api)[ -]key|incorrect api key|api key (not|is not|is missing|required)|missing (bearer|api key|environment variable)|no api key|must specify the \w+_API_KEY|set an auth method|unauthori[sz]ed|authentication[_ ](error|failed|required)|invalid authentication|credentials? (are|is)? ?(missing|invalid|expired)|token (has )?expired|oauth|\b401\b/i;

/** An outage that a client printed as plain text: its events then end without a closing one. Before a session, a login too. */
function errorInNoise(report: ClientReport, ending: Ending): ClientReport['error'] {
  const { noise: text = '', ended, session } = report;
  if (ended !== undefined || wordsOfStop(report, ending) !== undefined) return undefined;
  const status = PRINTED_STATUS.exec(text)?.[1];
  const isOne = status === undefined ? OUTAGE.test(text) : OUTAGE_STATUS.test(status);
  if (isOne) return { what: 'outage', text };
  return session === undefined && LOGIN.test(text) ? { what: 'login', text } : undefined;
}

/** A rate limit, or a server that fails or cannot be reached: the same call succeeds later. */
function isOutage({ what, text }: NonNullable<ClientReport['error']>): boolean {
  if (what === 'outage') return true;
  if (what !== 'model' && what !== 'other') return false;
  return isOutageStatus(text) ?? (OUTAGE.test(text) && !UNLISTED.test(text));
}

/** Judges the first status of a server in it; undefined where there is none. */
export function isOutageStatus(text: string): boolean | undefined {
  const status = STATUS.exec(text)?.[0];
  return status === undefined ? undefined : OUTAGE_STATUS.test(status);
}

const UNFIT = {
  no_model: 'there is no such model, or this account may not use it',
  too_long: 'the brief, and what was read for it, is longer than the model takes',
} as const;
const NO_MODEL =
  /\bmodels?\b[^:;\n]{0,80}\b(?:may not exist|(?:does|do) not exist|not found|is not (?:supported|available|valid|offered)|(?:has been|is) (?:deprecated|removed|retired|no longer))|model_?not_?found|no such model|\b(?:unknown|invalid|unsupported) model\b|\b404\b.{0,100}\bmodel: \S|\bnot have access to (?:the |this )?(?:requested )?model\b/i;
const TOO_LONG =
  /(?:prompt|input|request|context)(?: is)? too (?:long|large)|context_length_exceeded|context ?overflow|(?:maximum|max) context (?:length|window)|exceeds? the (?:model's |maximum )?(?:context|(?:number of )?(?:input )?tokens)|token count .{0,40}exceeds|exceeds? context limit|ran out of room in the .{0,20}context/i;

/** End of a call that would end so again with this model; in a session that grew, a new one may begin. */
function becauseUnfit(
  unfit: keyof typeof UNFIT,
  report: ClientReport,
  words: string,
  { resumed, last_model }: Pick<Calling, 'resumed' | 'last_model'>,
): ClientEnd {
  if (unfit === 'too_long' && resumed) {
    const reason = `the session is longer than the model takes${of(report)}; the next call begins a new one`;
    return { outcome: 'interrupted', code: 'client_session', reason, error: 'session' };
  }
  const outcome = unfit === 'too_long' && last_model ? 'blocked' : 'interrupted';
  const reason = `${UNFIT[unfit]}${of(report)}${words.replace(/\.$/, '')}`;
  const stops = last_model ? ({ stops: true } as const) : {};
  return { outcome, code: `client_${unfit}`, reason, error: unfit, ...stops };
}

/** Name of what is wrong with every call of this model. */
function unfitFor({
  what,
  text,
}: NonNullable<ClientReport['error']>): keyof typeof UNFIT | undefined {
  if (what !== 'model' && what !== 'other') return undefined;
  if (TOO_LONG.test(text)) return 'too_long';
  return NO_MODEL.test(text) || UNLISTED.test(text) ? 'no_model' : undefined;
}

function becauseOf(error: ClientError, reason: string): ClientEnd {
  return { outcome: 'failed', code: `client_${error}`, reason, error };
}

/** Without an error. */
function silent(report: ClientReport, { code }: Ending, program: string): ClientEnd {
  const { denied } = report;
  if (denied.length > 0) {
    const more = denied.length > 1 ? ` (and ${denied.length - 1} more)` : '';
    const reason = `it was denied ${bounded(denied.at(-1) ?? '')}${more}, and wrote no result`;
    return { outcome: 'failed', code: 'client_denied', reason };
  }
  if (report.failed_alike !== undefined) {
    const why = `every command of it failed${quoted(report.failed_alike)}`;
    return becauseOf('setup', `${program} wrote no result; ${why}`);
  }
  const last =
    report.last_message.trim() === '' ? '' : `; its last message${quoted(report.last_message)}`;
  const printed =
    last === '' && report.noise !== undefined ? `; it printed${quoted(report.noise)}` : last;
  const reason =
    code === 0
      ? `${program} ended and wrote no result${last}`
      : `${program} ended with exit ${code}, no result${printed}`;
  const recovered = report.ended === 'ok' && code === 1;
  return { outcome: 'failed', code: 'client_silent', reason, ...(recovered && { recovered }) };
}

function errorOfExitCode(
  code: number | null,
  { exits }: ClientNames,
  last: string,
): ClientReport['error'] {
  if (exits === undefined || code === null) return undefined;
  if (code === exits.login) return { what: 'login', text: last };
  if (code === exits.turns) return { what: 'limit', text: `too many turns (exit ${code})` };
  const status = code + 256;
  if (status === 401 || status === 403) return { what: 'login', text: `status ${status}` };
  return status >= 400 && status < 512 && code >= 144
    ? { what: 'model', text: `status ${status}` }
    : undefined;
}

const SIGNAL_CODES: ReadonlySet<number> = new Set([129, 130, 137, 143]);

/** Some clients end with exit 0, and without a closing event, when they are asked to stop. */
function wordsOfStop(report: ClientReport, { code, signal }: Ending): string | undefined {
  if (signal !== null) return `was killed by ${signal}`;
  if (report.ended !== undefined || report.error !== undefined) return undefined;
  if (code === null) return 'ended without a record';
  if (SIGNAL_CODES.has(code)) return `was stopped from outside (signal ${code - 128})`;
  return code === 0 && report.denied.length === 0
    ? 'ended without its closing event, as if it was stopped from outside'
    : undefined;
}

function of({ model }: ClientReport): string {
  return model === undefined ? '' : ` (${model})`;
}

function quoted(text: string): string {
  return text.trim() === '' ? '' : `: ${bounded(text)}`;
}

function bounded(text: string): string {
  const line = text.replace(COLOURS, '').replace(/\s+/g, ' ').trim();
  return line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX - 1)}…` : line;
}

/** Questions by the client's own tool, or last words that are a question; not where `changed`: it did something. */
export function questionsOf(report: ClientReport, changed: boolean): readonly string[] {
  if (report.asked.length > 0) return report.asked;
  const words = report.last_message.trim();
  if (changed || report.ended !== 'ok' || !/\?["'”’)*_]*$/.test(words)) return [];
  return [words];
}
