/** The events of a session below the verb hook, and a flag of status, as data. */
import type { JoiningBelow, JoiningFlags } from '../../workspace/tasks/verb.ts';

const shape = { summary: '', effect: 'reads', example: '' } as const;

export const EVENTS: readonly JoiningBelow[] = ['session-start', 'user-prompt', 'session-end'].map(
  (inner) => ({ name: 'hook', inner, shape, load: () => import('./session-hook.ts') }),
);
export const WRITE: JoiningFlags = {
  name: 'status',
  flags: [['--write', 'a handoff into .contracts/handoffs/, for whoever continues']],
  example: 'contracts status --write',
  load: () => import('./write-handoff.ts'),
};
