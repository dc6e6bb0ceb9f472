/**
 * `step --explain`: the facts that decided and what follows from them are those of the step, whatever state a task is
 * in; and nothing is written. The file system is real.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { boardAround } from '../../src/engine/board/scoped-board.ts';
import { explain } from '../../src/engine/queries/explain.ts';
import { findTask } from '../../src/engine/queries/find-task.ts';
import { step } from '../../src/engine/step/step.ts';
import { decided } from '../../src/engine/step/facts.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { CHANGES, unsyncedDisk } from '../support/faulty-disk.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('explain');
  fs.mkdirSync(join(root, '.contracts'));
});

const write = (path: string, text: string): void => putFile(join(root, path), text);

const contract = (head = ''): string =>
  `---\ntitle: x\nadapter: shell\n${head}---\n\n## Success Criteria\n\n- [ ] it (verify: run: true)\n\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`;

const readOnly = new Proxy(unsyncedDisk, {
  get(real, name: keyof Disk) {
    if (!(CHANGES as ReadonlySet<string>).has(name)) return real[name];
    return () => {
      throw new Error(`changes the disk: ${name}`);
    };
  },
});

function open(config = ''): Workspace {
  write('.contracts/config.yaml', config);
  return openedAt(root, { disk: readOnly });
}

function explained(ws: Workspace, id: string) {
  const found = explain(ws, id);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.value;
}

const HEADS = ['', 'depends_on: [ready-0]\n', 'parent: aborted-0\n', 'depends_on: {\n'];

test('gives the facts and the action of the step, in every state, and writes nothing', async () => {
  for (const state of STATES) {
    HEADS.forEach((head, i) => {
      write(`active_tasks/${state}/${state}-${i}/contract.md`, contract(head));
      if (i > 0) return;
      write(
        `active_tasks/${state}/${state}-${i}/questions.md`,
        '# Q\n\n## Questions\n\n1. Which?\n',
      );
    });
  }
  const ws = open('parallel: 64\n');
  const { plan } = await step(ws, { dry_run: true });
  expect(plan.length).toBe(6 * HEADS.length);
  for (const { id, action } of plan) {
    const { facts, action: next } = explained(ws, id);
    expect(next, id).toEqual(action);
    const task = findTask(ws, id);
    if (!task.ok) throw new Error(id);
    const { known } = decided(ws, boardAround(ws, task.value), task.value);
    const always = ['state', 'contract', 'last_attempt'];
    const asked = [...always, ...Object.keys(known)];
    expect(facts.map(({ fact }) => fact).slice(0, asked.length), id).toEqual(asked);
    expect(
      facts.filter(({ answer }) => answer === ''),
      id,
    ).toEqual([]);
  }
  expect(explained(ws, 'done-0').action).toMatchObject({ kind: 'wait', code: 'ended' });
});

test('says what it waits for, by its code and in words', () => {
  write('active_tasks/draft/first/contract.md', contract());
  write('active_tasks/ready/next/contract.md', contract('depends_on: [first]\n'));
  const { facts, action, words } = explained(open(), 'next');
  expect(facts).toContainEqual({ fact: 'dependencies', answer: 'first (draft)' });
  expect(action).toMatchObject({ kind: 'wait', code: 'dependencies', on: 'task' });
  expect(words).toContain('first');
});

test('counts the slots where the task could begin', () => {
  write('active_tasks/ready/free/contract.md', contract());
  const { facts, action } = explained(open('parallel: 3\n'), 'free');
  expect(facts.at(-1)).toEqual({ fact: 'slots', answer: '0 of 3 taken' });
  expect(action.kind).toBe('claim');
});

test('an id of no task is a problem', () => {
  const found = explain(open(), 'nobody');
  expect(found.ok ? '' : found.problems[0]?.code).toBe('missing_file');
});
