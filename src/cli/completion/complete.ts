/**
 * What may stand where the cursor is: `contracts complete -- WORD…`, called by the scripts of
 * `completion` at every Tab. Verbs and flags come from the verbs themselves, ids from the names of
 * folders alone: no file of a task is read. One line a candidate, a tab, a word about it; the line
 * `:files` asks the shell for file names. It fails by saying nothing.
 */
import { LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { openWorkspace, type OpenOptions, type Workspace } from '../../workspace/open/workspace.ts';
import { TASK_FILES } from '../../task/store/tasks/layout.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import { verbsOf } from '../startup/verbs.ts';
import { flagsOf, innerVerbs, namesOf } from '../terminal/command-shape.ts';
import type { Frame } from '../terminal/frame.ts';
import type { Flag, Line, VerbShape } from '../../workspace/tasks/verb.ts';

const CANDIDATES_MAX = 1000;
const FILES = ':files';
const ABOUT_CHARS_MAX = 60;

type Candidate = string | readonly [value: string, about: string];

export const runs = {
  /** For the scripts of `completion` alone: says nothing but candidates. */
  complete: async ({ streams, capabilities }: Frame, { words }: Line): Promise<void> => {
    const lines = await candidates(words[0] === '--' ? words.slice(1) : words, capabilities);
    if (lines.length > 0) streams.out(`${lines.join('\n')}\n`);
  },
};

/** Candidates for the last word, those that begin with it. */
export async function candidates(
  words: readonly string[],
  capabilities: readonly object[],
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const all = await listed(words.slice(0, -1), typed, capabilities);
  return all
    .map((one) => (typeof one === 'string' ? ([one, ''] as const) : one))
    .filter(([value]) => value === FILES || value.startsWith(typed))
    .slice(0, CANDIDATES_MAX)
    .map(([value, about]) => (about === '' ? value : `${value}\t${about}`));
}

async function listed(
  before: readonly string[],
  typed: string,
  capabilities: readonly object[],
): Promise<readonly Candidate[]> {
  const { name, dir, rest } = verbIn(before);
  const last = before.at(-1) ?? '';
  const all = verbsOf(capabilities).filter(({ heading }) => heading !== '');
  const verbs = all.map(({ name, summary }): Candidate => [name, summary]);
  if (name === undefined) {
    if (last === '-C' || last === '--dir') return [FILES];
    if (typed.startsWith('-')) return ['--dir', '--help', '--version'];
    return [...verbs, ['help', 'what a verb is for']];
  }
  if (name === 'help') return verbs;
  const whole = all.find((one) => one.name === name);
  if (whole === undefined) return [];
  const [first = '', ...behind] = rest;
  const inner = innerVerbs(whole).find((one) => one.name === `${name} ${first}`);
  if (whole.below !== undefined && rest.length === 0 && !typed.startsWith('-'))
    return Object.entries(whole.below).map(([name, { summary }]): Candidate => [name, summary]);
  const shape = inner ?? whole;
  const given = inner === undefined ? rest : behind;
  const where: Where = dir === undefined ? { capabilities } : { capabilities, dir };
  const flag = allFlags(shape).find((one) => takesValue(one, last));
  if (flag !== undefined) return valuesOf(flag, where);
  if (typed.startsWith('-')) return flagNames(shape);
  return argumentsOf(shape, positionals(shape, given), typed, where);
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

function allFlags(shape: VerbShape): readonly Flag[] {
  return [...(shape.required ?? []), ...flagsOf(shape)];
}

/** The word is this flag, and the next one its value. */
function takesValue(flag: Flag, word: string): boolean {
  const { names, takesValue } = namesOf(flag);
  return takesValue && names.includes(word);
}

function flagNames(shape: VerbShape): Candidate[] {
  const own = allFlags(shape).map((one): Candidate => [namesOf(one).names.at(-1) ?? '', one[1]]);
  return [...own, ['--help', 'what it is for, with an example']];
}

function positionals(shape: VerbShape, words: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const value = allFlags(shape).some((one) => takesValue(one, words[i - 1] ?? ''));
    return !word.startsWith('-') && !value;
  });
}

type Where = Pick<OpenOptions, 'capabilities' | 'dir'>;

function valuesOf([, , value]: Flag, where: Where): readonly Candidate[] {
  const { offers = [] } = value ?? {};
  switch (offers) {
    case 'live':
      return ids(LIVE_STATES, where);
    case 'id':
      return ids(STATES, where);
    case 'agent':
      return agentNames(where);
    case 'gate':
      return [['person', 'you, or somebody else'], ...agentNames(where)];
    case 'file':
      return [FILES];
    default:
      return offers;
  }
}

async function argumentsOf(
  shape: VerbShape,
  given: readonly string[],
  typed: string,
  where: Where,
): Promise<readonly Candidate[]> {
  const last = shape.arguments?.at(-1);
  const rest = last?.[0].includes('...') === true ? last : undefined;
  const [name = '', , choices = []] = shape.arguments?.[given.length] ?? rest ?? [];
  switch (name.replaceAll(/[^a-z]/g, '')) {
    case 'id': {
      const wanted = shape.on ?? LIVE_STATES;
      // Years of ended tasks are offered only to somebody who has begun to write one.
      const states = typed === '' && wanted === STATES ? LIVE_STATES : wanted;
      return ids(states, where).filter(([id]) => !given.includes(id));
    }
    case 'agent':
      return agentNames(where);
    case 'file':
      return TASK_FILES.map((name) => name.slice(0, -'.md'.length));
    case 'folder':
      return [FILES];
    default: {
      const ws = openWorkspace(where);
      return ws.ok && shape.offers !== undefined ? shape.offers(ws.value) : choices;
    }
  }
}

/** Nothing where there is no workspace. */
function found<T>(where: Where, look: (ws: Workspace) => readonly T[]): readonly T[] {
  const ws = openWorkspace(where);
  return ws.ok ? look(ws.value) : [];
}

/** Whom people are shown, with what each is for. */
function agentNames(where: Where): readonly Candidate[] {
  return found(where, (ws) => {
    const book = agentsOf(ws);
    return book.offered().map((name): Candidate => {
      const about = book.get(name)?.description?.replace(/\s+/g, ' ') ?? '';
      return [name, about.slice(0, ABOUT_CHARS_MAX)];
    });
  });
}

function ids(states: readonly State[], where: Where) {
  return found(where, ({ disk, layout }) =>
    states.flatMap((state) => listState(disk, layout, state).ids.map((id) => [id, state] as const)),
  );
}
