/**
 * The library: everything that the verbs do, with typed results. Nothing here prints or exits.
 * Open a workspace once, then call the verbs with it; every call looks at the disk again.
 */
import { CAPABILITIES } from './capabilities.ts';
import type { Line as OwnLine } from './cli/schema/all-lines.ts';
import type { Capability } from './workspace/tasks/capability.ts';
import type { LineOf } from './task/core/lines/line-types.ts';
import type { Result } from './task/core/model/problem.ts';
import type { State } from './task/core/model/state.ts';
import {
  tableRows as rowsOf,
  transition as after,
  type TableRow,
} from './task/core/model/transitions.ts';
import { tableOf } from './workspace/tasks/kinds.ts';
import {
  openWorkspace as open,
  type OpenOptions,
  type Workspace,
} from './workspace/open/workspace.ts';

/** Finds the workspace upwards from `dir` and reads its settings; with all capabilities unless others are given. */
export function openWorkspace(options: Partial<OpenOptions> = {}): Result<Workspace> {
  return open({ capabilities: CAPABILITIES, ...options });
}

export type { OpenOptions, Ports, Workspace } from './workspace/open/workspace.ts';
export { init, type Initialised } from './engine/setup/init.ts';
export { step, type StepOptions, type StepReport } from './engine/step/step.ts';
export { run, type RunReport } from './engine/step/run.ts';
export {
  createTask,
  createFromText,
  type Created,
  type NewTask,
} from './engine/commands/create.ts';
export {
  moveByVerb,
  moveManyByVerb,
  type ManyMoved,
  type Moved,
  type MoveVerb,
} from './engine/commands/moves.ts';
export { answer, giveVerdict, resolveBlocked, addNote } from './engine/commands/write-words.ts';
export type { Written } from './workspace/tasks/capability.ts';
export { delegate, collect, type Delegated } from './engine/commands/delegate.ts';
export { countTasks } from './engine/queries/count-by-state.ts';
export { listTasks, type Listing, type ListedTask, type ListQuery } from './engine/queries/list.ts';
export { graphOf, type Graphed } from './engine/queries/graph.ts';
export { dotGraph, mermaidGraph } from './task/text/markdown/mermaid.ts';
export { storyOf, type Story, type AttemptStory } from './engine/queries/show.ts';
export { doctor, type Diagnosis } from './engine/doctor/doctor.ts';
export type { Ability } from './engine/setup/probe-clients.ts';
export { checkTree, type Checked } from './engine/doctor/check.ts';
export {
  archiveTasks,
  type Archived,
  type Archiving,
  type ArchiveOptions,
} from './engine/commands/archive.ts';
export { findTask } from './engine/queries/find-task.ts';
export { resolveId } from './engine/board/resolve-id.ts';
export type { Event } from './task/core/lines/event.ts';
export type { Action } from './task/core/model/action.ts';
export type { TaskRead } from './task/core/model/task.ts';
export type { Contract } from './task/core/model/contract.ts';
export type { Problem, ProblemCode, Result } from './task/core/model/problem.ts';
export { Fault, formatProblem } from './task/core/model/problem.ts';
export { STATES, type State } from './task/core/model/state.ts';
export type { Transition, Trigger } from './task/core/model/transitions.ts';

/** With the rows of all kinds of tasks. */
export const TRANSITIONS = tableOf(CAPABILITIES);

/** The table as people read it: rows of equal words and target become one. */
export function tableRows(): readonly TableRow[] {
  return rowsOf(TRANSITIONS);
}

/** The state that follows, or undefined when the task stays where it is. */
export function transition(from: State, trigger: string, left: 'left' | 'none_left' = 'left') {
  return after(from, trigger, left, TRANSITIONS);
}

type ShapesOf<C> = C extends Capability<infer S> ? S : never;
/** A line of `--json`. */
export type Line = OwnLine | LineOf<ShapesOf<(typeof CAPABILITIES)[number]>['lines']>;
