/** The whole story of a task: what is wanted, every attempt, what it waits for now. Reads only. */
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { basename, join } from 'node:path';
import { checkName, type Contract } from '../../task/core/model/contract.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { FAILURES, lastEnded, nthOf } from '../../task/core/attempts/counters.ts';
import type { LineData } from '../core/events/command-lines.ts';
import { ok, type Result } from '../../task/core/model/problem.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { isTerminal, LIVE_STATES } from '../../task/core/model/state.ts';
import { awaitedBy, type TaskRead } from '../../task/core/model/task.ts';
import { attemptFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { namesInState } from '../../task/store/tasks/tasks.ts';
import { parseQuestions, parseReview } from '../../task/text/documents/documents.ts';
import { keptDesk, readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { boardAround } from '../board/scoped-board.ts';
import { stateOfTask } from '../board/archive.ts';
import { partsOf } from '../../workspace/tasks/capability.ts';
import { signaturesIn, signedWords } from '../verify/seals.ts';
import { notAsVerified } from '../verify/changed-deliverables.ts';
import { claimantOf } from '../step/claimant.ts';
import { decided, lookUp } from '../step/facts.ts';
import { faultLeft } from '../step/fault-left.ts';
import { changedFiles } from '../attempt/attempt-diff.ts';
import { findAny } from './find-task.ts';
import { isoTime } from './list.ts';
import { progressOf } from './progress.ts';
import { sameQuestions } from './same-questions.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { gatherInputs } from '../../workspace/tasks/inputs.ts';
import { withoutOf } from '../brief/task-report.ts';
import { lastWords } from '../attempt/log-tail.ts';
import { clientOf, loadReaders } from '../attempt/readable-log.ts';
import { nextWords, orAtRest } from '../step/next-action.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { workflowWords } from '../../task/core/model/contract-shape.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { worktreeOf } from '../../worktrees/engine/worktree.ts';
import { unmergedIn } from '../../worktrees/engine/unmerged.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';
import { CLIENTS, isClient } from '../../clients/core/records.ts';

export type Story = LineData<'story'>;
export type AttemptStory = Story['attempts'][number];

export async function storyOf(ws: Workspace, id: string): Promise<Result<Story>> {
  const found = findAny(ws, id);
  if (!found.ok) return found;
  const { task, folder, archived } = found.value;
  await loadReaders(ws, task.attempts);
  const board = boardAround(ws, task);
  const { action: next, known } = decided(ws, board, task);
  const rest = orAtRest(ws, task, next);
  const one = claimantOf(ws, task, rest);
  const action = (one && faultLeft(ws, board, task, one)) ?? rest;
  const dependencies = known.dependencies ?? lookUp(ws, board, task, 'dependencies');
  const contract = task.contract.ok ? task.contract.value : undefined;
  const signatures = signaturesIn(ws, task, folder);
  const inputs = gatherInputs(ws, folder, task.attempts);
  const waits_for = action.kind === 'wait' ? action.on : 'nothing';
  const attempt = task.attempts.at(-1)?.number ?? 0;
  const now = progressOf(ws, { id, state: task.state, attempt, waits_for });
  const isOpen = (one: Attempt): boolean => one.number === attempt && one.outcome === undefined;
  const about = wanted(ws, contract, task.attempts);
  return ok({
    id,
    state: task.state,
    folder: shown(ws.layout, folder),
    ...about,
    depends_on: dependencies.map(({ id, state }) => ({ id, state })),
    ...dependentsOf(ws, id),
    without: lastEnded(task.attempts, 'work') && contract ? withoutOf(ws, contract) : [],
    archived,
    priority: contract?.head.priority ?? 'medium',
    tags: contract?.head.tags ?? [],
    ...datesOf(task),
    ...usedBy(task),
    ...changedFiles(ws, folder, task.attempts),
    worktree: worktreeOf(ws, id) ?? '',
    session: sessionCommand(ws, task),
    ...(contract?.head.parent === undefined ? {} : { parent: contract.head.parent }),
    children: partsOf(ws, { id, folder, attempts: task.attempts }).map((part) => {
      return { id: part, state: stateOfTask(ws, part) };
    }),
    attempts: task.attempts.map((attempt) => {
      const { words } = signatures.receipts.find(({ number }) => number === attempt.number) ?? {};
      const story = attemptStory({ ws, task: folder, attempts: task.attempts, attempt });
      const machine = attempt.outcome?.machine ?? (isOpen(attempt) ? now.machine : undefined);
      return { ...story, ...given({ signed: words, machine }) };
    }),
    signed: signedWords([signatures]),
    differ: notAsVerified(ws, task).map(({ words }) => words),
    notes: inputs.notes,
    resolutions: inputs.resolutions,
    current_step: now.step ?? '',
    ...now,
    waits_for,
    code: action.kind === 'wait' ? action.code : 'nothing',
    reason: action.kind === 'wait' ? action.reason : nextWords(task, action, about.agent),
    fix: action.kind === 'wait' ? action.fix : 'contracts step',
    ...(task.state === 'done' && unmergedIn(ws)(task)
      ? { reason: `is done, not merged: ${workOf(task)}`, fix: `contracts merge ${id}` }
      : {}),
    ...(archived ? { reason: `is archived; it was ${task.state}`, fix: '' } : {}),
    problems: [
      ...signatures.problems,
      ...ws.problems,
      ...(task.contract.ok ? task.contract.warnings : task.contract.problems),
      ...task.problems,
    ],
  });
}

function datesOf({ contract, attempts, state, since_ms }: TaskRead) {
  const said = contract.ok ? Date.parse(contract.value.head.created ?? '') : Number.NaN;
  const claimed = attempts.findLast(({ kind, lost }) => kind === 'work' && !lost)?.owner?.claimed;
  const last = attempts.findLast(({ outcome, lost }) => !lost && outcome !== undefined);
  const ended = isTerminal(state) ? last?.outcome?.at : undefined;
  return { created: isoTime(Number.isNaN(said) ? since_ms : said), ...given({ claimed, ended }) };
}

/** Counts as the story below numbers them. */
function usedBy({ attempts }: TaskRead) {
  const ended = attempts.flatMap(({ lost, outcome }) => (lost ? [] : (outcome ?? [])));
  const known = (name: 'input_tokens' | 'output_tokens' | 'cost_usd') => {
    const all = ended.flatMap((one) => one[name] ?? []);
    return all.length === 0 ? {} : { [name]: all.reduce((sum, one) => sum + one, 0) };
  };
  const calls = ended.filter(({ kind }) => kind === 'work').length;
  const used = { ...known('input_tokens'), ...known('output_tokens'), ...known('cost_usd') };
  const reviews = ended.filter(({ kind }) => kind === 'review').length;
  return { calls, reviews, ...used };
}

/** Above this many live tasks each `show` would take too long. */
const LOOKED_MAX = 500;
const NOT_LOOKED_UP = `not looked up: more than ${LOOKED_MAX} live tasks; see contracts list --graph`;

/** Only contracts that have its id in them are read. */
function dependentsOf(ws: Workspace, id: string): Pick<Story, 'dependents' | 'dependents_note'> {
  const all = LIVE_STATES.flatMap((state) =>
    namesInState(ws.disk, ws.layout, state).map((other) => ({ id: other, state })),
  );
  if (all.length > LOOKED_MAX) return { dependents: [], dependents_note: NOT_LOOKED_UP };
  const dependents = all.filter(({ id: other, state }) => {
    const text = textIfThere(ws.disk, join(taskFolder(ws.layout, state, other), 'contract.md'));
    if (other === id || text?.includes(id) !== true) return false;
    const contract = readTask(ws, state, other)?.contract;
    return contract?.ok === true && awaitedBy(contract.value).includes(id);
  });
  return { dependents };
}

/** The client finds a session by its folder. */
function sessionCommand(ws: Workspace, { id, attempts }: TaskRead): string {
  const { adapter, session = '' } = lastEnded(attempts, 'work')?.outcome ?? {};
  const program = clientOf(ws, adapter)?.client?.program ?? '';
  if (!isClient(program) || !/^[\w-]+$/.test(session)) return '';
  const folder = shellWord(worktreeOf(ws, id) ?? ws.layout.root);
  return `cd ${folder} && ${CLIENTS[program].resume} ${session}`;
}

function workOf({ attempts }: TaskRead): string {
  const { branch, commit } = lastEnded(attempts, 'work')?.outcome ?? {};
  const at = commit === undefined ? '' : ` at ${commit.slice(0, 10)}`;
  return `its work is on branch ${branch ?? '(unnamed)'}${at}`;
}

function wanted(ws: Workspace, contract: Contract | undefined, attempts: readonly Attempt[]) {
  const role = contract && executorOf(ws, contract);
  return {
    title: contract?.title ?? '',
    objective: contract?.objective ?? '',
    agent: (contract && kindOf(ws, contract).asked?.(contract)) ?? role?.name ?? '',
    adapter: role?.adapter_name ?? '',
    criteria: contract?.criteria.map((criterion) => criterion.text) ?? [],
    checks: contract?.checks.map(checkName) ?? [],
    gates: contract === undefined ? [] : gatesFor(ws, contract, attempts),
    workflow: contract ? workflowWords(contract.head) : '',
  };
}

interface OfTask {
  readonly ws: Workspace;
  /** Its folder. */
  readonly task: string;
  readonly attempts: readonly Attempt[];
  readonly attempt: Attempt;
}

function attemptStory(one: OfTask): AttemptStory {
  const { ws, task, attempts, attempt } = one;
  const folder = attemptFolder(task, attempt.number, attempt.lost);
  const { outcome, owner } = attempt;
  return {
    number: attempt.number,
    kind: attempt.kind,
    nth: nthOf(attempts, attempt),
    lost: attempt.lost,
    agent: owner?.agent ?? '',
    client: clientOf(ws, outcome?.adapter)?.name,
    claimed: owner?.claimed ?? '',
    outcome: outcome?.outcome,
    reason: outcome?.reason ?? '',
    seconds: outcome?.seconds,
    adopted: outcome?.adopted,
    model: outcome?.model,
    input_tokens: outcome?.input_tokens,
    output_tokens: outcome?.output_tokens,
    cost_usd: outcome?.cost_usd,
    denied: outcome?.denied ?? [],
    // The form of a decision asks nothing: its reason says what was decided.
    questions: outcome?.outcome === 'questions' && outcome.code !== 'decision' ? asked(one) : [],
    receipts: readReceipts(ws, folder)?.receipts ?? [],
    findings: attempt.kind === 'review' ? findings(one) : '',
    enforced: outcome?.enforced ?? [],
    changed: outcome?.changed ?? [],
    violations: outcome?.violations ?? [],
    noticed: outcome?.noticed ?? [],
    last_words:
      outcome !== undefined && FAILURES.has(outcome.outcome) && attempts.at(-1) === attempt
        ? lastWords(ws, task, attempt)
        : undefined,
    folder: shown(ws.layout, folder),
  };
}

/** The attempt's own copy of a file, or the current one when it is the newest of its kind. */
function textOf({ ws, task, attempts, attempt }: OfTask, name: string): string | undefined {
  const newest = attempts.findLast((other) => other.kind === attempt.kind && !other.lost);
  const paths = [
    join(attemptFolder(task, attempt.number, attempt.lost), name),
    ...(newest?.number === attempt.number ? [join(task, name)] : []),
    join(keptDesk(task, attempt), name),
  ];
  const path = paths.find((one) => ws.disk.stat(one)?.kind === 'file');
  return path === undefined ? undefined : textIfThere(ws.disk, path);
}

function asked(one: OfTask): AttemptStory['questions'] {
  const text = textOf(one, 'questions.md');
  if (text === undefined) return [];
  const desk = keptDesk(one.task, one.attempt);
  const before = textIfThere(one.ws.disk, join(desk, 'questions.md'));
  const isLast = one.attempts.at(-1) === one.attempt;
  const same = isLast ? sameQuestions(one.ws, basename(one.task)) : undefined;
  return parseQuestions(text, before).questions.map((asked) => {
    const { text: question, answer, quote, options } = asked;
    const others = same?.get(asked.number) ?? [];
    const also = others.length > 0 ? others.map(({ id }) => id) : undefined;
    return { question, answer, ...given({ quote, options, also }) };
  });
}

function findings(one: OfTask): string {
  const text = textOf(one, 'review.md');
  return text === undefined ? '' : parseReview(text).findings.trim();
}
