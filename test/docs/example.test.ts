/**
 * active_tasks.example/ is what it says: real tasks in all eight states that today's reader reads
 * without a word of complaint. Looked at in a copy; nothing is run.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { textHere } from '../support/command-room.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { readTask } from '../../src/workspace/tasks/read-task.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { hear, Words } from '../support/golden-words.ts';
import { readWorkspace } from '../support/golden-tree.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

const EXAMPLE = new URL('../../active_tasks.example/', import.meta.url).pathname;
const STORY = new URL('../../scripts/example/', import.meta.url).pathname;
let root: string;
let ws: Workspace;

beforeAll(() => {
  root = sealedFolder('example');
  cpSync(EXAMPLE, join(root, 'active_tasks'), { recursive: true });
  cpSync(join(STORY, '.contracts'), join(root, '.contracts'), { recursive: true });
  ws = openedAt(root);
});

async function contracts(...argv: string[]): Promise<{ text: string; code: number }> {
  const words = new Words();
  const { text, code } = await hear(words, () => textHere(['--dir', root, ...argv]));
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/\u001b\[\d*m/g, '');
  const masked = words.mask(
    plain,
    (one) => one,
    () => true,
  );
  return { text: masked, code };
}

/** One line a task: its state, its id, its title, and in the next line what it waits for. */
const LISTED = `
!  questions  invoice-export  Export invoices for the accountant  AGE  builder  build  <wait: questions Which format does the accountant want: CSV, or the XML of the tax office? 2>
!  review  press-text  A press text for the opening  AGE  scout  <wait: verdict>
!  blocked  upload-test  The upload test fails now and then  AGE  builder  debug  200 runs under load, two at a time: not one failure.
!  in_progress  privacy-notice  Check the privacy notice  AGE  you  <wait: in_hands>
!  draft  two-factor-login  A second factor at login  AGE  builder  build  <wait: unconfirmed>
 ↓  ready  changelog  Write the changelog of 1.2  AGE  builder  low docs  next step: calls builder
  ready  password-reset  Reset a forgotten password  AGE  builder  build  <wait: dependencies invoice-export questions>
 ↑  done  login-endpoint  A login endpoint  AGE  builder  high build  done, with receipts
  aborted  sms-reminders  Remind customers by SMS  AGE  scout  build  <wait: ended aborted>
`;

test('every state has a task, and every contract and record of it is read without a problem', () => {
  for (const state of STATES) {
    const ids = readdirSync(join(EXAMPLE, state));
    expect(ids.length, state).toBeGreaterThan(0);
    for (const id of ids) {
      const task = readTask(ws, state, id);
      expect(task?.contract, id).toMatchObject({ ok: true, warnings: [] });
      expect(task?.problems, id).toEqual([]);
      for (const attempt of task?.attempts ?? []) {
        expect(attempt.owner, `${id} ${attempt.number}`).toBeDefined();
        expect(attempt.outcome !== undefined, `${id} ${attempt.number}`).toBe(
          state !== 'in_progress',
        );
      }
    }
  }
});

test('list shows all of it', async () => {
  const { text, code } = await contracts('list', '--all');
  const ageless = text.replace(/ {2,}/g, '  ').replace(/ {2}(?:now|\d+[mhd]) /g, '  AGE ');
  expect(`\n${ageless}`).toBe(LISTED);
  expect(code).toBe(0);
});

test('a dry run says what the next step would do, and changes nothing', async () => {
  const before = readWorkspace(root, true);
  const { text, code } = await contracts('step', '--dry-run');
  expect(text.split('\n').filter((line) => line.includes('would:'))).toEqual([
    'changelog  would: is claimed and its agent called  Write the changelog of 1.2',
  ]);
  for (const line of [
    'two-factor-login  draft: <wait: unconfirmed>',
    'press-text  review: <wait: verdict>',
    'invoice-export  questions: <wait: questions ',
    'upload-test  blocked: ',
    'privacy-notice  in_progress: <wait: in_hands>',
    'password-reset  ready: <wait: dependencies invoice-export',
  ]) {
    expect(text).toContain(line);
  }
  expect(code).toBe(0);
  expect(readWorkspace(root, true)).toEqual(before);
});

test('show tells the story of each task', async () => {
  for (const state of STATES) {
    for (const id of readdirSync(join(EXAMPLE, state))) {
      const { text, code } = await contracts('show', id);
      expect(code, id).toBe(0);
      expect(text, id).toContain(`${state}  active_tasks/${state}/${id}`);
    }
  }
});

test('nothing in it names the machine that made it', () => {
  const files = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const hosts = files.flatMap((text) => [...text.matchAll(/^host: (.*)$/gm)].map((m) => m[1]));
  expect(hosts.length).toBeGreaterThan(0);
  expect(new Set(hosts)).toEqual(new Set(['studio']));
  expect(files.filter((text) => text.includes('/contracts-example-'))).toEqual([]);
  if (hostname().length > 4) expect(files.filter((t) => t.includes(hostname()))).toEqual([]);
});
