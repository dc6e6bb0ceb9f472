/** list: what stands where, and what it waits for, a line a task. */
import type { Command } from 'commander';
import { nearest } from '../../core/nearest.ts';
import { isState, LIVE_STATES, STATES, type State } from '../../core/state.ts';
import {
  countTasks,
  listNames,
  listTasks,
  type ListedTask,
  type ListQuery,
} from '../../engine/verbs/list.ts';
import { escapeText } from '../../text/terminal.ts';
import { ageText } from '../age.ts';
import type { Frame } from '../frame.ts';
import { columns, screenOf, type Column } from '../layout.ts';
import { nothingStands } from '../nothing.ts';
import { colourState, makeOutput } from '../output.ts';
import { collectValues, example, misused, open, refuse, type Verb } from '../verb.ts';

interface ListFlags {
  readonly state: readonly string[];
  readonly agent?: readonly string[];
  readonly plan?: readonly string[];
  readonly tag?: readonly string[];
  readonly text?: string;
  readonly waitsFor?: readonly string[];
  readonly sort?: string;
  readonly by?: string;
  readonly all?: boolean;
  readonly ids?: boolean;
  readonly json?: boolean;
}

const SORTS = ['age', 'priority', 'id'] as const;
/** `me` is whoever asks: a person. */
const WAITS = ['me', 'person', 'agent', 'host', 'task', 'slot', 'step', 'nobody'] as const;

export function list(command: Command, frame: Frame): void {
  command
    .argument('[text...]', 'only tasks with this in their id, title or objective')
    .option('--state <state>', 'only this state; may be repeated', collectValues, [])
    .option('--agent <name>', 'only what this agent executes; may be repeated', collectValues)
    .option('--plan <name>', 'only of this plan; may be repeated', collectValues)
    .option('--tag <name>', 'only with this tag; may be repeated', collectValues)
    .option('--text <text>', 'the same as the words behind list')
    .option('--waits-for <whom>', 'me, agent, host, task, …; may be repeated', collectValues)
    .option('--sort <key>', 'age (longest first), priority or id; else by state')
    .option('--by <key>', 'state: only how many tasks stand in each')
    .option('--all', 'done and aborted too')
    .option('--ids', 'nothing but the ids')
    .option('--json', 'one JSON value a line')
    .addHelpText(
      'after',
      example(
        'contracts list\ncontracts list login --state blocked\ncontracts list --waits-for me --sort age\ncontracts list --by state',
      ),
    )
    .action((words: string[], flags: ListFlags, self: Command) => {
      const misuse =
        unknownWord('state', flags.state, STATES) ??
        unknownWord('waits-for', flags.waitsFor ?? [], WAITS) ??
        unknownWord('sort', flags.sort === undefined ? [] : [flags.sort], SORTS) ??
        unknownWord('by', flags.by === undefined ? [] : [flags.by], ['state']);
      if (misuse !== undefined) {
        refuse(frame, makeOutput(frame.streams, flags.json === true), [misuse]);
        return;
      }
      const verb = open(frame, self);
      if (verb !== undefined) doList(verb, flags, words.join(' '));
    });
}

function unknownWord(flag: string, given: readonly string[], known: readonly string[]) {
  const found = given.find((text) => !known.includes(text));
  if (found === undefined) return undefined;
  const what = flag === 'state' ? 'there is no state of this name; there are' : `--${flag} takes`;
  const near = nearest(found, known);
  const fix =
    near === undefined
      ? `Name one: contracts list --${flag} ${known[flag === 'state' ? 1 : 0] ?? ''}`
      : `Did you mean ${near}? contracts list --${flag} ${near}`;
  return misused(`${what} ${known.join(', ')}`, fix, found);
}

function doList(verb: Verb, flags: ListFlags, words: string): void {
  const { out } = verb;
  const wanted = flags.state.filter(isState);
  const states = flags.all === true ? STATES : wanted.length > 0 ? wanted : undefined;
  if (flags.by === 'state') {
    for (const count of countTasks(verb.ws, states ?? LIVE_STATES)) {
      out.data({ v: 1, event: 'count', ...count });
      out.say(
        `${colourState(count.state, count.state.padEnd(11))}  ${`${count.tasks}`.padStart(6)}`,
      );
    }
    return;
  }
  const plainly = flags.sort === undefined && !isNarrowed({ ...flags, state: [] }, words);
  if (flags.ids === true && !out.json && plainly) {
    const { ids, problems } = listNames(
      verb.ws,
      states === undefined ? undefined : new Set(states),
    );
    for (const problem of problems) out.problem(problem);
    for (const id of ids) out.say(id);
    return;
  }
  const listing = listTasks(verb.ws, queryOf(flags, words, states));
  for (const problem of listing.problems) out.problem(problem);
  for (const task of listing.tasks) out.data({ v: 1, event: 'task', ...task });
  // A program reads these: no words, also where there are none.
  if (flags.ids === true) {
    for (const { id } of listing.tasks) out.say(id);
    return;
  }
  const { limit } = screenOf(verb.frame.streams);
  for (const line of taskLines(listing.tasks, limit, verb.ws.machine.now())) out.say(line);
  if (listing.tasks.length > 0 || listing.problems.length > 0 || out.json) return;
  out.say(nothingSaid(verb, flags, words));
}

function nothingSaid(verb: Verb, flags: ListFlags, words: string): string {
  return isNarrowed(flags, words)
    ? 'No task is like that. See them all: contracts list --all'
    : nothingStands(verb.ws, flags.all === true ? STATES : LIVE_STATES, 'list');
}

function queryOf(flags: ListFlags, words: string, states: readonly State[] | undefined): ListQuery {
  const text = [flags.text ?? '', words].filter((one) => one !== '').join(' ');
  const waits = flags.waitsFor?.map((whom) => (whom === 'me' ? 'person' : whom));
  return {
    states: states === undefined ? undefined : new Set(states),
    agents: flags.agent,
    plans: flags.plan,
    tags: flags.tag,
    text: text === '' ? undefined : text,
    waits_for: waits as ListQuery['waits_for'],
    sort: flags.sort as ListQuery['sort'],
  };
}

function isNarrowed(flags: ListFlags, words: string): boolean {
  const { state, agent, plan, tag, waitsFor, text = '' } = flags;
  const given = [...state, ...(agent ?? []), ...(plan ?? []), ...(tag ?? []), ...(waitsFor ?? [])];
  return given.length > 0 || `${text}${words}` !== '';
}

const TITLE: Column = { least: 16, most: 60 };
const REASON: Column = { least: 20 };
/** State, age and the spaces between. */
const OTHER_CELLS = 11 + 4 + 6;
/** Ids that `new` makes are shorter. */
const ID_CELLS = 40;

/** State, id, age, title, reason. Where there is no room for all, the title goes: the id tells it. */
export function taskLines(tasks: readonly ListedTask[], limit: number, now: Date): string[] {
  const id_cells = tasks.reduce((most, { id }) => Math.min(ID_CELLS, Math.max(most, id.length)), 0);
  const room = limit - OTHER_CELLS - id_cells - (REASON.least ?? 0);
  const titled = room >= (TITLE.least ?? 0) + 2;
  const rows = tasks.map((task) => [
    task.state,
    task.id,
    ageText(now.getTime() - Date.parse(task.stands_since)),
    titled ? escapeText(task.title) : '',
    escapeText(task.reason),
  ]);
  const id: Column = { least: room >= 0 ? id_cells : 16, ids: true };
  return columns(rows, [{}, id, {}, TITLE, REASON], limit).map((line, i) => {
    const { state } = tasks[i] ?? { state: 'draft' };
    return colourState(state) + line.slice(state.length);
  });
}
