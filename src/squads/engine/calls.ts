/** The points where agents are called: verbs that call none do not load them. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { remindOf } from './remind.ts';

export const calls: CallPoints = {
  documents: () => ({ folder: 'squads', shown: [] }),
  check: async (ws, { root, contract, path }) =>
    (await import('./check-squad.ts')).invalidSquad(ws, root, contract, path),
  remind: remindOf,
};
