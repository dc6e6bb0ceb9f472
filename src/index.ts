/**
 * The library: everything that the verbs do, with typed results. Nothing here prints or exits.
 * Open a workspace once, then call the verbs with it; every call looks at the disk anew.
 */
export { openWorkspace, type OpenOptions, type Ports, type Workspace } from './engine/workspace.ts';
export { init, type Initialised } from './engine/verbs/init.ts';
export { step, type StepOptions, type StepReport } from './engine/step.ts';
export { run, type RunReport } from './engine/verbs/run.ts';
export { createTask, createFromText, type Created, type NewTask } from './engine/verbs/create.ts';
export {
  moveByVerb,
  moveManyByVerb,
  type ManyMoved,
  type Moved,
  type MoveVerb,
} from './engine/verbs/moves.ts';
export { answer, giveVerdict, resolveBlocked, addNote } from './engine/verbs/words.ts';
export type { Written } from './engine/verbs/file-edit.ts';
export { delegate, collect, type Delegated } from './engine/verbs/host.ts';
export { countTasks } from './engine/verbs/names.ts';
export { listTasks, type Listing, type ListedTask, type ListQuery } from './engine/verbs/list.ts';
export { graphOf, type Graphed } from './engine/verbs/graph.ts';
export { dotGraph, mermaidGraph } from './text/graph.ts';
export { storyOf, type Story, type AttemptStory } from './engine/verbs/show.ts';
export { doctor, type Diagnosis } from './engine/verbs/doctor.ts';
export type { Ability } from './engine/verbs/probe.ts';
export { checkTree, type Checked } from './engine/verbs/check.ts';
export {
  archiveTasks,
  type Archived,
  type Archiving,
  type ArchiveOptions,
} from './engine/verbs/archive.ts';
export { findTask } from './engine/verbs/find-task.ts';
export { resolveId } from './engine/verbs/resolve-id.ts';
export type { Event } from './core/event.ts';
export type { Line } from './core/lines.ts';
export type { Action } from './core/action.ts';
export type { TaskRead } from './core/task.ts';
export type { Contract } from './core/contract.ts';
export type { Problem, ProblemCode, Result } from './core/problem.ts';
export { Fault, formatProblem } from './core/problem.ts';
export { STATES, type State } from './core/state.ts';
export {
  TRANSITIONS,
  tableRows,
  transition,
  type Transition,
  type Trigger,
} from './core/transitions.ts';
