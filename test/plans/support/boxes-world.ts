/**
 * A workspace of a plan and its tasks for tests of boxes: tasks are made and moved by hand, as people
 * do it, and each is a person's own work, so that a step moves none of its own accord.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { planTaskId } from './plan-ids.ts';
import { STATES, type State } from '../../../src/task/core/model/state.ts';
import { archiveTasks } from '../../../src/engine/commands/archive.ts';
import type { Workspace } from '../../../src/workspace/open/workspace.ts';
import type { Disk } from '../../../src/task/store/disk/disk.ts';
import { sha256 } from '../../../src/task/store/disk/hash.ts';
import { unsyncedDisk } from '../../support/faulty-disk.ts';
import { putFile, sealedFolder } from '../../support/sealed-folder.ts';
import { openedAt } from '../../support/opened.ts';

export const PLAN = `\uFEFF---
squad: dev
---
# Launch

1. [ ] Page (id: page)
   - [ ] Draft it (id: draft)
     - [ ] has a title
     - [ ] has an end
   - [ ] Check it (id: check)
* [ ] Ship it (id: ship, executors: @a @b)\r
+ [ ] Ask (id: ask)
\t- [ ] Deep (id: deep)
- [ ] Sell (id: sell, executors: @a @b)
  - [ ] Price it (id: price, type: story)

\`\`\`
- [ ] no box
\`\`\`

## Definition of Done

- [ ] the person's own
`;

export const FILE = '.contracts/plans/launch/plan.md';

export interface BoxesWorld {
  at(path: string): string;
  write(path: string, words: string | Buffer): void;
  /** The plan as it was, and no task. */
  begin(): void;
  open(disk?: Disk): Workspace;
  stateOf(key: string): State | undefined;
  /** Of a task that exists already nothing is made. */
  make(key: string, state: string): void;
  move(key: string, to: string): void;
  /** Out of done or aborted; `by_hand`: nobody can tell any more what it was. */
  archive(key: string, by_hand: boolean): void;
  /** As `archived_done`; undefined of one that is not there. */
  archivedAs(key: string): string | undefined;
  forget(key: string): void;
}

export function boxesWorld(): BoxesWorld {
  const root = sealedFolder('boxes');
  const at = (path: string): string => join(root, path);
  const folder = (state: string, key: string): string =>
    at(`active_tasks/${state}/${planTaskId('launch', key, sha256)}`);
  const write = (path: string, words: string | Buffer): void => putFile(at(path), words);
  const stateOf = (key: string) => STATES.find((state) => fs.existsSync(folder(state, key)));
  const world: BoxesWorld = {
    at,
    write,
    stateOf,
    begin: () => {
      for (const name of fs.readdirSync(root)) fs.rmSync(at(name), { recursive: true });
      for (const state of STATES) fs.mkdirSync(at(`active_tasks/${state}`), { recursive: true });
      write(FILE, PLAN);
    },
    open: (disk = unsyncedDisk) => openedAt(root, { disk }),
    make: (key, state) => {
      if (stateOf(key) !== undefined) return;
      const head = `---\ntitle: ${key}\nplan: launch\nadapter: human\n---\n`;
      const contract = `${head}\n## Success Criteria\n\n- [ ] x\n`;
      const id = planTaskId('launch', key, sha256);
      write(`active_tasks/${state}/${id}/contract.md`, contract);
    },
    move: (key, to) => {
      const from = stateOf(key);
      if (from !== undefined && from !== to) fs.renameSync(folder(from, key), folder(to, key));
    },
    archive: (key, by_hand) => {
      const from = stateOf(key);
      if (from !== 'done' && from !== 'aborted') return;
      const id = planTaskId('launch', key, sha256);
      if (by_hand) {
        fs.mkdirSync(at('.contracts/archive'), { recursive: true });
        fs.renameSync(folder(from, key), at(`.contracts/archive/${id}`));
      } else archiveTasks(world.open(), { ids: [id], older_than_ms: 0 });
    },
    archivedAs: (key) => {
      const place = at(`.contracts/archive/${planTaskId('launch', key, sha256)}`);
      if (!fs.existsSync(place)) return undefined;
      if (!fs.existsSync(join(place, 'archived.md'))) return 'archived';
      const record = fs.readFileSync(join(place, 'archived.md'), 'utf8');
      return record.includes('state: done') ? 'archived_done' : 'archived_aborted';
    },
    forget: (key) => {
      const state = stateOf(key);
      if (state !== undefined) fs.rmSync(folder(state, key), { recursive: true });
    },
  };
  world.begin();
  return world;
}
