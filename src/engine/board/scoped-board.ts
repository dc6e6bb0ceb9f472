/**
 * A board as seen from one task, with the same answers as the whole one: dependencies are looked for by
 * name, and all tasks are read only where a fact needs them all.
 */
import { cycleThrough } from '../../task/core/base/dependency-graph.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import { awaitedBy, type TaskRead } from '../../task/core/model/task.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { NO_BOARD, readBoard, type Board } from './board.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function boardAround(ws: Workspace, task: TaskRead): Board {
  let whole: Board | undefined;
  const doubles = new Map<string, readonly State[]>();
  const tasks = new Near(ws, doubles, () => (whole ??= readBoard(ws, { quick: 'rows' })));
  return {
    ...NO_BOARD,
    tasks,
    doubles,
    get cycles() {
      if (isTerminal(task.state)) return new Map();
      const read = (id: string) => (id === task.id ? task : tasks.get(id));
      const path = cycleThrough(task.id, (id) => dependsOn(read(id)));
      return new Map(path === undefined ? [] : [[task.id, path]]);
    },
  };
}

function dependsOn(task: TaskRead | undefined): readonly string[] {
  return task?.contract.ok === true ? awaitedBy(task.contract.value) : [];
}

/** Live tasks by id, each read when it is asked for; all are read only to go through all. */
class Near extends Map<string, TaskRead> {
  readonly #ws: Workspace;
  readonly #doubles: Map<string, readonly State[]>;
  readonly #all: () => Board;
  readonly #asked = new Set<string>();

  constructor(ws: Workspace, doubles: Map<string, readonly State[]>, all: () => Board) {
    super();
    this.#ws = ws;
    this.#doubles = doubles;
    this.#all = all;
  }

  override get(id: string): TaskRead | undefined {
    if (!this.#asked.has(id)) {
      this.#asked.add(id);
      const task = this.#find(id);
      if (task !== undefined) this.set(id, task);
    }
    return super.get(id);
  }

  override values(): MapIterator<TaskRead> {
    return this.#all().tasks.values() as MapIterator<TaskRead>;
  }

  /** True if the whole board has it, as a task or as a fault. */
  override has(id: string): boolean {
    const { tasks, doubles, faults } = this.#all();
    return tasks.has(id) || doubles.has(id) || faults.has(id);
  }

  #find(id: string): TaskRead | undefined {
    if (!isTaskId(id)) return undefined;
    const live = locate(this.#ws.disk, this.#ws.layout, id).filter((state) => !isTerminal(state));
    const [state] = live;
    if (state === undefined) return undefined;
    if (live.length > 1) this.#doubles.set(id, live);
    return readTask(this.#ws, state, id);
  }
}
