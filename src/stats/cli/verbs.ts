/** The verb stats, as data. */
import type { FlagValue, JoiningVerb } from '../../workspace/tasks/verb.ts';

const many: FlagValue = { many: true, preset: [] };

export const STATS: JoiningVerb = {
  name: 'stats',
  after: 'graph',
  summary: 'attempts, verdicts, minutes, tokens and cost, by agent, client, squad and plan',
  effect: 'reads',
  flags: [
    ['--plan <name>', 'only of this plan; may be repeated', many],
    ['--agent <name>', 'only of this agent; may be repeated', { ...many, offers: 'agent' }],
    ['--client <name>', 'only calls by this adapter; may be repeated', many],
    ['--since <when>', 'only attempts since then: an age such as 7d, or a day such as 2026-01-31'],
    ['--csv', 'all figures as rows of a spreadsheet'],
  ],
  example: 'contracts stats\ncontracts stats --since 7d\ncontracts stats --csv > stats.csv',
  load: () => import('./stats.ts'),
};
