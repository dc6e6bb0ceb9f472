/** Commits: one a task that comes to done in the shared tree, and taking the work of a task back. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';

export const commits: Capability = {
  name: 'commits',
  verbs: [
    {
      name: 'undo',
      after: 'abort',
      effect: 'decides',
      arguments: [['<id>']],
      on: ['done'],
      summary: 'take the commit or the merge of a task back by a revert',
      example: 'contracts undo fix-the-test',
      load: () => import('../cli/undo.ts'),
    },
  ],
  ...calls,
};
