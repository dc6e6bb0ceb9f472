/** The verb about assumptions below `memory`, as data. */
import type { JoiningBelow } from '../../workspace/tasks/verb.ts';

export const ASSUMPTIONS: JoiningBelow = {
  name: 'memory',
  inner: 'assumptions',
  shape: {
    summary:
      'list the assumptions that you have not confirmed, and put them into a contract for you',
    effect: 'decides',
    example: 'contracts memory assumptions',
  },
  load: () => import('./assumptions.ts'),
};
