/** The points where agents are called: verbs that call none do not load them. */
import type { CallPoints } from '../../../workspace/tasks/capability.ts';
import { isRunners } from './expected-plan-writes.ts';
import { followStep } from './follow-step.ts';
import { briefOfPlan } from '../records/handoff.ts';
import { remindOfStory } from '../records/stories.ts';
import { resolveStories } from '../records/resolve-stories.ts';
import { noteLearnings } from '../records/notepad.ts';

export const calls: CallPoints = {
  brief: briefOfPlan,
  check: async (ws, { root, contract, path }) =>
    (await import('../start/check-plan.ts')).invalidPlan(ws, root, contract, path),
  expected_write: isRunners,
  handed_over: resolveStories,
  on_done: noteLearnings,
  remind: remindOfStory,
  follow: followStep,
};
