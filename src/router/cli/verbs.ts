/** The verb route, as data. */
import type { JoiningVerb } from '../../workspace/tasks/verb.ts';

export const ROUTE: JoiningVerb = {
  name: 'route',
  after: 'agents',
  group: 'For hosts, scripts and shells',
  summary: 'what a message asks for: a workflow, a team, a squad, or nothing of the kind',
  effect: 'reads',
  arguments: [['<message...>', 'as the user wrote it']],
  flags: [
    [
      '--source <whom>',
      'who wrote it: user, system, or an agent; only messages of the user are routed. Default: user, inside an attempt its agent',
    ],
    ['--agent <name>', 'who got it; says what this agent does', { offers: 'agent' }],
    ['--no-check', 'do not look whether a plan is being worked on'],
  ],
  example:
    'contracts route "find out why the login fails, and fix it"\ncontracts route "done, all tests pass" --source builder --json',
  load: () => import('./route.ts'),
};
