/** A contract that asks a person about assumptions: it is done by its answers, and not by work. */
import { moveByKind } from '../../engine/core/decide/make-action.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import type { Kind } from '../../task/core/model/task.ts';
import { rows } from '../../task/core/model/transitions.ts';
import { ASKS } from '../core/assumption.ts';

export const assumptionsKind: Kind = {
  name: ASKS,
  is: ({ head }) => head.type === ASKS,
  works: false,
  table: [
    ...rows(['ready', 'in_progress'], ['assumptions_asked'], {
      to: 'questions',
      when: 'a contract about assumptions: a person is asked',
    }),
    ...rows('questions', ['assumptions_answered'], {
      to: 'done',
      when: 'a contract about assumptions: every question answered',
    }),
  ],
  decide: (task) => {
    const { state, questions } = task;
    if (state !== 'questions') return undefined;
    if (questions === undefined)
      return { kind: 'write', what: 'decision', reason: 'there is no questions.md to answer in' };
    if (!questions.ok || questions.value.questions.some(({ answer }) => answer === ''))
      return undefined;
    return moveByKind(task, 'assumptions_answered', 'every question is answered');
  },
  asked: () => PERSON,
  asks: { trigger: 'assumptions_asked', reason: 'assumptions wait for a person' },
};
