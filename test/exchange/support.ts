/** A foreign task as plain data, for tests. */
import type { Arranged } from '../../src/exchange/core/arrange.ts';
import type { ForeignTask } from '../../src/exchange/core/foreign.ts';

export function foreign(more: Partial<ForeignTask>): ForeignTask {
  return {
    id: 'a',
    title: 'A',
    file: 'tasks.md',
    line: 1,
    meaning: 'open',
    status: '',
    objective: '',
    criteria: [],
    depends: [],
    people: [],
    tags: [],
    mentions: [],
    commands: [],
    others: {},
    original: '',
    ...more,
  };
}

export function arranged(task: Partial<ForeignTask>, more: Partial<Arranged> = {}): Arranged {
  const whole = foreign(task);
  return {
    task: whole,
    id: whole.id,
    place: 'plan',
    twice: false,
    reason: '',
    depends: [],
    agent: undefined,
    priority: undefined,
    tags: [],
    facts: [],
    checks: [],
    ...more,
  };
}
