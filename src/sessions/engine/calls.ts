/** What a session of a host client is given by this capability itself. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';

export const calls: CallPoints = {
  session: async (ws, { event }) =>
    event === 'start' ? (await import('./handoff.ts')).startSections(ws) : [],
};
