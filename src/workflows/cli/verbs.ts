/** The verbs about workflows, as data. */
import type { JoiningBelow } from '../../workspace/tasks/verb.ts';

const load: JoiningBelow['load'] = () => import('./workflows.ts');

const offers: JoiningBelow['shape']['offers'] = async (ws) =>
  (await import('../engine/find-workflows.ts')).workflowNames(ws);

export const NEW_PLAN: JoiningBelow = {
  name: 'plan',
  inner: 'new',
  shape: {
    summary: '',
    flags: [
      ['--workflow <name>', 'write the plan of this workflow; key=value words are its inputs'],
    ],
    example: 'contracts plan new --workflow debug "the login page is blank"',
  },
  load,
};

export const WORKFLOWS: JoiningBelow = {
  name: 'plan',
  inner: 'workflows',
  shape: {
    summary: 'list workflows: plans with inputs',
    effect: 'reads',
    arguments: [['[name]', 'everything about this one']],
    example: 'contracts plan workflows\ncontracts plan workflows sdd',
    offers,
  },
  load,
};
