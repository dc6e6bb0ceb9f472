/**
 * LEDGER.md after what a person says: each verb that makes, moves or answers a task, by the built command,
 * whose frequent verbs have files of their own without what capabilities do where agents are called.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { contractsIn } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('ledger');
  said('init');
});

function said(...argv: string[]) {
  const ran = contractsIn(root, argv);
  return { code: ran.status, text: ran.stdout + ran.stderr };
}

const ledger = (): string => readFileSync(join(root, 'LEDGER.md'), 'utf8');
const counts = (): string | undefined => /^- Tasks: (.*)$/m.exec(ledger())?.[1];

const write = (path: string, text: string): void => putFile(join(root, path), text);

const CONTRACT = '---\ntitle: A\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] a\n';

test('it is written when a task is made, moved, resolved and aborted', () => {
  said('new', 'A', '--id', 'a', '--adapter', 'human');
  expect(counts()).toBe('1 draft');
  said('confirm', 'a');
  expect(counts()).toBe('1 ready');
  write('active_tasks/blocked/b/contract.md', CONTRACT);
  write('active_tasks/blocked/b/blocked.md', '# Blocked\n\n## Resolution\n\n');
  expect(said('retry', 'b', 'As you like')).toMatchObject({ code: 0 });
  expect(counts()).toBe('1 ready, 1 blocked');
  said('retry', 'b');
  expect(counts()).toBe('2 ready');
  said('abort', 'a');
  expect(counts()).toBe('1 ready, 1 aborted');
});

test('an answer is no open question any more, and an epic of a plan stays', () => {
  write('active_tasks/questions/q/contract.md', CONTRACT);
  write(
    'active_tasks/questions/q/questions.md',
    '# Questions\n\n## 1. In which language?\n\n### Answer\n\n',
  );
  said('plan', 'new', 'launch');
  write('.contracts/plans/launch/plan.md', '# Launch\n\n- [ ] Draft it (executor: person)\n');
  // The person wrote it: nobody is asked for it any more.
  said('abort', 'launch');
  said('plan', 'start', 'launch');
  said('new', 'A', '--id', 'a', '--adapter', 'human');
  expect(ledger()).toContain('q: In which language?');
  expect(ledger()).toContain('## Epic launch: Launch');
  expect(said('answer', 'q', 'In English').code).toBe(0);
  expect(ledger()).not.toContain('In which language?');
  expect(ledger()).toContain('- q: answered → contracts run');
  expect(ledger()).toContain('## Epic launch: Launch');
});

test('a verb that only reads, or is refused, writes none; a person’s own file stays', () => {
  for (const verb of [
    ['list'],
    ['status'],
    ['confirm', 'nothing'],
    ['pause', 'x'],
    ['pause', '--end'],
  ])
    said(...verb);
  expect(existsSync(join(root, 'LEDGER.md'))).toBe(false);
  write('LEDGER.md', 'Mine.\n');
  expect(said('new', 'A', '--id', 'a', '--adapter', 'human').code).toBe(0);
  expect(ledger()).toBe('Mine.\n');
});

test('of more than 200 live tasks it is left to the next step', () => {
  said('new', 'A', '--id', 'a', '--adapter', 'human');
  for (let n = 0; n < 200; n++) write(`active_tasks/draft/t${n}/contract.md`, CONTRACT);
  said('confirm', 'a');
  expect(counts()).toBe('1 draft');
  said('step');
  expect(counts()).toBe('200 draft, 1 in progress');
});
