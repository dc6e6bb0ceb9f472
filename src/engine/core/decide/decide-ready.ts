/**
 * What happens with a task that may be claimed for work, and everything that keeps it from that: its
 * dependencies, its children, pre-flight, a file that somebody else writes, inputs that are not new.
 */
import { keyNaming, PERSON, type Contract } from '../../../task/core/model/contract.ts';
import { lastAsker, tryName } from '../../../task/core/attempts/counters.ts';
import {
  isLost,
  isOver,
  type Dependency,
  type Facts,
  type Kind,
  type Known,
  type TaskRead,
} from '../../../task/core/model/task.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { refusal, wait } from '../words/waits.ts';
import { heldBy } from './admission.ts';
import { wantsRound } from './heard.ts';
import { ask, claim, move, moveByKind, type Needs } from './make-action.ts';

/** A folder put into in_progress by hand is treated as in ready, and claimed where it is. */
export function decideReady(task: TaskRead, known: Known): Action | Needs {
  const { contract } = task;
  if (!contract.ok) return unconfirmed(task, known) ?? refusal(contract.problems);
  return (
    (wantsRound(task) ? askBefore(task, known, contract.value) : undefined) ??
    ask(known, ['dependencies', 'cycle', 'aborted_parent'], (facts) => {
      const lost = facts.dependencies.find(isLost);
      return lost === undefined
        ? waitForOthers(task, facts, contract.value)
        : withoutDependency(task, known, lost);
    }) ??
    waitBeforeClaim(task, known, contract.value) ??
    unconfirmed(task, known) ??
    ask(known, ['executor_mode'], (facts) => begin(task, facts, contract.value))
  );
}

/** A round of questions before the work, also while it waits for others; undefined where nobody can be asked. */
export function askBefore(task: TaskRead, known: Known, { title }: Contract) {
  return ask(known, ['preflight', 'can_ask'], ({ preflight, can_ask }) => {
    if (preflight.some(({ severity }) => severity === 'error')) return refusal(preflight);
    if (!can_ask || !task.kind.works) return undefined;
    return (
      // What was asked before is not put away unanswered.
      sameInputs(task, known) ??
      heldBy(task, known, ['over_budget', 'hold']) ??
      heldBy(task, known, ['pause']) ??
      claim(task, { work: 'ask', reason: title })
    );
  });
}

function withoutDependency(task: TaskRead, known: Known, lost: Dependency): Action | Needs {
  if (task.state === 'in_progress') return waitForDependency(lost);
  // A resolution that left the dependency as it is would go round for ever. Without one it is the
  // file of a move that a crash cut short, or of a task that was put back without words.
  return ask(known, ['blocked'], ({ blocked }) =>
    blocked !== undefined && !(blocked.ok && blocked.value.resolution === '')
      ? waitForDependency(lost)
      : move(task, 'dependency_aborted', `dependency ${lost.id} is aborted`),
  );
}

/** Asks about a changed contract. A person moved the task if it is elsewhere with the question unanswered. */
export function unconfirmed(task: TaskRead, known: Known): Action | Needs | undefined {
  return ask(known, ['confirming'], ({ confirming }) => {
    if (confirming?.differs !== true || confirming.asked?.answer === '') return undefined;
    return move(task, 'unconfirmed', 'the contract changed while an agent ran that could write it');
  });
}

/** `next`: what else is to be done, once the dependency is mended. */
export function waitForDependency(dependency: Dependency, next = ''): Action {
  return wait('dependency_aborted', { ...dependency, next });
}

function waitForOthers(
  task: TaskRead,
  facts: Pick<Facts, 'dependencies' | 'cycle' | 'aborted_parent'>,
  contract: Contract,
): Action | undefined {
  if (facts.cycle !== undefined) {
    const { cycle } = facts;
    return wait('dependency_cycle', { cycle, key: keyNaming(contract, cycle[1]) });
  }
  const unknown = facts.dependencies.find((dependency) => dependency.state === 'unknown');
  if (unknown !== undefined) {
    const { id, made_by } = unknown;
    return wait('dependency_unknown', { id, made_by, key: keyNaming(contract, id) });
  }
  const archived = facts.dependencies.find((one) => one.state === 'archived' && one.join !== true);
  if (archived !== undefined) return wait('dependency_archived', archived);
  const { aborted_parent: parent } = facts;
  if (parent !== undefined) return wait('parent_aborted', { id: task.id, parent });
  const pending = facts.dependencies.filter((dependency) => !isOver(dependency));
  return pending.length > 0 ? wait('dependencies', { pending }) : undefined;
}

function waitBeforeClaim(task: TaskRead, known: Known, contract: Contract) {
  return (
    ask(known, ['open_children'], ({ open_children: children }) =>
      children.length > 0 ? wait('children', { children }) : undefined,
    ) ??
    ask(known, ['preflight'], ({ preflight }) =>
      preflight.some((p) => p.severity === 'error') ? refusal(preflight) : undefined,
    ) ??
    ask(known, ['overlap', 'executor_mode'], ({ executor_mode }) => {
      const overlap = heldBy(task, known, ['overlap']);
      if (overlap !== undefined) return overlap;
      return asksPerson(task, executor_mode, contract)
        ? heldBy(task, known, ['hold'])
        : waitToCall(task, known);
    })
  );
}

function waitToCall(task: TaskRead, known: Known): Action | Needs | undefined {
  return (
    (task.kind.repeats === true ? undefined : sameInputs(task, known)) ??
    heldBy(task, known, ['over_budget', 'hold', 'turn_taken']) ??
    heldBy(task, known, ['pause'])
  );
}

/** No agent is called: to ask a person costs nothing, and takes no turn. */
function asksPerson(
  { kind }: TaskRead,
  mode: Facts['executor_mode'],
  contract: Contract,
): Kind['asks'] {
  return kind.asked?.(contract) === PERSON || mode === 'human' ? kind.asks : undefined;
}

/** After questions, nothing is sent twice: some input must have changed (docs/concepts.md#your-move-wins). */
function sameInputs(task: TaskRead, known: Known): Action | Needs | undefined {
  const last = lastAsker(task.attempts);
  if (last?.outcome?.outcome !== 'questions') return undefined;
  return ask(known, ['inputs_hash'], ({ inputs_hash }) => {
    if (last.owner?.inputs !== inputs_hash) return undefined;
    return ask(known, ['has_questions'], ({ has_questions }) =>
      wait('unanswered', { id: task.id, name: tryName(task.attempts, last), has_questions }),
    );
  });
}

function begin(
  task: TaskRead,
  { executor_mode }: Pick<Facts, 'executor_mode'>,
  contract: Contract,
): Action {
  const asks = asksPerson(task, executor_mode, contract);
  if (asks !== undefined) return moveByKind(task, asks.trigger, asks.reason);
  if (executor_mode === 'host') {
    return wait('to_delegate', task);
  }
  const owner = executor_mode === 'human' ? 'person' : 'process';
  return claim(task, { work: 'work', owner, reason: contract.title });
}
