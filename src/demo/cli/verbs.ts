/** The verb demo, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';

export const DEMO: JoiningVerb = {
  name: 'demo',
  after: 'init',
  summary: 'play six small tasks in a new folder: no model, no account, no network',
  arguments: [['[folder]', 'new or empty; contracts-demo when left out']],
  example: 'contracts demo\ncontracts demo /tmp/birds',
  load: () => import('./demo.ts'),
};
