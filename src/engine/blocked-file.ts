/** What blocked.md says: why it stopped, what was tried, what would help, and a slot to answer in. */
import type { TaskRead } from '../core/task.ts';
import type { OutcomeRecord } from '../core/record.ts';
import { listAttempts } from '../store/claims.ts';
import { renderTemplate } from '../text/template.ts';
import { readAttempts } from './attempts.ts';
import { templateSource, type Workspace } from './workspace.ts';

/** `folder` is where the task stands: its attempts are read again, this one included. */
export function renderBlocked(
  ws: Workspace,
  task: TaskRead,
  reason: string,
  folder: string,
): string {
  const attempts =
    listAttempts(ws.disk, folder).length === 0 ? [] : readAttempts(ws, folder, task.id).attempts;
  const tried = attempts
    .filter((attempt) => !attempt.lost && attempt.outcome !== undefined)
    .map(
      (attempt) =>
        `attempt ${attempt.number} (${attempt.kind}): ${attempt.outcome?.outcome ?? ''}, ${attempt.outcome?.reason ?? ''}`,
    );
  return renderTemplate(templateSource(ws, 'blocked'), {
    id: task.id,
    reason,
    tried,
    help: helpFor(attempts.findLast((attempt) => !attempt.lost)?.outcome),
  });
}

function helpFor(outcome: OutcomeRecord | undefined): string {
  switch (outcome?.outcome) {
    case undefined:
      return 'Say what should happen, or correct depends_on in contract.md.';
    case 'questions':
      return 'Answer what is still open here, or make the contract clearer.';
    case 'unverified':
      return 'Look at the failed checks in the last attempt; correct the contract if it asks for the wrong thing.';
    case 'needs_work':
    case 'reject':
      return 'Read review.md; say which findings matter, or change the contract.';
    case 'timed_out':
      return 'Give it more time (timeout in contract.md), or a smaller task.';
    default:
      return 'Read output.log of the last attempt; say what to do differently, or change the contract.';
  }
}
