/** What checkpoints do where an agent is called or a person answers; other calls of the command leave it out. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { decideByVerb, notDecided } from './answer-checkpoint.ts';
import { isSentAgain } from './expected-task.ts';
import { DECISION_FILE, decisionForm, wordsWithGo } from './form.ts';

export const calls: CallPoints = {
  brief: ({ running, contract }) => ({ notes: wordsWithGo(running.ws, contract) }),
  given: (ws, id, contract) => [{ name: DECISION_FILE, bytes: decisionForm(ws, id, contract) }],
  answer: decideByVerb,
  no_resolution: notDecided,
  expected_task: isSentAgain,
};
