/**
 * The statuses of a story, who may change them, and what a story needs before work begins
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

export interface StoryRow {
  readonly from: StoryStatus;
  readonly to: StoryStatus;
  /** Who may trigger it; the runner moves the task. */
  readonly by: string;
  readonly when: string;
}

const GATE = 'qa, or its other gate';

export const STORY_LIFECYCLE: readonly StoryRow[] = [
  {
    from: 'DRAFT',
    to: 'READY',
    by: 'sm, po, a person',
    when: 'it has a title, acceptance criteria, tasks or an objective, an executor and a quality gate; confirmed, or made by plan start',
  },
  {
    from: 'READY',
    to: 'IN_PROGRESS',
    by: 'build, the runner',
    when: 'what it depends on is done, and its executor is claimed for it',
  },
  {
    from: 'IN_PROGRESS',
    to: 'REVIEW',
    by: 'the executor',
    when: 'its result says COMPLETE: every task ticked, the definition of done met',
  },
  {
    from: 'IN_PROGRESS',
    to: 'BLOCKED',
    by: 'the executor, the runner',
    when: 'no retry is left, something is missing, or a question is open',
  },
  { from: 'REVIEW', to: 'DONE', by: GATE, when: 'its checks passed, and every gate said APPROVED' },
  {
    from: 'REVIEW',
    to: 'IN_PROGRESS',
    by: GATE,
    when: 'NEEDS_WORK, or a check failed; at most twice',
  },
  {
    from: 'REVIEW',
    to: 'BLOCKED',
    by: 'the runner',
    when: 'NEEDS_WORK, or a check failed, and no send-back is left',
  },
  { from: 'REVIEW', to: 'ABORTED', by: GATE, when: 'REJECT' },
  {
    from: 'BLOCKED',
    to: 'IN_PROGRESS',
    by: 'po, a person',
    when: 'the questions are answered, or a resolution is written',
  },
];

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
