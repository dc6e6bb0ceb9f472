/** The verb about assumptions below `memory`, as data. */
import { PARTS } from '../text/direction-file.ts';
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

export const INTO_DIRECTION: JoiningBelow = {
  name: 'memory',
  inner: 'accept',
  shape: {
    summary: '',
    flags: [
      [
        '--into <part>',
        'goals, constraints or priorities: a line of .contracts/direction.md, and no learning',
        { offers: PARTS },
      ],
    ],
    example: 'contracts memory accept sell-tea-only --into constraints',
  },
  load: () => import('./direction.ts'),
};
