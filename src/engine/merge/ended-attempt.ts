/** The newest attempt of a task in `done`, for programs that run once more: their output goes into its log. */
import { readTask } from '../../workspace/tasks/read-task.ts';
import { runningOf, type Context, type Running } from '../../workspace/tasks/attempt-context.ts';

/** undefined for a task of the archive. */
export function endedAttempt(context: Context, id: string): Running | undefined {
  const task = readTask(context.ws, 'done', id);
  return task && runningOf(context, task, task.attempts.at(-1)?.number ?? 0);
}
