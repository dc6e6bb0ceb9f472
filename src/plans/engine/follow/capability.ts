/** Plans: tasks come from items, and boxes follow the tasks. */
import { basename, join } from 'node:path';
import type { Capability } from '../../../workspace/tasks/capability.ts';
import type * as shapes from '../../core/plan-lines.ts';
import { planFolder, plansFolder } from '../../../task/store/tasks/layout.ts';
import { PLAN, STORIES } from '../../cli/verbs.ts';
import { HOLD_WORDS } from '../../core/words.ts';
import { incompletePlans, unstartedWords } from '../start/unstarted.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { isTaskOfPlan } from '../../core/plan-ids.ts';
import { calls } from './calls.ts';
import { isOneAtATime, isPaused, planByHand } from './plan-facts.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { isStory, storyLacks } from '../../core/story.ts';
import type { Report } from '../../../task/core/model/problem.ts';
import { completed } from '../../../workspace/tasks/complete-contract.ts';
import { squadsOf } from '../../../squads/engine/registry.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export const plans: Capability<typeof shapes> = {
  name: 'plans',
  verbs: [PLAN],
  flags: [STORIES],
  shapes: () => import('../../core/plan-lines.ts'),
  idle: (ws, busy) =>
    ws.disk.stat(plansFolder(ws.layout)) === undefined ? undefined : unstartedWords(ws, busy),
  problems: incompletePlans,
  checks: ['plan_valid'],
  hold: (ws, contract, task) => {
    const { plan } = contract.head;
    if (plan === undefined) return undefined;
    if (isPaused(ws, plan)) return HOLD_WORDS.paused(plan);
    const file = planByHand(ws, contract, task);
    return file === undefined ? undefined : HOLD_WORDS.by_hand(task.id, plan, file);
  },
  turn: ({ head: { plan } }) =>
    plan === undefined
      ? undefined
      : { key: `plan ${plan}`, isOneAtATime: (ws) => isOneAtATime(ws, plan) },
  makes: ({ head: { plan } }, id) =>
    plan !== undefined && isTaskOfPlan(id) ? `contracts plan start ${plan}` : undefined,
  preflight: checkStory,
  texts: ({ layout }, { head: { plan = '' } }, folder) =>
    PLAN_NAME.test(plan)
      ? ['plan.md', 'notepad.md', `stories/${basename(folder)}.md`].map((name) =>
          join(planFolder(layout, plan), name),
        )
      : [],
  ...calls,
};

/** Problems of a story that is not ready; errors only where its squad is story-driven. */
function checkStory(ws: Workspace, contract: Contract, report: Report): void {
  if (!isStory(contract)) return;
  const { agent, category, squad: name } = contract.head;
  const squad = name === undefined ? undefined : squadsOf(ws).get(name);
  const executor = agent ?? category ?? squad?.default_executor;
  const lacks = storyLacks(completed(ws, contract), executor !== undefined);
  if (lacks.length === 0) return;
  report(
    'bad_value',
    `a story is not ready without ${lacks.join(', ')}`,
    'Write it into the contract',
    {
      severity: squad?.story_driven === true ? 'error' : 'warning',
      found: 'type: story',
      keys: ['type'],
    },
  );
}
