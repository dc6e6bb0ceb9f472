/** What squads do where an agent is called; calls of the command that call none leave it out. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';

export const calls: CallPoints = {
  checks: {
    squad_valid: async (...work) => (await import('./check-squad.ts')).invalidSquad(...work),
  },
};
