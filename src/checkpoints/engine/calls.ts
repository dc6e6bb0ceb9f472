/** What checkpoints do where an agent is called; calls of the command that call none leave it out. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { isSentAgain } from './expected-task.ts';

export const calls: CallPoints = {
  expected_task: isSentAgain,
};
