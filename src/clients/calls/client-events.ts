/** What the event readers of the clients share. Pure; never throws. */
import { isOutageStatus, LOGIN } from '../core/client-end.ts';
import { ownReason } from '../../permissions/core/denial.ts';
import type { ClientError } from '../../task/core/attempts/client-report.ts';
import { fields, isFields, parsedJson, type Fields } from '../../task/core/base/json.ts';
import type { AgentProgress } from '../../process/adapter.ts';

const TEXT_MAX = 4000;
const DETAIL_MAX = 160;

export function reader(
  ofEvent: (event: Fields) => readonly AgentProgress[],
  ofLine: (line: string) => readonly AgentProgress[] = plainLine,
) {
  return (line: string): readonly AgentProgress[] => {
    const event = eventIn(line);
    return isFields(event) ? ofEvent(event) : ofLine(line);
  };
}

/** undefined for a line of stderr, and for an event that was cut. */
function eventIn(line: string): unknown {
  return line.startsWith('{') ? parsedJson(line) : undefined;
}

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : '';
}

/** undefined for what is no count. */
export function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function sum(...values: readonly unknown[]): number | undefined {
  const known = values.map(amount).filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.round(known.reduce((a, b) => a + b, 0));
}

/** Lines that clients print at each start: they explain no failure. */
const CHATTER =
  /^\s+at .*(?:file:|node:|\/)|^\s+status: \d+,?$|^\}$|^\[STARTUP\]|^Ignoring \d+ permissions\.|\bcodex_skills_extension\b|^Ripgrep is not available|256-color support not detected|configuration file not found at:|^A backup file exists at:|^You can manually restore it|could not create PATH aliases|^Reading additional input from stdin|Untrusted project-local configuration is disabled/;

/** A line that is no event. One that begins like an event was cut. */
export function plainLine(line: string): readonly AgentProgress[] {
  if (line.trim() === '' || line.startsWith('{') || CHATTER.test(line)) return [];
  const why = ownReason(line);
  if (why !== undefined) return [{ kind: 'denied', tool: '', why }];
  const noise = { kind: 'noise', text: line } as const;
  return UNKNOWN_OPTION.test(line)
    ? [noise, { kind: 'error', what: 'version', text: shortened(line) }]
    : [noise];
}

/** The words of commander, clap and yargs for an unknown option. */
const UNKNOWN_OPTION =
  /^(error: )?(unknown (option|argument)s?\b|unexpected argument\b|unrecognized (option|argument|subcommand)s?\b|invalid value .* for '--)/i;

const DETAIL_KEYS =
  'command file_path filePath path absolute_path pattern query url description prompt'.split(' ');

/** The command, path or pattern that a tool is called with. */
export function detailOf(input: unknown): string {
  const given = fields(input);
  for (const name of DETAIL_KEYS) {
    const value = given[name];
    if (typeof value === 'string' && value !== '') return shortened(value);
    if (Array.isArray(value) && value.length > 0) return shortened(value.map(String).join(' '));
  }
  return '';
}

export function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  return line.length > DETAIL_MAX ? `${line.slice(0, DETAIL_MAX - 1)}…` : line;
}

export function toolUse(name: string, input: unknown, id?: unknown): readonly AgentProgress[] {
  return [{ kind: 'tool', name, detail: detailOf(input), ...callId(id) }];
}

/** `questions: [{question, options: [{label}]}]`, or one `question`. */
export function questionsIn(input: unknown): readonly AgentProgress[] {
  const given = fields(input);
  const asked = list(given['questions']);
  return (asked.length > 0 ? asked : [given]).flatMap((one) => {
    const labels = list(one['options']).map((option) => text(option['label']));
    const all = labels.filter(Boolean).join(' / ');
    const words = text(one['question']) || text(one['prompt']) || text(one['text']);
    if (words === '') return [];
    return [{ kind: 'question', text: all === '' ? words : `${words} (${all})` }];
  });
}

export function saying(words: unknown): readonly AgentProgress[] {
  return text(words).trim() === '' ? [] : [{ kind: 'line', text: text(words) }];
}

export function sessionBegins(event: Fields): readonly AgentProgress[] {
  const model = text(event['model']);
  const session = { kind: 'session', id: text(event['session_id']) } as const;
  return model === '' ? [session] : [session, { kind: 'usage', model }];
}

const LIMIT = /max(imum)?[ _](session[ _])?turns|turn limit/i;

/** `status` is the model server's, where it is known. */
function errorKind(words: string, status?: unknown): ClientError {
  if (status === 401) return 'login';
  if (isOutageStatus(`${status} ${words}`) !== true && LOGIN.test(words)) return 'login';
  if (LIMIT.test(words)) return 'limit';
  return 'model';
}

/** Some clients put the model server's JSON into their words. */
export function unwrapped(words: string): string {
  const json = /\{\s*"error"[^]*?"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(words);
  if (json === null) return words;
  const message = parsedJson(json[1] ?? '');
  if (message === undefined) return words;
  return `${words.slice(0, json.index)}${String(message)}`.replace(/^\[/, '');
}

export function failure(message: string, status?: unknown): AgentProgress {
  const words = unwrapped(message);
  const code = typeof status === 'number' && !words.includes(String(status)) ? `${status} ` : '';
  return { kind: 'error', what: errorKind(message, status), text: `${code}${words}`.trim() };
}

export function callId(id: unknown): { readonly call?: string } {
  return typeof id === 'string' && id !== '' ? { call: id } : {};
}

/** Our own words where the client quotes them, else the client's with what was to be done. */
export function denial(tool: string, input: unknown, words: string, id?: unknown): AgentProgress {
  const theirs = [detailOf(input), words].filter(Boolean).join(': ');
  const why = ownReason(words) ?? shortened(theirs).replace(/\.$/, '');
  return { kind: 'denied', tool, why, ...callId(id) };
}

const EXPLAINS = /error|fail|not found|cannot|can't|denied|no such|refused|exception|invalid/i;

/** The line of an output that explains a failure. */
function whyLine(output: string, failed: boolean): string {
  const lines = output.split('\n').filter((line) => !/^\s*(?:`{3,}\w*)?\s*$/.test(line));
  return shortened(lines.find((line) => EXPLAINS.test(line)) ?? (failed ? (lines[0] ?? '') : ''));
}

interface Ended {
  readonly failed?: boolean;
  readonly exit_code?: unknown;
  /** A command whose exit code the client does not report: its output may still explain. */
  readonly unsure?: boolean;
}

export function toolResult(
  id: unknown,
  output: string,
  { failed = false, exit_code, unsure = false }: Ended,
): readonly AgentProgress[] {
  const { call } = callId(id);
  if (call === undefined) return [];
  const code = typeof exit_code === 'number' ? { exit_code } : {};
  const ok = !failed && (code.exit_code ?? 0) === 0;
  const words = ok && !unsure ? '' : whyLine(output.replace(/<\/?tool_use_error>/g, ''), !ok);
  return [{ kind: 'result', call, ok, text: words, ...code }];
}

/** Milliseconds, where the event has a time. */
export function timeOf(line: string): number | undefined {
  const { timestamp, at } = fields(eventIn(line));
  const when = timestamp ?? at;
  const ms = typeof when === 'string' ? Date.parse(when) : when;
  return typeof ms === 'number' && Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
