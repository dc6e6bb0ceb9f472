/** Tasks of which only rows were read, and what others ask of any task without a look where a row says it. */
import { leftLease, openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { isTrouble } from '../../task/core/attempts/pause.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { refused } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { awaitedBy, PLAIN, type TaskRead } from '../../task/core/model/task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { FIELD } from './row.ts';
import type { RowFile } from './row-file.ts';

/** As nobody waits for it, and nothing is known of it. */
const MOVED_AWAY: Omit<TaskRead, 'id' | 'state' | 'since_ms'> = {
  contract: refused([]),
  kind: PLAIN,
  source: { hash: '' },
  attempts: [],
  problems: [],
  questions: undefined,
  review: undefined,
  decision: undefined,
};

/** A task of which only a row was read. What the row does not say is read when it is asked for. */
export class KnownTask implements TaskRead {
  readonly id: string;
  readonly state: State;
  readonly row: number;
  readonly #ws: Workspace;
  readonly #file: Pick<RowFile, 'fields'>;
  #whole: TaskRead | undefined;

  constructor(
    ws: Workspace,
    file: Pick<RowFile, 'fields'>,
    known: Pick<KnownTask, 'row' | 'id' | 'state'>,
  ) {
    this.#ws = ws;
    this.#file = file;
    this.row = known.row;
    this.id = known.id;
    this.state = known.state;
  }

  get fields(): readonly string[] {
    return this.#file.fields(this.row);
  }

  get since_ms(): number {
    return this.#whole?.since_ms ?? Number(this.fields[FIELD.since_ms]);
  }

  get kind(): TaskRead['kind'] {
    return this.fields[FIELD.kind] === '' ? PLAIN : this.#read().kind;
  }

  get attempts(): TaskRead['attempts'] {
    return this.fields[FIELD.attempt] === '0' ? [] : this.#read().attempts;
  }

  get contract(): TaskRead['contract'] {
    return this.#read().contract;
  }

  get source(): TaskRead['source'] {
    return this.#read().source;
  }

  get questions(): TaskRead['questions'] {
    return this.#read().questions;
  }

  get review(): TaskRead['review'] {
    return this.#read().review;
  }

  get decision(): TaskRead['decision'] {
    return this.#read().decision;
  }

  get problems(): TaskRead['problems'] {
    return this.#read().problems;
  }

  isReadAgain(): boolean {
    this.#whole = readTask(this.#ws, this.state, this.id);
    return this.#whole !== undefined;
  }

  #read() {
    if (this.#whole === undefined) this.isReadAgain();
    return this.#whole ?? MOVED_AWAY;
  }
}

/**
 * Keeps of a task that was read what is asked of all; the rest is read again when it is asked for. One at work, or in
 * somebody's hands, stays whole.
 */
export function lightened(ws: Workspace, task: TaskRead): TaskRead {
  if (task instanceof KnownTask || (openAttempt(task) ?? leftLease(task))) return task;
  const { id, state, since_ms, attempts, kind } = task;
  const fields: string[] = [];
  fields[FIELD.since_ms] = String(since_ms);
  fields[FIELD.kind] = kind === PLAIN ? '' : kind.name;
  fields[FIELD.attempt] = String(attempts.length);
  const isTroubled = attempts.some(({ lost, outcome }) => !lost && outcome && isTrouble(outcome));
  fields[FIELD.troubled] = isTroubled ? '1' : '';
  fields[FIELD.plan] = planOf(task) ?? '';
  fields[FIELD.parent] = parentOf(task) ?? '';
  fields[FIELD.awaited] = awaitedOf(task);
  return new KnownTask(ws, { fields: () => fields }, { row: -1, id, state });
}

export function rowIn(task: TaskRead): number | undefined {
  return task instanceof KnownTask && task.row >= 0 ? task.row : undefined;
}

export function knownFields(task: Pick<TaskRead, 'contract'>): readonly string[] | undefined {
  return task instanceof KnownTask ? task.fields : undefined;
}

/** The plan of its contract, without a look at it where a row has it. */
export function planOf(task: Pick<TaskRead, 'contract'>): string | undefined {
  return said(task, 'plan', ({ head }) => head.plan) || undefined;
}

export function parentOf(task: TaskRead): string | undefined {
  return said(task, 'parent', ({ head }) => head.parent) || undefined;
}

/** The ids of the tasks that it waits for, with spaces between. */
export function awaitedOf(task: TaskRead): string {
  return said(task, 'awaited', (contract) => awaitedBy(contract).join(' ')) ?? '';
}

function said<T>(
  task: Pick<TaskRead, 'contract'>,
  field: keyof typeof FIELD,
  say: (contract: Contract) => T,
) {
  const fields = knownFields(task);
  if (fields !== undefined) return fields[FIELD[field]];
  return task.contract.ok ? say(task.contract.value) : undefined;
}

/** No call of it went wrong, as far as a row says. */
export function isKnownCalm(task: TaskRead): boolean {
  return knownFields(task)?.[FIELD.troubled] === '';
}

/** True if it has no open attempt, as far as a row says. */
export function isKnownAtRest(task: TaskRead): boolean {
  return task instanceof KnownTask;
}
