/**
 * What may stand where the cursor is: `contracts complete -- WORD…`, called by the scripts of
 * `completion` at every Tab. Verbs and flags come from the verbs themselves, ids from the names of
 * folders alone: no file of a task is read. One line a candidate, a tab, a word about it; the line
 * `:files` asks the shell for file names. It fails by saying nothing.
 */
import { Command, type Option } from 'commander';
import { CONTRACT_TYPES, PRIORITIES } from '../../core/contract-shape.ts';
import { LIVE_STATES, STATES, type State } from '../../core/state.ts';
import { agentsOf } from '../../engine/agent-book.ts';
import { planNames } from '../../engine/plans.ts';
import { openWorkspace } from '../../engine/workspace.ts';
import { TASK_FILES } from '../../store/layout.ts';
import { listState } from '../../store/tasks.ts';
import type { Frame } from '../frame.ts';
import type { VerbEntry } from '../verbs.ts';

const CANDIDATES_MAX = 1000;
const FILES = ':files';
const ABOUT_CHARS_MAX = 60;
const ENDED: readonly State[] = ['done', 'aborted'];

/** In which states a verb finds what it acts on; all live ones when it is not named here. */
const STATES_OF: Readonly<Record<string, readonly State[]>> = {
  confirm: ['draft'],
  answer: ['questions'],
  approve: ['review'],
  'needs-work': ['review'],
  reject: ['review'],
  resolve: ['blocked'],
  retry: ['blocked'],
  reopen: ENDED,
  archive: ENDED,
  delegate: ['ready'],
  collect: ['in_progress'],
  show: STATES,
};

type Candidate = string | readonly [value: string, about: string];

/** Candidates for the last word, those that begin with it. */
export async function candidates(
  words: readonly string[],
  verbs: readonly VerbEntry[],
  frame: Frame,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const all = await listed(words.slice(0, -1), typed, verbs, frame);
  return all
    .map((one) => (typeof one === 'string' ? ([one, ''] as const) : one))
    .filter(([value]) => value === FILES || value.startsWith(typed))
    .slice(0, CANDIDATES_MAX)
    .map(([value, about]) => (about === '' ? value : `${value}\t${about}`));
}

async function listed(
  before: readonly string[],
  typed: string,
  verbs: readonly VerbEntry[],
  frame: Frame,
): Promise<readonly Candidate[]> {
  const { name, dir, rest } = verbIn(before);
  const last = before.at(-1) ?? '';
  if (name === undefined) {
    if (last === '-C' || last === '--dir') return [FILES];
    if (typed.startsWith('-')) return ['--dir', '--help', '--version'];
    return [...verbNames(verbs), ['help', 'what a verb is for']];
  }
  if (name === 'help') return verbNames(verbs);
  const entry = verbs.find((one) => one.name === name);
  if (entry === undefined) return [];
  const whole = new Command(name);
  (await entry.load())(whole, frame);
  const [first = '', ...behind] = rest;
  const inner = whole.commands.find((one) => one.name() === first);
  if (inner === undefined && rest.length === 0 && !typed.startsWith('-')) {
    const known = whole.commands.map((one): Candidate => [one.name(), one.description()]);
    if (known.length > 0) return known;
  }
  const command = inner ?? whole;
  const given = inner === undefined ? rest : behind;
  const option = command.options.find((one) => takesValue(one, last));
  if (option !== undefined) return valuesOf(option, dir);
  if (typed.startsWith('-')) return flagsOf(command);
  return argumentsOf(command, positionals(command, given), typed, dir);
}

interface Before {
  readonly name: string | undefined;
  readonly dir: string | undefined;
  /** Behind the verb. */
  readonly rest: readonly string[];
}

function verbIn(words: readonly string[]): Before {
  let dir: string | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '--dir') dir = words[++i];
    else if (!word.startsWith('-')) return { name: word, dir, rest: words.slice(i + 1) };
  }
  return { name: undefined, dir, rest: [] };
}

function verbNames(verbs: readonly VerbEntry[]): Candidate[] {
  return verbs.map(({ name, summary }) => [name, summary]);
}

/** The word is this option, and the next one its value. */
function takesValue(option: Option, word: string): boolean {
  return (option.required || option.optional) && (word === option.long || word === option.short);
}

function flagsOf(command: Command): Candidate[] {
  const own = command.options.map((one): Candidate => [
    one.long ?? one.short ?? '',
    one.description,
  ]);
  return [...own, ['--help', 'what it is for, with an example']];
}

function positionals(command: Command, words: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const before = words[i - 1] ?? '';
    const value = command.options.some((one) => takesValue(one, before));
    return !word.startsWith('-') && !value;
  });
}

function valuesOf(option: Option, dir: string | undefined): readonly Candidate[] {
  switch (option.long) {
    case '--state':
      return STATES;
    case '--only':
      return ids(LIVE_STATES, dir);
    case '--depends-on':
      return ids(STATES, dir);
    case '--priority':
      return PRIORITIES;
    case '--type':
      return CONTRACT_TYPES;
    case '--adapter':
      return ['shell', 'human', 'host'];
    case '--agent':
      return agentNames(dir);
    case '--gate':
      return [['person', 'you, or somebody else'], ...agentNames(dir)];
    case '--from':
    case '--context-file':
    case '--deliverable':
      return [FILES];
    default:
      return option.argChoices ?? [];
  }
}

function argumentsOf(
  command: Command,
  given: readonly string[],
  typed: string,
  dir: string | undefined,
): readonly Candidate[] {
  const all = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[given.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return [];
  switch (argument.name()) {
    case 'id': {
      const wanted = STATES_OF[command.name()] ?? LIVE_STATES;
      // Years of ended tasks are offered only to somebody who has begun to write one.
      const states = typed === '' && wanted === STATES ? LIVE_STATES : wanted;
      return ids(states, dir).filter(([id]) => !given.includes(id));
    }
    case 'agent':
      return agentNames(dir);
    case 'plan':
      return plans(dir);
    case 'file':
      return TASK_FILES.map((name) => name.slice(0, -'.md'.length));
    case 'folder':
      return [FILES];
    default:
      return argument.argChoices ?? [];
  }
}

/** Whom people are shown, with what each is for. */
function agentNames(dir: string | undefined): Candidate[] {
  const ws = openWorkspace(dir === undefined ? {} : { dir });
  if (!ws.ok) return [];
  const book = agentsOf(ws.value);
  return book.offered().map((name) => {
    const about = (book.get(name)?.description ?? '')
      .replace(/\s+/g, ' ')
      .slice(0, ABOUT_CHARS_MAX);
    return [name, about];
  });
}

function plans(dir: string | undefined): readonly Candidate[] {
  const ws = openWorkspace(dir === undefined ? {} : { dir });
  return ws.ok ? planNames(ws.value) : [];
}

function ids(states: readonly State[], dir: string | undefined): (readonly [string, string])[] {
  const ws = openWorkspace(dir === undefined ? {} : { dir });
  if (!ws.ok) return [];
  const { disk, layout } = ws.value;
  return states.flatMap((state) =>
    listState(disk, layout, state).ids.map((id) => [id, state] as const),
  );
}
