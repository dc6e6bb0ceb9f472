/** The points where agents are called and sessions begin. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { expectedLearning } from './expected-learning.ts';
import { harvest } from './harvest.ts';
import { inBrief, learningLines, recall } from './recall.ts';
import { hasMemory } from './folder.ts';
import { ledgerSections } from './store.ts';

const TITLE = 'Learnings of earlier work';

export const calls: CallPoints = {
  brief: ({ running: { ws }, contract }) =>
    hasMemory(ws)
      ? { context: [{ title: TITLE, text: learningLines(inBrief(ws, contract)) }] }
      : {},
  on_done: harvest,
  expected_write: expectedLearning,
  ledger: (ws) => (hasMemory(ws) ? { sections: ledgerSections(ws) } : {}),
  session: async (ws, { event, words }) =>
    event === 'prompt' && hasMemory(ws)
      ? [{ title: TITLE, text: learningLines(recall(ws, words).filter(({ fits }) => fits)) }]
      : [],
  session_ended: async (ws, ended) => (await import('./catcher.ts')).makeCatcher(ws, ended),
};
