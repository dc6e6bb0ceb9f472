/**
 * What happens with a checkpoint that stands in questions: its boxes say it. One that cannot be read
 * as a contract is left where it is as long as there are boxes, so that nothing ticked is lost.
 */
import { move, refusal, wait, type Action } from './action.ts';
import { isCheckpoint, whoDecides } from './checkpoint.ts';
import { PERSON } from './contract.ts';
import { tickedWords } from './documents.ts';
import { unreachable } from './problem.ts';
import type { TaskRead } from './task.ts';

/** undefined for what is no checkpoint. */
export function decideDecision(task: TaskRead): Action | undefined {
  const { contract, decision: read } = task;
  if (!contract.ok) {
    const boxes = read?.ok === true && read.value.boxes > 0;
    return boxes ? refusal(contract.problems) : undefined;
  }
  if (!isCheckpoint(contract.value)) return undefined;
  if (!task.has.questions) {
    return { kind: 'write', what: 'decision', reason: 'there is no questions.md to decide in' };
  }
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  const { decision, ticked, boxes } = read.value;
  const fix = `contracts answer ${task.id} GO`;
  switch (decision) {
    case 'GO':
      return move(task, 'checkpoint_go', 'GO');
    case 'REVIEW':
      return move(task, 'checkpoint_review', 'REVIEW');
    case 'ABORT':
      return move(task, 'checkpoint_abort', 'ABORT');
    case 'PAUSE':
      return wait('person', 'paused by its checkpoint', fix);
    case undefined: {
      const why =
        boxes === 0
          ? 'questions.md has no box that can be read; '
          : ticked.length > 1
            ? `${tickedWords(ticked)}; `
            : '';
      const who = whoDecides(contract.value);
      const whose = who === PERSON ? 'a person' : `a person, since ${who} has not decided`;
      return wait('person', `${why}waits for GO, PAUSE, REVIEW or ABORT by ${whose}`, fix);
    }
    default:
      return unreachable(decision);
  }
}
