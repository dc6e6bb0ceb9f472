/**
 * The verbs by name: under which heading of the help, what each is for, and where the rest of it is.
 * Only the verb that is asked for is loaded, so that no verb pays for the libraries of another.
 */
import type { Shape } from '../terminal/command-shape.ts';
import { wantedWord } from './verb-of-args.ts';

export interface VerbEntry {
  readonly name: string;
  readonly heading: string;
  readonly summary: string;
  readonly load: () => Promise<Shape>;
}

/** What a file of verbs/ exports: its verbs by name. */
type Home = () => Promise<{ readonly verbs: Readonly<Record<string, Shape>> }>;

const moves: Home = () => import('../commands/moves.ts');
const words: Home = () => import('../commands/words.ts');
const verdicts: Home = () => import('../commands/verdicts.ts');
const steps: Home = () => import('../commands/step.ts');
const host: Home = () => import('../commands/delegate.ts');
const archive: Home = () => import('../commands/archive.ts');
const check: Home = () => import('../commands/check.ts');
const completion: Home = () => import('../completion/completion.ts');

/** In the order of the help. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, readonly [string, Home]>>>> = {
  'Begin:': {
    init: ['make the folders; never overwrites', () => import('../commands/init.ts')],
    new: ['write a contract into draft/ and print its path', () => import('../commands/new.ts')],
    plan: [
      'a list of boxes as contracts: check, start, status, list, pause, resume',
      () => import('../../plans/cli/plan.ts'),
    ],
    edit: [
      'open a file of a task in your editor, then check it',
      () => import('../commands/edit.ts'),
    ],
    confirm: ['a draft may be worked on: draft → ready', moves],
  },
  'Move on:': {
    step: ['look once, call whose turn it is, move what can move', steps],
    run: ['step again and again, until nothing can move without a person', steps],
    watch: ['step whenever something changes, until Ctrl-C', () => import('../commands/watch.ts')],
    retry: ['try again without a word: blocked → ready', moves],
    reopen: ['take it up again: done or aborted → ready', moves],
    abort: ['stop working on it: anything → aborted; a running agent is stopped', moves],
    delegate: ['claim a task for an agent that you call yourself, and print its brief', host],
    collect: ['judge what a delegated agent left on its desk', host],
    merge: [
      'put what was done in worktrees into your branch',
      () => import('../commands/merge.ts'),
    ],
  },
  'Answer:': {
    review: ['walk through everything that waits for you', () => import('../commands/review.ts')],
    answer: ['answer a question of the agent', words],
    approve: ['a person’s verdict: good as it is', verdicts],
    'needs-work': ['a person’s verdict: send it back, with findings', verdicts],
    reject: ['a person’s verdict: give the task up', verdicts],
    resolve: ['say how a blocked task can go on', words],
    note: ['leave a message for the next attempt', words],
  },
  'See:': {
    list: ['what stands where, and what it waits for', () => import('../commands/list.ts')],
    board: ['the states side by side, with their tasks', () => import('../commands/board.ts')],
    show: ['the whole story of a task', () => import('../commands/show.ts')],
    logs: ['what an attempt printed; -f as it grows', () => import('../commands/logs.ts')],
    graph: ['what depends on what, as Mermaid or DOT', () => import('../commands/graph.ts')],
    agents: [
      'who can be called here, and why somebody cannot',
      () => import('../commands/agents.ts'),
    ],
    squad: [
      'teams of agents for a domain: list, show, check, new, create',
      () => import('../../squads/cli/squad.ts'),
    ],
    states: ['the table of transitions', () => import('../commands/states.ts')],
  },
  'Look after:': {
    check: ['all problems of the tree, as file:line:col: error: text, with the cure', check],
    doctor: [
      'what is wrong with the tree, and what this machine can do',
      () => import('../commands/doctor.ts'),
    ],
    recover: ['take over what a machine that is gone for good was working on', steps],
    trust: [
      'say that what this workspace names may be started',
      () => import('../commands/trust.ts'),
    ],
    archive: ['take old tasks out of done and aborted, into .contracts/archive/', archive],
    completion: [
      'the script that lets bash, zsh or fish complete verbs, flags and ids',
      completion,
    ],
  },
};

export const VERBS: readonly VerbEntry[] = Object.entries(GROUPS).flatMap(([heading, group]) =>
  Object.entries(group).map(([name, [summary, home]]) => ({
    name,
    heading,
    summary,
    load: async () => (await home()).verbs[name] as Shape,
  })),
);

/** The verb that these arguments ask for, also after `help`; undefined when it is none of ours. */
export function wantedVerb(argv: readonly string[]): VerbEntry | undefined {
  const name = wantedWord(argv);
  return VERBS.find((entry) => entry.name === name);
}
