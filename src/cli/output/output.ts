/**
 * Where lines go and how they look: words for people, one JSON value a line with `--json`. Text from files and
 * agents is escaped before it is printed. Colour never carries meaning alone.
 */
import { KIND_WORDS } from '../../task/core/attempts/counters.ts';
import { colours as pc } from './colour.ts';
import { deniedWords } from '../../permissions/core/denial.ts';
import { EVENT_VERSION, type Event } from '../../task/core/lines/event.ts';
import type { Line } from '../schema/all-lines.ts';
import type { Exact, LineOf, LineShapes } from '../../task/core/lines/line-types.ts';
import { STATE_MARKS } from '../../task/core/model/marks.ts';
import { noticedWords } from '../../task/core/attempts/noticed.ts';
import { formatProblem, type Problem } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { screenOf, wrap } from './text-width.ts';
import type { Streams } from '../streams/streams.ts';

export interface Output {
  readonly json: boolean;
  /** One line for people; nothing with `--json`. */
  print(line: string): void;
  /** A sentence: wrapped at a terminal's width, with short names of tasks. */
  printWrapped(line: string): void;
  /** Short names in the place of whole ids. */
  short(line: string): string;
  /** A path below the workspace root, as it is opened from the person's folder. */
  path(file: string): string;
  /** One JSON value on a line, of a shape in cli/schema/all-lines.ts; nothing without `--json`. */
  data<L extends Line>(line: Exact<L, Line>): void;
  event(event: Event): void;
  problem(problem: Problem): void;
}

/** `data` for the lines of a capability. */
export function dataOf<S extends LineShapes>() {
  return <L extends LineOf<S>>({ data }: Output, line: Exact<L, LineOf<S>>): void =>
    data(line as never);
}

/** Lines after the first of a wrapped one begin so far to the right. */
const HANGING = 4;

/** The file of a problem with what was typed: no place is shown. */
export const COMMAND_LINE = 'contracts';

export function makeOutput(
  streams: Streams,
  json: boolean,
  path: Output['path'] = (file) => file,
  short: Output['short'] = (line) => line,
): Output {
  const print = (line: string): void => {
    if (!json) streams.out(`${line}\n`);
  };
  const printWrapped = (line: string): void => print(fitted(line).join('\n'));
  const fitted = (line: string): string[] =>
    streams.isTTY === true ? wrap(short(line), screenOf(streams).limit, HANGING) : [short(line)];
  const data = (line: Line): void => {
    if (json) streams.out(`${jsonText(line)}\n`);
  };
  return {
    json,
    print,
    printWrapped,
    path,
    short,
    data,
    event: (event) => {
      if (json) return data({ v: EVENT_VERSION, ...event });
      const line = eventLine(event);
      if (line !== undefined) printWrapped(line);
    },
    problem: (problem) => {
      if (json) data({ v: EVENT_VERSION, event: 'problem', problem });
      else {
        const line = problemLine({ ...problem, file: path(problem.file) });
        streams.err(`${fitted(line).join('\n')}\n`);
      }
    },
  };
}

/** JSON in which no character can drive a terminal: JSON.stringify leaves C1 and bidi as they are. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return /^[ -~\n]*$/.test(text)
    ? text
    : text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
        [...Array(char.length).keys()]
          .map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
          .join(''),
      );
}

function problemLine(problem: Problem): string {
  const placed = formatProblem(problem);
  const bare = problem.file === COMMAND_LINE ? placed.slice(placed.indexOf(': ') + 2) : placed;
  const text = escapeText(bare);
  return problem.severity === 'error' ? pc.red(text) : pc.yellow(text);
}

export function colourState(state: State, text: string = state): string {
  return pc[STATE_MARKS[state].colour](text);
}

/** The move reports what moved the task; this, what its agent may have done besides. */
function endedLine(event: Extract<Event, { event: 'ended' }>): string | undefined {
  const { task, kind, nth, outcome, reason, noticed } = event;
  // Where that is the reason, the move reports it.
  const denied = event.code === 'client_denied' ? undefined : deniedWords(event.denied);
  const words: string[] = [];
  if (outcome === 'interrupted')
    words.push(`${KIND_WORDS[kind]} ${nth}: ${outcome}, ${escapeText(reason)}`);
  if (denied !== undefined) words.push(pc.yellow(escapeText(denied)));
  if (noticed !== undefined) {
    const seen = `${noticedWords(noticed)} while it worked; not counted against the agent`;
    words.push(pc.yellow(`${seen}: contracts show ${task}`));
  }
  return words.length === 0 ? undefined : `${task}  ${words.join('; ')}`;
}

/** One event in one line; undefined for those that people do not need to see. */
function eventLine(event: Event): string | undefined {
  switch (event.event) {
    case 'moved':
      return `${event.task}  ${colourState(event.from)} → ${colourState(event.to)}  ${escapeText(event.reason)}${event.noticed === undefined ? '' : pc.yellow(`; ${noticedWords(event.noticed)}: contracts show ${event.task}`)}`;
    case 'claimed':
      return event.kind === 'review'
        ? `${event.task}  review ${event.nth}: ${escapeText(event.reason)}`
        : undefined;
    case 'called':
      return `${event.task}  calls ${escapeText(event.agent)} (${escapeText(event.adapter)})`;
    case 'ended':
      return endedLine(event);
    case 'checked':
      return `${event.task}  check ${event.passed ? pc.green('passed') : pc.red('failed')}: ${escapeText(event.check)}${event.reason === 'passed' ? '' : ` (${escapeText(event.reason)})`}`;
    case 'waits':
      return `${event.task}  ${colourState(event.state)}: ${escapeText(event.reason)}${event.fix === '' ? '' : pc.dim(`  → ${escapeText(event.fix)}`)}`;
    case 'recovered':
      return `${event.task}  recovered: ${escapeText(event.reason)}`;
    case 'wrote':
      return `${event.task}  ${event.left === true ? '' : 'wrote '}${escapeText(event.file)}: ${escapeText(event.reason)}`;
    case 'gate_approved':
      return `${event.task}  gate ${event.number} of ${event.of} approved (${escapeText(event.gate)}), waits for ${escapeText(event.waits_for)}`;
    case 'child_made':
    case 'overlaps':
    case 'lost_race':
    case 'moved_by_hand':
      return `${event.task}  ${escapeText(event.reason)}`;
    case 'box':
      return `plan ${escapeText(event.plan)}  line ${event.line}: ${escapeText(event.reason)}${event.fix === '' ? '' : pc.dim(`  → ${escapeText(event.fix)}`)}`;
    case 'problem':
      return problemLine(event.problem);
    case 'fault':
      return pc.red(
        `${event.task === undefined ? '' : `${event.task}  `}fault: ${escapeText(event.reason)}. ${escapeText(event.fix)}`,
      );
    case 'lags':
      return `${event.task}  ${pc.yellow('LAGGING')}: its agent named no new step for ${event.seconds} s`;
    case 'goes_on':
      return `${event.task}  active again after ${event.seconds} s of silence`;
    case 'retries':
      if (event.times > 1) return undefined;
      return `${event.task}  ${pc.yellow('the model does not answer')}, its client tries again: ${escapeText(event.text)}`;
    case 'progress':
    case 'status':
      return undefined;
  }
}
