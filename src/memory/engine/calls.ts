/** The points where agents are called and sessions begin. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { harvest, learningsReturned } from './harvest.ts';
import { learningsFor, wordsOf } from './recall.ts';
import { hasMemory } from './folder.ts';
import { ledgerSections } from './store.ts';

export const calls: CallPoints = {
  brief: ({ running: { ws }, contract }) =>
    hasMemory(ws) ? { context: [learningsFor(ws, wordsOf(contract))] } : {},
  on_done: harvest,
  on_back: learningsReturned,
  ledger: (ws) => (hasMemory(ws) ? { sections: ledgerSections(ws) } : {}),
  session: async (ws, { event, words }) =>
    event === 'prompt' && hasMemory(ws) ? [learningsFor(ws, words)] : [],
  session_ended: async (ws, ended) => (await import('./catcher.ts')).makeCatcher(ws, ended),
};
