/** What a session of a host client is given by this capability itself. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { newestHandoff, startSections } from './handoff.ts';

export const calls: CallPoints = {
  ledger: (ws) => {
    const newest = newestHandoff(ws);
    return newest === undefined ? {} : { sections: { handoff: [newest.file] } };
  },
  session: async (ws, { event, since_ms }) =>
    event === 'start' ? startSections(ws, since_ms) : [],
};
