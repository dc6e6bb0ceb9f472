/** The verbs about squads, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';
import { JSON_FLAG } from '../../cli/terminal/command-shape.ts';

export const SQUAD: JoiningVerb = {
  name: 'squad',
  after: 'agents',
  group: 'Many',
  summary: 'teams of agents for a domain: list, show, check, new, create',
  example:
    'contracts squad list\ncontracts squad show marketing\ncontracts squad new legal\ncontracts squad create "contract law for a small company"',
  onlyBelow: true,
  below: {
    list: {
      summary: 'all squads, nearest first',
      flags: [
        JSON_FLAG,
        ['--for <words>', 'which squad fits these words, how sure that is, and why'],
      ],
      example: 'contracts squad list\ncontracts squad list --for "a newsletter"',
    },
    show: {
      summary: 'everything about one squad',
      arguments: [['<squad>']],
      example: 'contracts squad show marketing',
    },
    check: {
      summary: 'problems of one squad, or of all',
      arguments: [['[squad]']],
      example: 'contracts squad check\ncontracts squad check legal',
    },
    new: {
      summary: 'create a folder to fill in, in .contracts/squads/',
      arguments: [['<name>', 'name of the squad and of its folder']],
      example: 'contracts squad new legal',
    },
    create: {
      summary: 'create a contract for squad-creator',
      arguments: [['<domain>', 'the field of work']],
      flags: [
        ['--name <name>', 'of the squad; default: made from the domain'],
        ['--id <id>', 'of the contract'],
        ['--adapter <name>', 'how squad-creator is called', { offers: ['shell', 'human', 'host'] }],
      ],
      example: 'contracts squad create "contract law" --name legal',
    },
  },
  load: () => import('./squad.ts'),
};
