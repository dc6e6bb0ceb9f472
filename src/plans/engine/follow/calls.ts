/** The points where agents are called: verbs that call none do not load them. */
import type { CallPoints } from '../../../workspace/tasks/capability.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { PLAN_FILE, planToWrite } from './plan-facts.ts';
import { followStep } from './follow-step.ts';
import { briefOfPlan } from '../records/handoff.ts';
import { remindOfStory } from '../records/stories.ts';
import { resolveStories } from '../records/resolve-stories.ts';
import { epicsOfPlans } from '../records/epics.ts';
import { noteLearnings } from '../records/notepad.ts';
import { draftStories } from '../records/draft-stories.ts';

export const calls: CallPoints = {
  brief: briefOfPlan,
  check: async (ws, { root, contract, path }) =>
    (await import('../start/check-plan.ts')).invalidPlan(ws, root, contract, path),
  // No notes for other plans.
  documents: (ws, id, contract) => {
    const { type } = contract.head;
    const written = planToWrite(ws, contract);
    const plan = written ?? contract.head.plan;
    if (plan === undefined || !PLAN_NAME.test(plan)) return undefined;
    const folder = `plans/${plan}`;
    const stories = `${folder}/stories`;
    const own = written === undefined ? [] : [`${folder}/${PLAN_FILE}`];
    const shown = [`${folder}/notepad.md`, `${stories}/${id}.md`, ...own];
    return { folder, shown, ...(type === 'story' ? { others: stories } : {}) };
  },
  handed_over: resolveStories,
  on_done: (running, folder) => {
    noteLearnings(running, folder);
    draftStories(running, folder);
  },
  remind: remindOfStory,
  follow: followStep,
  ledger: epicsOfPlans,
};
