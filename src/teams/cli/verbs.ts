/** The verbs about teams, as data. */
import type { Flag, JoiningVerb } from '../../workspace/tasks/verb.ts';

const ALL: readonly Flag[] = [
  ['--timeout <duration>', 'of each member, such as 90s or 10m'],
  ['--name <name>', 'of the plan; default: made from the task'],
  ['--dry-run', 'print the plan, and write nothing'],
  ['--run', 'then run the plan, and print what they find'],
];

const FLAGS: readonly Flag[] = [
  ['--agents <names>', 'these agents instead, with commas', { is: 'list' }],
  [
    '--rounds <number>',
    'the members discuss in 1 to 3 rounds, one after the other; default: each works alone',
    { is: 'whole' },
  ],
  ...ALL,
];

export const TEAM: JoiningVerb = {
  name: 'team',
  after: 'plan',
  group: 'Many',
  summary: 'several agents on one question: list, show, start, auto, discuss',
  example:
    'contracts team list\ncontracts team start review "the change on this branch"\ncontracts team auto "취약점을 찾아줘"',
  onlyBelow: true,
  below: {
    list: { summary: 'all teams', effect: 'reads', example: 'contracts team list' },
    show: {
      summary: 'who is in a team',
      effect: 'reads',
      arguments: [['<name>']],
      example: 'contracts team show security',
      offers: async (ws) =>
        (await import('../engine/teams.ts')).teamsOf(ws).map(({ name }) => name),
    },
    start: {
      summary: 'write the plan of a team, and create its contracts in ready/',
      effect: 'decides',
      arguments: [
        ['<name>', 'of a team, or agents with commas'],
        ['<task...>', 'what it is about'],
      ],
      flags: FLAGS,
      example:
        'contracts team start review "the change on this branch"\ncontracts team start planning "the move to Postgres" --rounds 2 --agents architect,qa\ncontracts team start architect,qa "the move to Postgres" --run',
    },
    discuss: {
      summary: 'the same with a team that was started: its members discuss another topic',
      effect: 'decides',
      arguments: [
        ['<name>', 'of its plan, of a team, or agents with commas'],
        ['<topic...>', 'what it is about'],
      ],
      flags: [['--rounds <number>', '1 to 3; default: 2', { is: 'whole' }], ...ALL],
      example: 'contracts team discuss the-move-to-postgres "how we test it" --rounds 3',
    },
    auto: {
      summary: 'the same, with the team that fits the words',
      effect: 'decides',
      arguments: [['<request...>', 'what it is about']],
      flags: FLAGS,
      example: 'contracts team auto "find the weak spots of our login"',
    },
  },
  load: () => import('./team.ts'),
};
