/** The verbs about plans, as data. */
import type { Argument, JoiningFlags, JoiningVerb, VerbSpec } from '../../workspace/tasks/verb.ts';

const PLAN_NAME: readonly Argument[] = [['[plan]', 'may be left out where there is only one']];

const offers: VerbSpec['offers'] = async (ws) =>
  (await import('../engine/start/find-plans.ts')).planNames(ws);

export const PLAN: JoiningVerb = {
  name: 'plan',
  after: 'new',
  summary: 'a list of boxes as contracts: check, start, status, list, pause, resume',
  example: 'contracts plan check\ncontracts plan start launch\ncontracts plan status',
  below: {
    new: {
      summary: 'a contract for the plan agent, of a request',
      arguments: [['<request>', 'what you want, in words']],
      flags: [
        [
          '--squad <name>',
          'whose plan it is; else the one that the words point to. Further ones get sections of their own',
          { many: true, is: 'list' },
        ],
        ['--name <name>', 'of the plan; else made of the words'],
        ['--id <id>', 'choose the id of the contract yourself'],
      ],
      example:
        'contracts plan new "a landing page for the summer sale"\ncontracts plan new "log in with a passkey" --squad dev --name passkey',
    },
    check: {
      summary: 'what is wrong with a plan; makes nothing',
      effect: 'reads',
      arguments: [['[plan]', 'all of them when left out']],
      example: 'contracts plan check launch',
      offers,
    },
    start: {
      summary: 'make the contracts of a plan, in ready/',
      effect: 'decides',
      arguments: PLAN_NAME,
      flags: [['--dry-run', 'say what it would make, and make nothing']],
      example: 'contracts plan start launch --dry-run\ncontracts plan start launch',
      offers,
    },
    status: {
      summary: 'how far a plan is',
      effect: 'reads',
      arguments: [['[plan]', 'those that are at work when left out']],
      flags: [['--all', 'every item, also of waves in which nothing happens']],
      example: 'contracts plan status\ncontracts plan status launch --all',
      offers,
    },
    list: {
      summary: 'the plans that there are',
      effect: 'reads',
      example: 'contracts plan list',
    },
    pause: {
      summary: 'nothing of it is claimed any more',
      arguments: PLAN_NAME,
      example: 'contracts plan pause launch',
      offers,
    },
    resume: {
      summary: 'it goes on',
      arguments: PLAN_NAME,
      example: 'contracts plan resume launch',
      offers,
    },
  },
  load: () => import('./plan.ts'),
};

export const STORIES: JoiningFlags = {
  name: 'states',
  flags: [['--stories', 'the lifecycle of a story, and who may bring it further']],
  example: 'contracts states --stories',
  load: () => import('./stories.ts'),
};
