/** What a session of a host client is given by the router. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';

export const calls: CallPoints = {
  session: async (ws, { event, words }) =>
    event === 'prompt' ? (await import('./advice.ts')).advice(ws, words) : [],
};
