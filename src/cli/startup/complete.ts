/**
 * `contracts complete -- WORD…`, which the scripts of `completion` call at every Tab: what can be where the
 * cursor is. It reads no file of a task, and where it fails it prints nothing.
 */
import { fromPackage } from '../../engine/setup/add-missing.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { shortNames } from '../../task/core/model/id.ts';
import { LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { openWorkspace, type Workspace } from '../../workspace/open/workspace.ts';
import { TASK_FILES } from '../../task/store/tasks/layout.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import { verbAt } from './verb-of-args.ts';
import { verbsOf } from './verbs.ts';
import { flagsOf, innerVerbs, namesOf } from '../terminal/command-shape.ts';
import type { Frame } from '../terminal/frame.ts';
import { bare } from '../terminal/verb-context.ts';
import type { Flag, Line, VerbShape } from '../../workspace/tasks/verb.ts';

const CANDIDATES_MAX = 1000;
/** Asks the shell for names of files. */
const FILES = ':files';
const ABOUT_CHARS_MAX = 60;

type Candidate = string | readonly [value: string, about: string];

export const runs = {
  complete: async ({ streams, capabilities }: Frame, { words }: Line): Promise<void> => {
    const lines = await candidates(words[0] === '--' ? words.slice(1) : words, capabilities);
    if (lines.length > 0) streams.out(`${lines.join('\n')}\n`);
  },
  /** The script by which a shell completes command lines. */
  completion: bare(({ out }, _flags: unknown, shell: 'bash' | 'zsh' | 'fish') => {
    const script = fromPackage(realDisk, `templates/completion/${shell}`);
    out.data({ v: 1, event: 'completion', shell, script });
    out.print(script.trimEnd());
  }),
};

/** Candidates that begin as the last word does: a line each, with a tab before its purpose. */
export async function candidates(words: readonly string[], capabilities: readonly object[]) {
  const typed = words.at(-1) ?? '';
  const all = await listed(words.slice(0, -1), typed, capabilities);
  return all
    .map((one) => (typeof one === 'string' ? ([one, ''] as const) : one))
    .filter(([value]) => value === FILES || value.startsWith(typed))
    .slice(0, CANDIDATES_MAX)
    .map(([value, about]) => (about === '' ? value : `${value}\t${about}`));
}

async function listed(before: readonly string[], typed: string, capabilities: readonly object[]) {
  const at = verbAt(before);
  const name = before[at];
  const rest = before.slice(at + 1);
  const dir = before
    .slice(0, at)
    .findLast((_, i) => before[i - 1] === '-C' || before[i - 1] === '--dir');
  const last = before.at(-1) ?? '';
  const all = verbsOf(capabilities).filter(({ heading }) => heading !== '');
  const verbs = all.map(({ name, summary }): Candidate => [name, summary]);
  if (name === undefined) {
    if (last === '-C' || last === '--dir') return [FILES];
    if (typed.startsWith('-')) return ['--dir', '--help', '--version'];
    return [...verbs, ['help', 'what a verb is for']];
  }
  if (name === 'help') return [...verbs, 'states'];
  const whole = all.find((one) => one.name === name);
  if (whole === undefined) return [];
  const [first = '', ...behind] = rest;
  const inner = innerVerbs(whole).find((one) => one.name === `${name} ${first}`);
  if (whole.below !== undefined && rest.length === 0 && !typed.startsWith('-'))
    return Object.entries(whole.below).map(([name, { summary }]): Candidate => [name, summary]);
  const shape = inner ?? whole;
  const given = inner === undefined ? rest : behind;
  const flags = [...(shape.required ?? []), ...flagsOf(shape)];
  const flag = flags.find((one) => takesValue(one, last));
  if (flag === undefined && typed.startsWith('-')) return flagNames(flags);
  const opened = openWorkspace({ capabilities, dir });
  const ws = opened.ok ? opened.value : undefined;
  if (flag !== undefined) return valuesOf(flag, ws);
  return argumentsOf(shape, positionals(flags, given), typed, ws);
}

/** The word is this flag, and the next word is its value. */
function takesValue(flag: Flag, word: string): boolean {
  const { names, takesValue } = namesOf(flag);
  return takesValue && names.includes(word);
}

function flagNames(flags: readonly Flag[]): Candidate[] {
  const own = flags
    .filter(([, , value]) => value?.hidden !== true)
    .map((one): Candidate => [namesOf(one).names.at(-1) ?? '', one[1]]);
  return [...own, ['--help', 'what it is for, with an example']];
}

function positionals(flags: readonly Flag[], words: readonly string[]): readonly string[] {
  return words.filter((word, i) => {
    const value = flags.some((one) => takesValue(one, words[i - 1] ?? ''));
    return !word.startsWith('-') && !value;
  });
}

function valuesOf([, , value]: Flag, ws: Workspace | undefined): readonly Candidate[] {
  const { offers = [] } = value ?? {};
  switch (offers) {
    case 'live':
      return ids(LIVE_STATES, ws);
    case 'id':
      return ids(STATES, ws);
    case 'agent':
      return agentNames(ws);
    case 'gate':
      return [['person', 'you, or somebody else'], ...agentNames(ws)];
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
  ws: Workspace | undefined,
): Promise<readonly Candidate[]> {
  const last = shape.arguments?.at(-1);
  const rest = last?.[0].includes('...') === true ? last : undefined;
  const [name = '', , choices = []] = shape.arguments?.[given.length] ?? rest ?? [];
  switch (name.replaceAll(/[^a-z]/g, '')) {
    case 'id': {
      if (typed.includes('/')) return [FILES];
      const wanted = shape.on ?? LIVE_STATES;
      // Years of ended tasks are offered only to somebody who has begun to write one.
      const states = typed === '' && wanted === STATES ? LIVE_STATES : wanted;
      return ids(states, ws).filter(([id]) => !given.includes(id));
    }
    case 'agent':
      return agentNames(ws);
    case 'file':
      return TASK_FILES.map((name) => name.slice(0, -'.md'.length));
    case 'folder':
      return [FILES];
    default:
      if (choices.length > 0 || ws === undefined) return choices;
      return shape.offers?.(ws) ?? [];
  }
}

/** Agents that people are shown, with their purpose; none where there is no workspace. */
function agentNames(ws: Workspace | undefined): readonly Candidate[] {
  const registry = ws && agentsOf(ws);
  return (registry?.offered() ?? []).map((name): Candidate => {
    const about = registry?.get(name)?.description?.replace(/\s+/g, ' ') ?? '';
    return [name, about.slice(0, ABOUT_CHARS_MAX)];
  });
}

function ids(states: readonly State[], ws: Workspace | undefined) {
  if (ws === undefined) return [];
  const all = states.flatMap((state) =>
    listState(ws.disk, ws.layout, state).ids.map((id) => [id, state] as const),
  );
  const short = shortNames(all.map(([id]) => id));
  return all.map(([id, state]) => [short.get(id) ?? id, state] as const);
}
