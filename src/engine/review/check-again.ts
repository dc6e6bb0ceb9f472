/** Runs the checks of a task that waits for a verdict once more, for a person to see: no receipt is kept. */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { mustBeTrusted } from '../../trust/trust.ts';
import { runningOf, type Context } from '../../workspace/tasks/attempt-context.ts';
import { ignoredWork } from '../../worktrees/engine/ignored.ts';
import { reviewWorkdir } from '../../worktrees/engine/start-attempt.ts';
import { prepareTree } from '../work/prepare-tree.ts';
import { runChecks } from '../verify/run-checks.ts';

/** Throws a Fault, as a step does. */
export async function checkAgain(context: Context, task: TaskRead): Promise<readonly Receipt[]> {
  mustBeTrusted(context.ws);
  const last = lastEnded(task.attempts, 'review');
  const running = last && runningOf(context, task, last.number);
  if (running?.contract === undefined) return [];
  const { contract } = running;
  const workdir = reviewWorkdir(running);
  await prepareTree(running, workdir);
  const options = { contract, workdir, ignored: ignoredWork(context.ws, workdir) };
  return runChecks(running, contract.checks, options);
}
