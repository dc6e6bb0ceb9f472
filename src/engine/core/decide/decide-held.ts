/**
 * What happens with a task whose highest attempt is open: by who holds it. Whoever is dead is taken
 * over; whoever lives, or may live, is waited for. Pure.
 */
import { PERSON } from '../../../task/core/model/contract.ts';
import { lastEnded, tryName } from '../../../task/core/attempts/counters.ts';
import { deadBase, homeOf, leftBehind } from '../../../task/core/attempts/open-attempt.ts';
import { unreachable } from '../../../task/core/model/problem.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import type { Facts, Known, TaskRead } from '../../../task/core/model/task.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { wait } from '../words/waits.ts';
import { heldBy } from './admission.ts';
import { ask, claim, write, type Needs } from './make-action.ts';

export function decideHeld(task: TaskRead, known: Known, open: Attempt): Action | Needs {
  if (known.holder === undefined) return { kind: 'needs', facts: ['holder'] };
  const { holder } = known;
  const attempt = open.number;
  const name = tryName(task.attempts, open);
  switch (holder) {
    case 'alive':
      return wait('running', { id: task.id, name });
    case 'elsewhere':
      return wait('running_elsewhere', { name, host: open.owner?.host ?? 'another host' });
    case 'unknown':
      return wait('owner_unreadable', { attempt });
    case 'orphan':
      // A runner that lives would have stopped it at the move.
      if (task.state !== homeOf(open)) {
        const reason = `${name} is still running although its runner has exited, and the task is in ${task.state}`;
        return { kind: 'stop', attempt, reason };
      }
      return wait('orphaned', { id: task.id, name });
    case 'orphan_overdue':
      return { kind: 'stop', attempt, reason: `${name} is past its deadline` };
    case 'host':
    case 'person':
      return decideGiven(holder, task, known, attempt);
    case 'dead':
    case 'none':
      return waitToRecover(task, known, open) ?? recover(task, open);
    default:
      return unreachable(holder);
  }
}

/** Before an agent is called again; what there is to take over was used already, and costs nothing. */
function waitToRecover(task: TaskRead, known: Known, open: Attempt): Action | Needs | undefined {
  const home = homeOf(open);
  // A round of questions is not repeated: its record is closed without a call.
  if (open.kind === 'ask') return undefined;
  const goes_on = task.state === home || (home === 'in_progress' && task.state === 'ready');
  const gate = open.kind === 'review' ? (open.owner?.agent ?? '') : undefined;
  if (!goes_on || gate === '' || gate === PERSON) return undefined;
  if (leftBehind(task, deadBase(task)) !== undefined) return undefined;
  const over = heldBy(task, known, ['over_budget']) ?? heldBy(task, known, ['pause']);
  if (over !== undefined || open.kind === 'review' || !task.contract.ok) return over;
  return heldBy(task, known, ['hold']);
}

function recover(task: TaskRead, open: Attempt): Action {
  const dead = open.lost ? 'its recovery was cut short' : 'its runner is gone or met a fault';
  const why = open.outcome?.code === 'not_settled' ? 'its files are to be committed' : dead;
  const gate = open.kind === 'review' ? (open.owner?.agent ?? '') : '';
  const reason = `${tryName(task.attempts, open)} was not finished: ${why}`;
  return claim(task, { work: open.kind, gate, recovers: true, reason });
}

function decideGiven(
  holder: 'person' | 'host',
  task: TaskRead,
  known: Known,
  attempt: number,
): Action | Needs {
  if (task.state !== 'in_progress') {
    return { kind: 'settle', attempt, reason: `moved to ${task.state} while it ran` };
  }
  if (holder === 'host') {
    return wait('delegated', {
      id: task.id,
      name: tryName(task.attempts, { number: attempt, kind: 'work' }),
    });
  }
  return (
    ask(known, ['earlier_left'], ({ earlier_left }) =>
      earlier_left ? write('form', 'the files of before are not put away yet') : undefined,
    ) ??
    ask(known, ['handed_in'], ({ handed_in }) =>
      handed_in ? ({ kind: 'settle', attempt, reason: 'handed in' } as const) : undefined,
    ) ??
    ask(known, ['has_result', 'has_questions', 'unread_result'], (facts) =>
      decideNotHandedIn(task, facts),
    )
  );
}

function decideNotHandedIn(
  task: TaskRead,
  facts: Pick<Facts, 'has_result' | 'has_questions' | 'unread_result'>,
): Action {
  if (!facts.has_result && !facts.has_questions && task.contract.ok) {
    return write('form', 'there is no form to fill in');
  }
  const { unread_result: unread, has_result } = facts;
  if (unread !== undefined) return wait('status_unread', { id: task.id, unread });
  const before = lastEnded(task.attempts, 'work')?.number;
  return wait('in_hands', { id: task.id, has_result, before });
}
