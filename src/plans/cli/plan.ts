/** The verbs below plan. */
import { askThem } from '../../cli/commands/ask.ts';
import { tasksToAsk, type Asking } from '../../engine/commands/ask-round.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { setTimeout } from 'node:timers/promises';
import { itemsAtOnce } from '../core/expand-problems.ts';
import { isRenamed } from '../core/plan-renamed.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { formatProblem, type Problem } from '../../task/core/model/problem.ts';
import { askedWords, plansAsked } from '../engine/start/plan-requests.ts';
import { draftsOfPlan, type PlanDrafts, type WrittenDraft } from '../engine/start/drafts.ts';
import {
  besideCheckpoints,
  changedItems,
  goneItems,
  isCheckpointOf,
} from '../engine/start/start.ts';
import { makeTaskOnce } from '../../engine/board/make-task.ts';
import { reportPlan } from '../engine/records/run-reports.ts';
import { guardOfPlan, statusOfPlan, type PlanStatus } from '../engine/start/plan-status.ts';
import { lostPlans } from '../engine/follow/missing-plans.ts';
import { pausePlan, resumePlan } from '../engine/follow/pause.ts';
import { leftPaused } from '../engine/follow/plan-facts.ts';
import {
  planElsewhere,
  planFileOf,
  planNames,
  readPlan,
  strangePlans,
} from '../engine/start/find-plans.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../../cli/terminal/frame.ts';
import { screenOf } from '../../cli/output/text-width.ts';
import { many } from '../../task/core/base/plural.ts';
import { planData, planOf } from './plan-argument.ts';
import { draftLines, headLine, statusLines } from './plan-text.ts';
import { choiceWords } from '../../squads/core/squad-inference.ts';
import { attempted, refuse, unwrap, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import { newPlan } from './plan-new.ts';

const check = verb((verb, _flags: unknown, typed?: string) => {
  const { ws, frame } = verb;
  const apart = typed === undefined ? undefined : planElsewhere(ws, typed);
  if (apart !== undefined) return printChecked(verb, apart.name, apart.ws);
  if (typed !== undefined) return printChecked(verb, planOf(verb, typed));
  const names = planNames(ws);
  const strange = strangePlans(ws);
  const lost = lostPlans(ws);
  for (const problem of [...strange, ...lost]) printProblem(verb, problem);
  if (strange.length > 0) frame.code = EXIT.people;
  else if (names.length === 0 && lost.length === 0) planOf(verb, undefined);
  for (const name of names) printChecked(verb, name);
});

function printProblem({ out }: Verb, problem: Problem): void {
  out.data({ v: 1, event: 'problem', problem });
  out.printWrapped(escapeText(formatProblem({ ...problem, file: out.path(problem.file) })));
}

function printChecked(verb: Verb, name: string, ws = verb.ws): void {
  const { out } = verb;
  const found = draftsOfPlan(ws, name);
  const problems = found.ok ? found.value.problems : found.problems;
  const choice = found.ok ? found.value.plan.choice : undefined;
  if (choice !== undefined) out.print(escapeText(choiceWords(choice)));
  for (const problem of problems) printProblem(verb, problem);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const drafts = found.ok ? found.value.drafts : [];
  const contracts = drafts.length;
  const between = drafts.filter(({ draft }) => draft.kind === 'checkpoint').length;
  const items = found.ok ? found.value.items.length : 0;
  const file = planFileOf(verb.ws, name);
  const unmade = drafts.filter(({ exists }) => !exists).length;
  const isPart = unmade > 0 && unmade < contracts && !problems.some(isRenamed);
  const left =
    isPart && guardOfPlan(ws, name) === undefined
      ? `; ${unmade} without a task: contracts plan start ${name}`
      : '';
  const counts = { items, contracts, errors, warnings };
  planData(out, { v: 1, event: 'plan_checked', plan: name, file, ...counts });
  const asking = between === 0 ? '' : ` and ${many(between, 'checkpoint')}`;
  const made =
    errors > 0 ? '' : `, ${many(contracts, 'contract')} of ${many(items, 'item')}${asking}${left}`;
  out.print(`${name}: ${many(errors, 'error')}, ${many(warnings, 'warning')}${made}.`);
  if (found.ok && unmade > 0) reportAtOnce(verb, found.value);
  if (errors > 0) verb.frame.code = EXIT.people;
}

function reportAtOnce({ out }: Verb, { plan, drafts }: PlanDrafts): void {
  const made = drafts.map(({ draft }) => draft);
  const items = itemsAtOnce(plan.document, made);
  if (items === 0) return;
  const fix = 'To run one after another, write in the plan: One at a time: yes';
  out.printWrapped(
    `${items} items, none waits for another: they can all run at the same time. ${fix}`,
  );
}

/** A file system whose clock is coarse gives two files the same time. */
const FILE_TICK_MS = 5;

/** Makes drafts in their order: of similar tasks the older one goes first, so each needs a time of its own. */
async function makeInOrder({ ws }: Verb, missing: readonly WrittenDraft[]) {
  const made: WrittenDraft[] = [];
  for (const one of missing) {
    if (makeTaskOnce(ws, 'ready', one.draft.id, one.text)) made.push(one);
    await setTimeout(FILE_TICK_MS);
  }
  return made;
}

const start = verb((verb, flags: { dryRun?: boolean }, typed?: string) =>
  startPlan(verb, planOf(verb, typed), flags.dryRun),
);

/** Makes the tasks of a plan, and prints them; the next command, too, where it is not run at once. */
export async function startPlan(verb: Verb, plan: string, dry_run = false, runs = false) {
  const { out, ws } = verb;
  const guard = guardOfPlan(ws, plan);
  if (guard !== undefined && !dry_run) refuse(verb, [{ ...guard, severity: 'error' }]);
  if (guard !== undefined) out.problem(guard);
  const found = unwrap(verb, draftsOfPlan(ws, plan));
  if (found.problems.some(({ severity }) => severity === 'error')) {
    refuse(verb, found.problems);
  }
  for (const problem of found.problems) out.problem(problem);
  const { name, choice } = found.plan;
  if (choice !== undefined) out.print(escapeText(choiceWords(choice)));
  const changed = changedItems(ws, found);
  const lost = goneItems(ws, found);
  const gone = lost.map(({ id, state }) => ({ id, state }));
  const missing = found.drafts.filter(({ exists }) => !exists);
  const { limit } = screenOf(verb.frame.streams);
  for (const line of draftLines(missing, limit)) out.print(line);
  const made = dry_run ? [] : await makeInOrder(verb, missing);
  const isMade = new Set(made.map(({ draft }) => draft.id));
  for (const { draft } of found.drafts) {
    const { contract: _, results: _results, wave, ...facts } = draft;
    const made = isMade.has(draft.id);
    planData(out, { v: 1, event: 'plan_draft', plan: name, ...facts, ...given({ wave }), made });
  }
  const there = found.drafts.length - (dry_run ? missing.length : made.length);
  const closed = found.items.filter((one) => one.closed !== undefined).length;
  const counts = { made: made.length, there, closed };
  planData(out, { v: 1, event: 'plan_started', plan: name, dry_run, ...counts, changed, gone });
  const unasked = dry_run ? undefined : unaskedOf(verb, found);
  const willAsk = dry_run && missing.some(asksFirst);
  if (out.json && unasked !== undefined) return askThem(verb, unasked);
  if (out.json) return;
  const all = dry_run ? missing.length : made.length;
  const would = dry_run ? 'Would make' : 'Made';
  const others = [
    there === 0 ? '' : `; ${many(there, 'task')} of it already ${there === 1 ? 'exists' : 'exist'}`,
    closed === 0 ? '' : `; ${many(closed, 'item')} closed by hand, without tasks`,
  ];
  out.printWrapped(`${would} ${many(all, 'task')} in ready${others.join('')}.`);
  if (willAsk) out.print('Their agents would be asked for their questions first.');
  if (all > 0) reportAtOnce(verb, found);
  for (const words of besideCheckpoints(ws, found)) out.printWrapped(words);
  for (const { id, line, keys } of changed) {
    if (isCheckpointOf(found, id)) continue;
    out.printWrapped(
      `Line ${line} now differs from ${id} (${keys.join(', ')}); the contract is not changed: contracts edit ${id} contract`,
    );
  }
  for (const { id, state, reported } of lost) {
    if (reported) continue;
    // An abort would also abort everything that waits for it.
    const words = /(^|_)checkpoint-wave-\d+[_-]/.test(id)
      ? 'is no longer in the plan; answer it with GO when it asks, or remove it from depends_on of the tasks that wait for it'
      : `no longer belongs to any item; to drop it: contracts abort ${id}`;
    out.printWrapped(`${id} (${state}) ${words}`);
  }
  if (unasked !== undefined) return askThem(verb, unasked);
  const next = dry_run ? `contracts plan start ${name}` : 'contracts run';
  if (all > 0 && guard === undefined && !runs) verb.frame.streams.err(`Next: ${next}\n`);
}

const asksFirst = ({ contract }: WrittenDraft): boolean => contract.head.ask === 'before';

/** New tasks of a plan that wait for their questions; undefined where there are none. */
function unaskedOf({ ws }: Verb, { drafts }: PlanDrafts): Asking | undefined {
  const asked = new Set(drafts.filter(asksFirst).map(({ draft }) => draft.id));
  const wants = ({ id, attempts }: TaskRead): boolean =>
    asked.has(id) && attempts.every(({ kind }) => kind === 'ask');
  return asked.size > 0 && tasksToAsk(ws, { wants }).size > 0 ? { wants } : undefined;
}

interface StatusFlags {
  readonly all?: boolean;
  readonly report?: boolean;
}

const status = verb(async (verb, flags: StatusFlags, typed?: string) => {
  const names = typed === undefined ? planNames(verb.ws) : [typed];
  if (names.length === 0) return printPlans(verb);
  if (typed === undefined) for (const one of strangePlans(verb.ws)) verb.out.problem(one);
  if (typed !== undefined || names.length < 2) {
    return printStatus(verb, statusOf(verb, planOf(verb, typed), flags), flags);
  }
  const found = await statusesOf(verb, names, flags);
  const busy = found.filter(({ started, counts: { items, done, dropped } }) => {
    return started && done + dropped < items;
  });
  for (const [i, one] of (busy.length > 0 ? busy : found).entries()) {
    if (i > 0) verb.out.print('');
    printStatus(verb, one, flags);
  }
});

function statusOf(verb: Verb, name: string, { report }: StatusFlags): PlanStatus {
  const plan = unwrap(verb, readPlan(verb.ws, name));
  if (report === true) {
    const wrote = reportPlan(verb.ws, plan);
    for (const file of wrote) verb.out.print(`wrote ${verb.out.path(file)}`);
    if (wrote.length === 0) verb.out.print('Nothing new to report.');
  }
  return statusOfPlan(verb.ws, plan);
}

/** Skips plans that cannot be read, and reports their problems. */
async function statusesOf(verb: Verb, names: readonly string[], flags: StatusFlags = {}) {
  const all: PlanStatus[] = [];
  for (const name of names) {
    const one = await attempted(verb.frame, () => statusOf(verb, name, flags));
    if (one !== undefined) all.push(one);
  }
  return all;
}

function printStatus(verb: Verb, one: PlanStatus, { all = false }: StatusFlags): void {
  const { out } = verb;
  for (const problem of one.problems) if (!out.json) out.problem(problem);
  planData(out, { v: 1, event: 'plan_status', ...one });
  if (out.json) return;
  for (const line of statusLines(one, screenOf(verb.frame.streams).limit, all)) out.print(line);
}

async function printPlans(verb: Verb): Promise<void> {
  const { ws, out, frame } = verb;
  const names = planNames(ws);
  const asked = plansAsked(ws);
  const strange = strangePlans(ws);
  for (const problem of [...strange, ...lostPlans(ws)]) out.problem(problem);
  if (names.length === 0 && asked.length === 0 && strange.length === 0) {
    out.print('There is no plan. Write one: .contracts/plans/NAME/plan.md, a list of boxes.');
  }
  for (const one of await statusesOf(verb, names)) {
    const { plan, title, file, paused, started, counts, percent } = one;
    planData(out, { v: 1, event: 'plan', plan, title, file, paused, started, counts, percent });
    out.print(headLine(one, screenOf(frame.streams).limit));
  }
  for (const one of asked) {
    out.printWrapped(`${one.plan}  ${askedWords(one)}  → contracts show ${one.task}`);
  }
}

const pause = verb((verb, flags: { readonly end?: boolean }, typed?: string) => {
  const { ws, out, frame } = verb;
  const plan = leftPaused(ws, typed) ?? planOf(verb, typed);
  const paused = flags.end !== true;
  const changed = (paused ? pausePlan : resumePlan)(ws, plan);
  planData(out, { v: 1, event: 'plan_paused', plan, paused, changed });
  const now = changed ? 'is' : 'was already';
  const words = paused
    ? `${plan} ${now} paused: running attempts continue, no new one starts.`
    : changed
      ? `${plan} is resumed.`
      : `${plan} was not paused.`;
  out.printWrapped(words);
  const next = paused ? `contracts plan pause ${plan} --end` : 'contracts run';
  if (!out.json) frame.streams.err(`Next: ${next}\n`);
});

export const runs = {
  plan: verb(printPlans),
  'plan new': newPlan,
  'plan check': check,
  'plan start': start,
  'plan status': status,
  'plan list': verb(printPlans),
  'plan pause': pause,
};
