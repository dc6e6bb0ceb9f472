/** The facts that decide() asks for, as words: one place, for `step --explain`. Pure. */
import type { LineData } from '../events/command-lines.ts';
import { cycleWords } from '../../../task/core/base/dependency-graph.ts';
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import { formatProblem, type Problem } from '../../../task/core/model/problem.ts';
import type { FactName, Facts, Holder, Known, TaskRead } from '../../../task/core/model/task.ts';

export type FactLine = LineData<'explained'>['facts'][number];

const HOLDERS: Readonly<Record<Holder, string>> = {
  none: 'no attempt is open',
  alive: 'its runner is alive',
  orphan: 'its runner has exited, its agent is still running',
  orphan_overdue: 'its runner has exited, its agent is running past its deadline',
  dead: 'its runner and its agent have exited',
  elsewhere: 'its runner is on another host, and its lease is fresh',
  unknown: 'owner.md cannot be read',
  person: 'a person',
  host: 'a host',
};

const MODES: Readonly<Record<Facts['executor_mode'], string>> = {
  process: 'the runner calls it',
  human: 'a person does the work',
  host: 'a host takes the task',
};

const FACT_WORDS: { readonly [K in FactName]: (fact: Facts[K]) => string } = {
  holder: (holder) => HOLDERS[holder],
  contract_hash: (hash) => (hash === '' ? 'contract.md cannot be read' : `sha256 ${short(hash)}`),
  has_result: (is) => isThere('result.md', is),
  has_questions: (is) => isThere('questions.md', is),
  blocked: (read) => {
    if (read === undefined) return isThere('blocked.md', false);
    if (!read.ok) return problemWords(read.problems);
    return read.value.resolution === '' ? 'without a resolution' : 'with a resolution';
  },
  confirming: (found) => {
    if (found === undefined) return 'no agent could have changed the contract';
    const differs = found.differs ? 'the contract differs from the confirmed one' : 'confirmed';
    return found.asked === undefined
      ? differs
      : `${differs}; the answer is ${found.asked.answer || 'open'}`;
  },
  inputs_hash: (hash) => (hash === '' ? 'it cannot be claimed' : `sha256 ${short(hash)}`),
  dependencies: (all) => listWords(all),
  open_children: (all) => listWords(all),
  aborted_parent: (id) => id ?? 'none',
  cycle: (path) => (path === undefined ? 'none' : cycleWords(path)),
  preflight: (problems) => problemWords(problems),
  overlap: (rival) => (rival === undefined ? 'none' : `${rival.id} writes ${rival.path}`),
  gates: (gates) => gates.join(', ') || 'none',
  over_budget: (over) => over?.reason ?? 'no',
  pause: (pause) => pause?.reason ?? 'none',
  unprepared: (found) => found?.message ?? 'no',
  hold: (hold) => hold?.reason ?? 'none',
  turn_taken: (turn) => (turn === undefined ? 'no' : `${turn.key}, by ${turn.by}`),
  executor_mode: (mode) => MODES[mode],
  can_ask: (is) => (is ? 'yes' : 'no'),
  handed_in: (is) => (is ? 'yes' : 'no'),
  unread_result: (line) =>
    line === undefined ? 'none' : `result.md:${line.line} has ${JSON.stringify(line.found)}`,
  earlier_left: (is) => (is ? 'yes' : 'no'),
};

/** Fields of every task, then each fact in the order in which it was asked. */
export function factLines(task: TaskRead, known: Known): readonly FactLine[] {
  const { attempts, contract, state } = task;
  const last = attempts.findLast(({ lost }) => !lost);
  const ended = last && (lastEnded(attempts, last.kind) === last ? last.outcome?.outcome : 'open');
  return [
    { fact: 'state', answer: state },
    { fact: 'contract', answer: contract.ok ? 'can be read' : problemWords(contract.problems) },
    { fact: 'last_attempt', answer: last ? `${last.number}, ${last.kind}: ${ended}` : 'none' },
    ...(Object.keys(known) as FactName[]).map((name) => lineOf(name, known)),
  ];
}

function lineOf<K extends FactName>(fact: K, known: Known): FactLine {
  return { fact, answer: FACT_WORDS[fact](known[fact] as Facts[K]) };
}

function isThere(file: string, is: boolean): string {
  return is ? `${file} is there` : `there is no ${file}`;
}

function short(hash: string): string {
  return hash.slice(0, 12);
}

function listWords(all: readonly { readonly id: string; readonly state: string }[]): string {
  return all.map(({ id, state }) => `${id} (${state})`).join(', ') || 'none';
}

function problemWords(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('; ') || 'no problem';
}
