/**
 * decide() asks for facts and looks at nothing: while it runs, a disk that throws is never called. Trees
 * of tasks in every state, as a small tree reads them and as the cache of a large one knows them. The
 * file system is real.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBoard, type Board } from '../../src/engine/board/board.ts';
import { decide } from '../../src/engine/core/decide/decide.ts';
import { decided, lookUp } from '../../src/engine/step/facts.ts';
import type { FactName, Known, TaskRead } from '../../src/task/core/model/task.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { KEPT_TASKS_MIN } from '../../src/engine/cache/row-cache.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

const root = sealedFolder('decide');

let broken = false;
const disk = new Proxy(unsyncedDisk, {
  get(real, name: keyof Disk) {
    if (broken) throw new Error(`decide looks at the disk: ${name}`);
    return real[name];
  },
});

const write = (path: string, text: string): void => putFile(join(root, path), text);

const HEADS = [
  '',
  'depends_on: [ready-0]\n',
  'depends_on: [nobody]\n',
  'depends_on: [aborted-0]\n',
  'parent: aborted-0\n',
  'plan: p\ndeliverables: [x.txt]\n',
  'type: checkpoint\ndepends_on: [done-0]\n',
  'quality_gate: [person]\n',
  'agent: someone\n',
  'depends_on: {\n',
];

/** One of each kind in each state, with the files that a state may have. */
function plant(): void {
  fs.mkdirSync(join(root, '.contracts'));
  for (const state of STATES) {
    HEADS.forEach((head, i) => {
      const folder = `active_tasks/${state}/${state}-${i}`;
      write(
        `${folder}/contract.md`,
        `---\ntitle: x\n${head}---\n## Success Criteria\n\n- [ ] it\n`,
      );
      if (i % 2 === 1) return;
      write(`${folder}/questions.md`, '# Questions\n\n## Questions\n\n1. Which?\n\n### Answer\n');
      write(`${folder}/result.md`, '# Task Result\n\n- Status: COMPLETE\n');
      write(`${folder}/review.md`, '# Review\n\n- [ ] APPROVED\n- [ ] NEEDS_WORK\n- [ ] REJECT\n');
      write(`${folder}/blocked.md`, '# Blocked\n\n## Resolution\n');
      write(`${folder}/confirmed.md`, 'another contract\n');
    });
  }
}

function open(): Workspace {
  const ws = openedAt(root, { disk });
  const { machine } = ws;
  // A minute later: what was just written has settled, so that the cache keeps it.
  return {
    ...ws,
    machine: { ...machine, now: () => new Date(Date.now() + 60_000) },
  };
}

function decideBlind(ws: Workspace, board: Board, task: TaskRead): { known: Known; kind: string } {
  const known: Known = {};
  for (;;) {
    broken = true;
    const answer = decide(task, known);
    broken = false;
    if (answer.kind !== 'needs') return { known, kind: answer.kind };
    const found = answer.facts.map((name: FactName) => [name, lookUp(ws, board, task, name)]);
    Object.assign(known, Object.fromEntries(found));
  }
}

test('decide never calls the disk, in a small tree and in one that the cache knows', () => {
  plant();
  const look = (quick: boolean): readonly string[] => {
    const ws = open();
    const board = readBoard(ws, quick ? { quick: 'rows' } : {});
    expect(board.rows !== undefined).toBe(quick);
    return [...board.tasks.values()].flatMap((task) => {
      const { known, kind } = decideBlind(ws, board, task);
      expect(decided(ws, board, task).action.kind).toBe(kind);
      expect(Object.isFrozen(task)).toBe(true);
      return Object.keys(known);
    });
  };
  const small = look(false);
  expect(new Set(small).size).toBeGreaterThan(10);
  for (let n = 0; n < KEPT_TASKS_MIN; n++) {
    write(`active_tasks/draft/many-${n}/contract.md`, '---\ntitle: x\n---\n');
  }
  const read = look(true);
  expect(look(true)).toEqual(read);
});
