/** Assumptions: what workers took for granted is shown to a person, whose answers become learnings. */
import { join } from 'node:path';
import type { Capability } from '../../workspace/tasks/capability.ts';
import { ASSUMPTIONS, INTO_DIRECTION } from '../cli/verbs.ts';
import type * as shapes from '../core/assumption-lines.ts';
import { openAsk } from './ask.ts';
import { calls } from './calls.ts';
import { DIRECTION, directionProblems } from './direction.ts';
import { hasAssumptions } from './folder.ts';
import { openAssumptions } from './store.ts';
import { moveByKind } from '../../engine/core/decide/make-action.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import type { Kind } from '../../task/core/model/task.ts';
import { rows } from '../../task/core/model/transitions.ts';
import { ASKS } from '../core/assumption.ts';

/** A contract that asks a person about assumptions: it is done by its answers, and not by work. */
const assumptionsKind: Kind = {
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

export const assumptions: Capability<typeof shapes> = {
  name: 'assumptions',
  kind: assumptionsKind,
  acts: () => import('./settle.ts'),
  below: [ASSUMPTIONS, INTO_DIRECTION],
  shapes: () => import('../core/assumption-lines.ts'),
  estimates: async (ws) => (await import('./estimates.ts')).estimatesOfAssumptions(ws),
  problems: (ws) => [...directionProblems(ws), ...openAssumptions(ws).problems],
  texts: ({ layout }) => [join(layout.root, DIRECTION)],
  hold: (ws, { head: { plan } }) => {
    if (plan === undefined || ws.config.assumptions !== 'ask' || !hasAssumptions(ws))
      return undefined;
    const id = openAsk(ws, plan);
    if (id === undefined) return undefined;
    const reason = `assumptions of ${plan} wait for a person (${id})`;
    return { reason, fix: `contracts answer ${id}` };
  },
  ...calls,
};
