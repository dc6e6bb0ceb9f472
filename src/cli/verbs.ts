/**
 * The verbs by name: what each is for, and where the rest of it is. Only the verb that is asked for
 * is loaded, so that no verb pays for the libraries of another.
 */
import type { Command } from 'commander';
import type { Frame } from './frame.ts';
import { wantedWord } from './wanted.ts';

/** Gives the command of a verb its arguments, options, examples and action. */
export type SetUp = (command: Command, frame: Frame) => void;

export interface VerbEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<SetUp>;
}

const moves = () => import('./verbs/moves.ts');
const words = () => import('./verbs/words.ts');
const verdicts = () => import('./verbs/verdicts.ts');
const steps = () => import('./verbs/step.ts');
const host = () => import('./verbs/host.ts');

/** What verbs are for, in the order of the help; a verb that is in none comes with the last. */
const PURPOSES: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Begin:', ['init', 'new', 'plan', 'edit', 'confirm']],
  [
    'Move on:',
    ['step', 'run', 'watch', 'retry', 'reopen', 'abort', 'delegate', 'collect', 'merge'],
  ],
  ['Answer:', ['review', 'answer', 'approve', 'needs-work', 'reject', 'resolve', 'note']],
  ['See:', ['list', 'board', 'show', 'logs', 'graph', 'agents', 'squad', 'states']],
  ['Look after:', ['check', 'doctor', 'recover', 'archive', 'completion']],
];

/** All verbs with the headings that they stand under in the help, in its order. */
export function groupedVerbs(): readonly { readonly heading: string; readonly entry: VerbEntry }[] {
  const named = PURPOSES.flatMap(([heading, names]) =>
    names.flatMap((name) => {
      const entry = VERBS.find((one) => one.name === name);
      return entry === undefined ? [] : [{ heading, entry }];
    }),
  );
  const heading = PURPOSES.at(-1)?.[0] ?? '';
  const rest = VERBS.filter((entry) => named.every((one) => one.entry !== entry));
  return [...named, ...rest.map((entry) => ({ heading, entry }))];
}

export const VERBS: readonly VerbEntry[] = [
  {
    name: 'init',
    summary: 'make the folders; never overwrites',
    load: async () => (await import('./verbs/init.ts')).init,
  },
  {
    name: 'new',
    summary: 'write a contract into draft/ and print its path',
    load: async () => (await import('./verbs/new.ts')).newTask,
  },
  {
    name: 'plan',
    summary: 'a list of boxes as contracts: check, start, status, list, pause, resume',
    load: async () => (await import('./verbs/plan.ts')).plan,
  },
  {
    name: 'confirm',
    summary: 'a draft may be worked on: draft → ready',
    load: async () => (await moves()).confirm,
  },
  {
    name: 'abort',
    summary: 'stop working on it: anything → aborted; a running agent is stopped',
    load: async () => (await moves()).abort,
  },
  {
    name: 'reopen',
    summary: 'take it up again: done or aborted → ready',
    load: async () => (await moves()).reopen,
  },
  {
    name: 'retry',
    summary: 'try again without a word: blocked → ready',
    load: async () => (await moves()).retry,
  },
  {
    name: 'answer',
    summary: 'answer a question of the agent',
    load: async () => (await words()).answer,
  },
  {
    name: 'resolve',
    summary: 'say how a blocked task can go on',
    load: async () => (await words()).resolve,
  },
  {
    name: 'note',
    summary: 'leave a message for the next attempt',
    load: async () => (await words()).note,
  },
  {
    name: 'approve',
    summary: 'a person’s verdict: good as it is',
    load: async () => (await verdicts()).approve,
  },
  {
    name: 'needs-work',
    summary: 'a person’s verdict: send it back, with findings',
    load: async () => (await verdicts()).needsWork,
  },
  {
    name: 'reject',
    summary: 'a person’s verdict: give the task up',
    load: async () => (await verdicts()).reject,
  },
  {
    name: 'review',
    summary: 'walk through everything that waits for you',
    load: async () => (await import('./verbs/review.ts')).review,
  },
  {
    name: 'edit',
    summary: 'open a file of a task in your editor, then check it',
    load: async () => (await import('./verbs/edit.ts')).edit,
  },
  {
    name: 'step',
    summary: 'look once, call whose turn it is, move what can move',
    load: async () => (await steps()).step,
  },
  {
    name: 'run',
    summary: 'step again and again, until nothing can move without a person',
    load: async () => (await steps()).run,
  },
  {
    name: 'watch',
    summary: 'step whenever something changes, until Ctrl-C',
    load: async () => (await import('./verbs/watch.ts')).watch,
  },
  {
    name: 'recover',
    summary: 'take over what a machine that is gone for good was working on',
    load: async () => (await steps()).recover,
  },
  {
    name: 'delegate',
    summary: 'claim a task for an agent that you call yourself, and print its brief',
    load: async () => (await host()).delegate,
  },
  {
    name: 'collect',
    summary: 'judge what a delegated agent left on its desk',
    load: async () => (await host()).collect,
  },
  {
    name: 'merge',
    summary: 'put what was done in worktrees into your branch',
    load: async () => (await import('./verbs/merge.ts')).merge,
  },
  {
    name: 'list',
    summary: 'what stands where, and what it waits for',
    load: async () => (await import('./verbs/list.ts')).list,
  },
  {
    name: 'board',
    summary: 'the states side by side, with their tasks',
    load: async () => (await import('./verbs/board.ts')).board,
  },
  {
    name: 'graph',
    summary: 'what depends on what, as Mermaid or DOT',
    load: async () => (await import('./verbs/graph.ts')).graph,
  },
  {
    name: 'show',
    summary: 'the whole story of a task',
    load: async () => (await import('./verbs/show.ts')).show,
  },
  {
    name: 'logs',
    summary: 'what an attempt printed; -f as it grows',
    load: async () => (await import('./verbs/logs.ts')).logs,
  },
  {
    name: 'agents',
    summary: 'who can be called here, and why somebody cannot',
    load: async () => (await import('./verbs/agents.ts')).agents,
  },
  {
    name: 'squad',
    summary: 'teams of agents for a domain: list, show, check, new, create',
    load: async () => (await import('./verbs/squad.ts')).squad,
  },
  {
    name: 'archive',
    summary: 'take old tasks out of done and aborted, into .contracts/archive/',
    load: async () => (await import('./verbs/archive.ts')).archive,
  },
  {
    name: 'check',
    summary: 'all problems of the tree, as file:line:col: error: text, with the cure',
    load: async () => (await import('./verbs/check.ts')).check,
  },
  {
    name: 'doctor',
    summary: 'what is wrong with the tree, and what this machine can do',
    load: async () => (await import('./verbs/doctor.ts')).doctor,
  },
  {
    name: 'states',
    summary: 'the table of transitions',
    load: async () => (await import('./verbs/states.ts')).states,
  },
  {
    name: 'completion',
    summary: 'the script that lets bash, zsh or fish complete verbs, flags and ids',
    load: async () => (await import('./verbs/completion.ts')).completion,
  },
];

/** The verb that these arguments ask for, also after `help`; undefined when it is none of ours. */
export function wantedVerb(argv: readonly string[]): VerbEntry | undefined {
  const name = wantedWord(argv);
  return VERBS.find((entry) => entry.name === name);
}
