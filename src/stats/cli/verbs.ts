/** The flags of status that show figures, as data. */
import type { FlagValue, JoiningFlags } from '../../workspace/tasks/verb.ts';

const many: FlagValue = { many: true };

export const STATS: JoiningFlags = {
  name: 'status',
  flags: [
    [
      '--stats',
      'attempts, verdicts, minutes, tokens and cost, by agent, client, machine, squad and plan',
    ],
    ['--plan <name>', 'with --stats: only of this plan; may be repeated', many],
    ['--agent <name>', 'with --stats: only of this agent', { ...many, offers: 'agent' }],
    ['--client <name>', 'with --stats: only calls by this adapter; may be repeated', many],
    [
      '--confidence',
      'with --stats: what agents called so sure, and how much of it people confirmed',
    ],
    ['--csv', 'with --stats: all figures as rows of a spreadsheet'],
  ],
  example:
    'contracts status --stats --since 7d\ncontracts status --stats --confidence\ncontracts status --stats --csv > stats.csv',
  load: () => import('./stats.ts'),
};
