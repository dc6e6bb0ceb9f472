// Workspaces of the bench. Each is made when a row first needs it, trusted as a user does it, and changed
// as users do: a contract gets another title.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { contracts } from './command.mjs';
import { wall } from './measure.mjs';
import { addTasks, makeWorkspace, retitle } from './tree.mjs';

/** What was written less than two seconds ago may change again with the same times. */
const SETTLED_MS = 2100;

class Room {
  #root;
  #is_made = false;
  #changes = 0;
  #touched_ms = 0;
  #fill;

  constructor(root, tasks, fill) {
    this.#root = root;
    this.tasks = tasks;
    this.#fill = fill;
  }

  get root() {
    if (!this.#is_made) {
      this.#is_made = true;
      makeWorkspace(this.#root);
      addTasks(this.#root, 0, this.tasks);
      this.#fill(this.#root);
      wall(contracts(this.#root, 'trust'));
      this.#touched_ms = performance.now();
    }
    return this.#root;
  }

  call(verb, options) {
    return wall(contracts(this.root, ...verb.split(' ')), options);
  }

  /** Other tasks in each round, and the same ones if a round asks twice. Nobody waits until they settled. */
  change(round, count = 1) {
    const change = ++this.#changes;
    for (let i = 0; i < count && this.tasks > 0; i++) {
      retitle(this.root, ((round * count + i) * 7919) % this.tasks, `change ${change}`);
    }
    this.#touched_ms = performance.now();
  }

  /** Nothing is kept of earlier calls. */
  forget() {
    rmSync(join(this.root, '.contracts', 'cache'), { recursive: true, force: true });
  }

  /** All that was written has stood for two seconds, and a call has seen that. */
  settle(verb) {
    const { root } = this;
    const left_ms = this.#touched_ms + SETTLED_MS - performance.now();
    if (left_ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left_ms);
    wall(contracts(root, verb));
  }
}

/**
 * `room(name, tasks, fill)`: one for each name. `fill(root)` adds what else is in it. What a user has
 * outside of workspaces (answers about trust, compiled code, settings) lies there too.
 */
export function roomsIn(folder) {
  for (const kind of ['STATE', 'CACHE', 'CONFIG']) {
    process.env[`XDG_${kind}_HOME`] = join(folder, kind.toLowerCase());
  }
  const made = new Map();
  return (name, tasks, fill = () => {}) => {
    if (!made.has(name)) made.set(name, new Room(join(folder, name), tasks, fill));
    return made.get(name);
  };
}
