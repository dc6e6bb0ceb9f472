/** The verbs about plans, as data. */
import type { Argument, JoiningFlags, JoiningVerb, VerbSpec } from '../../workspace/tasks/verb.ts';

const PLAN_NAME: readonly Argument[] = [['[plan]', 'may be left out where there is only one']];

const offers: VerbSpec['offers'] = async (ws) =>
  (await import('../engine/start/find-plans.ts')).planNames(ws);

export const PLAN: JoiningVerb = {
  name: 'plan',
  after: 'new',
  group: 'Many',
  summary: 'a list of boxes as contracts: check, start, status, list, pause',
  example: 'contracts plan check\ncontracts plan start launch\ncontracts plan status',
  below: {
    new: {
      summary: 'create a contract for the plan agent from a request',
      arguments: [['<request...>', 'what you want']],
      flags: [
        [
          '--squad <name>',
          'the squad of the plan; default: the one that fits the request. Each further squad gets its own section',
          { many: true, is: 'list' },
        ],
        ['--name <name>', 'of the plan; default: made from the request'],
        ['--id <id>', 'choose the id of the contract yourself'],
      ],
      example:
        'contracts plan new "a landing page for the summer sale"\ncontracts plan new "log in with a passkey" --squad dev --name passkey',
    },
    check: {
      summary: 'check a plan; creates nothing',
      effect: 'reads',
      arguments: [['[plan]', 'default: all plans']],
      example: 'contracts plan check launch',
      offers,
    },
    start: {
      summary: 'create the contracts of a plan, in ready/',
      effect: 'decides',
      arguments: PLAN_NAME,
      flags: [['--dry-run', 'show what it would create, and create nothing']],
      example: 'contracts plan start launch --dry-run\ncontracts plan start launch',
      offers,
    },
    status: {
      summary: 'the progress of a plan',
      effect: 'reads',
      arguments: [['[plan]', 'default: the plans that are at work']],
      flags: [
        ['--all', 'every item, even of idle waves'],
        ['--report', 'first bring its stories and run reports up to date'],
      ],
      example: 'contracts plan status\ncontracts plan status launch --all',
      offers,
    },
    list: {
      summary: 'list all plans',
      effect: 'reads',
      example: 'contracts plan list',
    },
    pause: {
      summary: 'no task of it is claimed from now on',
      arguments: PLAN_NAME,
      flags: [['--end', 'its tasks are claimed again']],
      example: 'contracts plan pause launch\ncontracts plan pause launch --end',
      offers,
    },
  },
  load: () => import('./plan.ts'),
};

export const STORIES: JoiningFlags = {
  name: 'states',
  flags: [['--stories', 'the lifecycle of a story, and who may advance it']],
  example: 'contracts help states --stories',
  load: () => import('./stories.ts'),
};
