/** What plans do where an agent is called; calls of the command that call none leave it out. */
import type { CallPoints } from '../../../workspace/tasks/capability.ts';

export const calls: CallPoints = {
  check: async (ws, { root, contract, path }) =>
    (await import('../start/check-plan.ts')).invalidPlan(ws, root, contract, path),
};
