/**
 * The statuses of a story, and what a story needs before work begins
 * (docs/reference/plans.md#files-beside-the-plan). The folder of the task counts, never the file.
 */
import type { Contract } from '../../task/core/model/contract.ts';
import type { State } from '../../task/core/model/state.ts';

export const STORY_STATUSES = [
  'DRAFT',
  'READY',
  'IN_PROGRESS',
  'REVIEW',
  'DONE',
  'BLOCKED',
  'ABORTED',
] as const;
export type StoryStatus = (typeof STORY_STATUSES)[number];

export function isStory({ head }: Contract): boolean {
  return head.type === 'story';
}

/** `begun`: an agent has worked on it. */
export function storyStatus(state: State, begun: boolean): StoryStatus {
  return state === 'ready' && begun ? 'IN_PROGRESS' : STATUS_IN[state];
}

const STATUS_IN: Readonly<Record<State, StoryStatus>> = {
  draft: 'DRAFT',
  ready: 'READY',
  in_progress: 'IN_PROGRESS',
  questions: 'BLOCKED',
  blocked: 'BLOCKED',
  review: 'REVIEW',
  done: 'DONE',
  aborted: 'ABORTED',
};

/** `executor`: the contract, category or squad names one. */
export function storyLacks(contract: Contract, executor: boolean): readonly string[] {
  const { title, criteria, objective, requirements, steps, head } = contract;
  const work = objective.trim() !== '' || requirements.trim() !== '' || steps.length > 0;
  return [
    ...(title.trim() === '' ? ['a title'] : []),
    ...(criteria.length === 0 ? ['acceptance criteria'] : []),
    ...(work ? [] : ['tasks, steps or an objective']),
    ...(executor ? [] : ['an executor']),
    ...(head.quality_gate.length === 0 ? ['a quality gate'] : []),
  ];
}
