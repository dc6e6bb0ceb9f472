/**
 * What happens with a task that may be claimed for work, and everything that keeps it from that: its
 * dependencies, its children, pre-flight, a file that somebody else writes, inputs that are not new.
 */
import { isCheckpoint, whoDecides } from '../../../checkpoints/core/checkpoint.ts';
import { keyNaming, PERSON, type Contract } from '../../../task/core/model/contract.ts';
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import { cycleWords } from '../../../task/core/base/dependency-graph.ts';
import {
  isLost,
  isOver,
  type Dependency,
  type Facts,
  type TaskRead,
} from '../../../task/core/model/task.ts';
import {
  move,
  claim,
  overBudgetWait,
  pauseWait,
  refusal,
  type Action,
  wait,
  waitForTurn,
  waitWhileHeld,
} from '../../../task/core/model/action.ts';

/** A folder put into in_progress by hand is treated as in ready, and claimed where it stands. */
export function decideReady(task: TaskRead, facts: Facts): Action {
  if (!task.contract.ok) return unconfirmed(task) ?? refusal(task.contract.problems);
  const aborted = facts.dependencies.find(isLost);
  if (aborted !== undefined) {
    // A resolution that left the dependency as it is would go round for ever. Without one it is the
    // file of a move that a crash cut short, or of a task that was put back without words.
    const unanswered = task.blocked?.ok === true && task.blocked.value.resolution === '';
    return task.state === 'in_progress' || (task.has.blocked && !unanswered)
      ? waitForDependency(aborted)
      : move(task, 'dependency_aborted', `dependency ${aborted.id} is aborted`);
  }
  return (
    waitBeforeClaim(task, facts, task.contract.value) ??
    unconfirmed(task) ??
    begin(task, facts, task.contract.value)
  );
}

/** Not asked yet: what stands elsewhere with the question unanswered was moved there by a person. */
export function unconfirmed(task: TaskRead): Action | undefined {
  const { confirming } = task;
  if (confirming?.differs !== true || confirming.asked?.answer === '') return undefined;
  return move(task, 'unconfirmed', 'the contract changed while an agent ran that could write it');
}

/** `next`: what else is to be done, once the dependency is mended. */
export function waitForDependency({ id, state }: Dependency, next = ''): Action {
  const reopen = state === 'archived_aborted' ? '' : `contracts reopen ${id}, or `;
  const fix = `${reopen}take ${reopen === '' ? id : 'it'} out of depends_on${next}`;
  return wait('person', `dependency ${id} is aborted`, fix);
}

function waitBeforeClaim(task: TaskRead, facts: Facts, contract: Contract): Action | undefined {
  if (facts.cycle !== undefined) {
    const edit = `edit ${keyNaming(contract, facts.cycle[1])}`;
    return wait('person', `depends on itself: ${cycleWords(facts.cycle)}`, edit);
  }
  const unknown = facts.dependencies.find((dependency) => dependency.state === 'unknown');
  if (unknown !== undefined) {
    const { id, made_by } = unknown;
    const edit = `edit ${keyNaming(contract, id)}`;
    const fix = made_by === undefined ? edit : `${made_by}, or ${edit}`;
    return wait('person', `depends on ${id}, which does not exist`, fix);
  }
  const archived = facts.dependencies.find((one) => one.state === 'archived' && one.join !== true);
  if (archived !== undefined) {
    return wait(
      'person',
      `depends on ${archived.id}, which is archived without an approval`,
      `take ${archived.id} out of depends_on, or move it to done/`,
    );
  }
  const { aborted_parent } = facts;
  if (aborted_parent !== undefined) {
    const fix = `contracts abort ${task.id}, or contracts reopen ${aborted_parent}`;
    return wait('person', `its parent ${aborted_parent} is aborted`, fix);
  }
  const pending = facts.dependencies.filter((dependency) => !isOver(dependency));
  if (pending.length > 0) {
    const list = pending.map(pendingWords).join(', ');
    // Every verb but this one refuses a task that stands twice.
    const fix =
      pending[0]?.places === undefined
        ? `contracts show ${pending[0]?.id ?? ''}`
        : 'contracts doctor';
    return wait('task', `waits for ${list}`, fix);
  }
  if (facts.open_children.length > 0) {
    const list = facts.open_children.map(({ id, state }) => `${id} (${state})`).join(', ');
    const asking = facts.open_children.find(({ state }) => state === 'questions');
    const first = asking ?? facts.open_children[0];
    return wait('task', `waits for its children ${list}`, `contracts show ${first?.id ?? ''}`);
  }
  if (facts.preflight.some((p) => p.severity === 'error')) return refusal(facts.preflight);
  if (facts.overlap !== undefined) {
    return wait('task', `${facts.overlap.id} is working on ${facts.overlap.path}`, '');
  }
  if (asksPerson(facts, contract)) return waitWhileHeld(facts);
  // What a checkpoint was asked before was about the wave as it was then.
  const asked = isCheckpoint(contract) ? undefined : sameInputs(task);
  return (
    asked ??
    overBudgetWait(facts) ??
    waitWhileHeld(facts) ??
    waitForTurn(facts) ??
    (facts.pause && pauseWait(facts.pause, task.id))
  );
}

function pendingWords({ id, state, places, asks }: Dependency): string {
  // What its agent did not decide, a person does.
  const left = state === 'questions' || state === 'blocked';
  if (asks !== undefined) return `GO at ${id} (${state}), by ${left ? 'a person' : asks}`;
  return `${id} (${places?.join(' and ') ?? state})`;
}

/** A checkpoint that no agent decides: to ask costs nobody anything, and takes no turn. */
function asksPerson(facts: Facts, contract: Contract): boolean {
  if (!isCheckpoint(contract)) return false;
  return whoDecides(contract) === PERSON || facts.executor_mode === 'human';
}

/** After questions, nothing is sent twice: some input must have changed (docs/concepts.md#your-move-wins). */
function sameInputs(task: TaskRead): Action | undefined {
  const last = lastEnded(task.attempts, 'work');
  if (last?.outcome?.outcome !== 'questions') return undefined;
  if (last.owner?.inputs !== task.inputs_hash) return undefined;
  return wait(
    'person',
    `attempt ${last.number} asked questions and nothing was answered since`,
    task.has.questions
      ? `contracts answer ${task.id} "…", or contracts note ${task.id} "…"`
      : `contracts note ${task.id} "…"`,
  );
}

function begin(task: TaskRead, facts: Facts, contract: Contract): Action {
  if (asksPerson(facts, contract)) return move(task, 'checkpoint_asked', 'its wave has ended');
  if (facts.executor_mode === 'host') {
    return wait('host', 'waits for a host to take it', `contracts delegate ${task.id}`);
  }
  const owner = facts.executor_mode === 'human' ? 'person' : 'process';
  return claim(task, { work: 'work', owner, reason: contract.title });
}
