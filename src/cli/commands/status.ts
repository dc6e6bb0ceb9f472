/** status: what is going on here, what needs the person, and what to type next; also where nothing is yet. */
import { NEW_TASK, overview } from '../../engine/queries/overview.ts';
import { overviewLines } from '../output/overview-text.ts';
import { screenOf } from '../output/text-width.ts';
import { tableRows } from '../../task/core/model/transitions.ts';
import { tableOf } from '../../workspace/tasks/kinds.ts';
import { isYours, listTasks } from '../../engine/queries/list.ts';
import { accountSince } from '../../engine/queries/account.ts';
import { many } from '../../task/core/base/plural.ts';
import { accountWords } from '../../task/core/attempts/account.ts';
import { dollars } from '../../task/core/attempts/budget.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { doneWords } from '../output/ending.ts';
import { inThousands } from '../output/group-waiting.ts';
import { took } from '../output/live.ts';
import { isLively } from '../output/live-screen.ts';
import { isTerminal } from '../streams/is-terminal.ts';
import { sinceOf } from '../terminal/since.ts';
import { Misread } from '../terminal/command-shape.ts';
import { bare, openIfThere, type Place, type Verb } from '../terminal/verb-context.ts';

export const runs = {
  status: bare(async (place, flags: StatusFlags) => {
    if (flags.line === true && !place.out.json) return printLine(place);
    const verb = show(place, flags);
    if (verb !== undefined && flags.plain === true && hasPerson(place))
      await (await board()).eachChange(verb);
  }),
  /** `help states`: as Markdown, which docs/concepts.md has too. */
  states: bare(({ out, frame }) => {
    out.print('| from | when | to |\n| --- | --- | --- |');
    for (const row of tableRows(tableOf(frame.capabilities))) {
      const from = row.from.length > 3 ? 'anything' : row.from.join(', ');
      out.print(`| ${from} | ${row.when} | ${row.to} |`);
      out.data({ v: 1, event: 'transition', ...row });
    }
  }),
  /** No verb was typed: where no workspace is, the help is the answer. */
  'status here': bare(async (place, flags: StatusFlags) => {
    const isPlain = flags.plain === true || place.ask === undefined;
    const verb = openIfThere(place);
    if (!place.out.json && verb === undefined) throw new Misread('no workspace', '');
    const isLive = verb !== undefined && flags.since === undefined && hasPerson(place);
    if (isLive && !isPlain) return (await board()).atBoard(verb);
    show(place, flags);
    if (isLive) await (await board()).eachChange(verb);
  }),
};

interface StatusFlags {
  readonly line?: boolean;
  readonly plain?: boolean;
  readonly since?: string;
}

const board = () => import('../board/at-board.ts');

/** A person is before the terminal, whatever it can draw. */
const hasPerson = ({ out, frame: { streams } }: Place): boolean =>
  !out.json && isLively(streams, { ...process.env, TERM: '' }) && isTerminal(0);

/** One paragraph, before the overview. */
function printAccount(verb: Verb, text: string): void {
  const { ws, out } = verb;
  const since_ms = sinceOf(verb, text, ws.machine.now());
  const { use, ...account } = accountSince(ws, since_ms);
  const since = new Date(since_ms).toISOString();
  out.data({ v: 1, event: 'account', since, ...account, ...use });
  const { done, calls, seconds } = account;
  const used = [
    ...(calls > 0 ? [`${many(calls, 'call')} in ${took(seconds * 1000)}`] : []),
    ...(use.tokens > 0 ? [`${inThousands(use.tokens)} tokens`] : []),
    ...(use.cost_usd > 0 ? [dollars(use.cost_usd)] : []),
  ];
  const words = [
    `Since ${since.replace(/\.\d+Z$/, 'Z')}: ${doneWords(done)}`,
    ...accountWords(account),
    ...(used.length > 0 ? [`${used.join(', ')}.`] : []),
  ];
  out.printWrapped(`${escapeText(words.join(' '))}\n`);
}

/** For the status line of a client: nothing where nothing waits, or where no workspace is. */
function printLine(place: Place): void {
  const verb = openIfThere(place);
  const count = verb === undefined ? 0 : listTasks(verb.ws).tasks.filter(isYours).length;
  if (count > 0)
    place.out.print(`${many(count, 'task')} ${count === 1 ? 'waits' : 'wait'} for you`);
}

/** Gives the workspace, where there is one. */
function show(place: Place, flags: StatusFlags): Verb | undefined {
  const verb = openIfThere(place);
  if (verb !== undefined && flags.since !== undefined) printAccount(verb, flags.since);
  const { out, frame } = verb ?? place;
  const nothing = {
    workspace: '',
    counts: [],
    running: [],
    needs_person: [],
    for_host: [],
    problems: [],
  };
  const found = verb && overview(verb.ws);
  const { problems, ...rest } = found ?? { ...nothing, next: ['contracts init', NEW_TASK] };
  if (!out.json) for (const problem of problems) out.problem(problem);
  out.data({ v: 1, event: 'overview', ...rest, problems });
  if (found === undefined || verb === undefined) {
    out.print('contracts: work for agents as folders that anyone can read.');
    out.print(
      `There is no workspace here or in a folder above.\n\nNext\n  ${rest.next.join('\n  ')}`,
    );
  } else {
    for (const line of overviewLines(found, screenOf(frame.streams).limit)) out.print(line);
  }
  return verb;
}
