/** The verb worker, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';

export const WORKER: JoiningVerb = {
  name: 'worker',
  after: 'mcp',
  group: 'For hosts, scripts and shells',
  summary:
    'does jobs of other machines: takes them from a queue, calls its agents, returns their work',
  starts: true,
  flags: [
    ['--queue <url>', 'redis://, rediss:// or postgres://; else the variable CONTRACTS_QUEUE'],
    ['--key <file>', 'public keys of the owners whose jobs it does (.contracts/keys/*.pub)'],
    ['--agent <names>', 'the agents it calls, as this workspace configures them', { is: 'list' }],
    [
      '--labels <names>',
      'what this machine has, for jobs that ask for it; at most four',
      { is: 'list' },
    ],
    ['--slots <n>', 'how many jobs at once; 1 when left out', { is: 'count' }],
    ['--once', 'takes what waits now, up to its slots, and ends'],
  ],
  example: 'contracts worker --queue redis://queue.lan --key owners.pem --agent builder',
  load: () => import('./worker.ts'),
};
