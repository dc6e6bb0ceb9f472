/** Delegation: an agent that may do so gives parts of its task to others, as child tasks. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';
import { childrenOf } from './child-tasks.ts';

export const delegation: Capability = {
  name: 'delegation',
  parts: (ws, { id, folder, attempts }) =>
    childrenOf(ws, folder, id, attempts).map((one) => one.id),
  ...calls,
};
