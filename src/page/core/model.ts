/** Values that the report and the page show: views draw them and know no disk. */
export type { FormQuestion } from '../../task/core/model/documents.ts';
import type { Question } from '../../task/core/model/documents.ts';
import type { LineData } from '../../engine/core/events/command-lines.ts';
import type { PlanData } from '../../plans/core/plan-lines.ts';
import type { Row } from '../../stats/core/figures.ts';
import type { TaskGraph } from '../../task/core/base/dependency-graph.ts';
import type { Problem } from '../../task/core/model/problem.ts';

export type ListedTask = LineData<'task'>;
export type Story = LineData<'story'>;
export type AttemptStory = Story['attempts'][number];
export type PlanStatus = PlanData<'plan_status'>;

export interface BoardView {
  /** The name of the workspace's folder. */
  readonly name: string;
  /** ISO 8601: when it was read. */
  readonly at: string;
  readonly tasks: readonly ListedTask[];
  readonly problems: readonly Problem[];
}

export interface TaskView {
  readonly story: Story;
  /** The diff as git prints it; empty where nothing changed or nothing is known: `story.files_note` says why. */
  readonly patch: string;
  /** Lines of the patch that are left out, to keep the page small. */
  readonly cut: number;
  /** Files of the task as they are, by name, such as `contract.md`. */
  readonly files: Readonly<Record<string, string>>;
  /** Open questions, with their numbers. */
  readonly asked: readonly Pick<Question, 'number' | 'text' | 'quote' | 'options'>[];
  /** Words of a decision that waits, the one that lets go on first, each with what it means. */
  readonly decision: readonly (readonly [word: string, meaning: string])[];
}

/** Rows of figures: the total first, then those of agents, clients, squads and plans. */
export type Figures = readonly Row[];

export interface ReportView {
  readonly board: BoardView;
  readonly tasks: readonly TaskView[];
  readonly plans: readonly PlanStatus[];
  readonly graph: TaskGraph;
  readonly figures: Figures;
  /** Words for what was asked for, such as `plan launch, since 2026-01-31`; empty for everything. */
  readonly about: string;
}

/** Changes of the board since the last news: tasks that are otherwise, and ids of those that are gone. */
export interface BoardNews extends Omit<BoardView, 'tasks'> {
  readonly set: readonly ListedTask[];
  readonly gone: readonly string[];
  /** Ids in the order of turns, where it changed. */
  readonly order?: readonly string[];
  /** All tasks: what was known before is void. */
  readonly whole?: true;
  /** Why nothing could be read, such as for broken settings: what was told before may no longer be so. */
  readonly failed?: string;
}
