/**
 * The demo, run as a stranger runs it: the built command, real shells, real programs, a folder of its
 * own. Needs dist/, which `npm test` makes.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { sealedFolder } from '../support/sealed-folder.ts';

const script = fileURLToPath(new URL('../../demo/run.mjs', import.meta.url));
const room = join(sealedFolder('demo'), 'demo');

interface Played {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function play(folder: string, program = script): Promise<Played> {
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  const env = { ...rest, NO_COLOR: '1' };
  return new Promise((done) => {
    execFile(process.execPath, [program, folder], { env }, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code ?? -1);
      done({ code, out, err });
    });
  });
}

let said: Played;
beforeAll(async () => {
  said = await play(room);
});

const read = (path: string): string => readFileSync(join(room, path), 'utf8');

describe('the demo', () => {
  test('ends as planned', () => {
    expect(said.err).toBe('');
    expect(said.code).toBe(0);
    expect(said.out).toMatch(/As planned, in \d+\.\d s/);
  });

  test.each([
    ['done', 'tally'],
    ['done', 'chart'],
    ['done', 'bird-of-the-month'],
    ['done', 'page'],
    ['done', 'newsletter'],
    ['blocked', 'september'],
  ])('leaves in %s the task %s', (state, id) => {
    expect(existsSync(join(room, 'active_tasks', state, id, 'contract.md'))).toBe(true);
  });

  test.each([
    /^tally {2}review → ready .*`run: sh checks\/tally\.sh` failed: exit 1/m,
    /^tally {2}review → done {2}verification passed$/m,
    /^bird-of-the-month {2}in_progress → questions {2}asks a question$/m,
    /^bird-of-the-month {2}questions → ready {2}took ".+" as the answer to 1$/m,
    /^page {2}review → ready {2}site\/index\.html:2: no language is named; write <html lang="…">$/m,
    /^page {2}review → done {2}approved by editor$/m,
    /^september {2}in_progress → blocked .*pages 12 to 19 got wet/m,
    /^newsletter {2}review → done {2}approved by a person$/m,
  ])('says in one line: %s', (line) => {
    expect(said.out).toMatch(line);
  });

  test('nothing was called before what it depends on was done', () => {
    const at = (line: string): number => said.out.indexOf(`\n${line}`);
    expect(at('tally  review → done')).toBeGreaterThan(0);
    expect(at('chart  calls')).toBeGreaterThan(at('tally  review → done'));
    expect(at('page  calls')).toBeGreaterThan(at('bird-of-the-month  review → done'));
    expect(at('newsletter  calls')).toBeGreaterThan(at('page  review → done'));
  });

  test('made real files', () => {
    expect(read('site/tally.csv')).toMatch(/^Redwing,527\nFieldfare,197\nGoldcrest,77\n/);
    expect(read('site/bird.txt')).toBe('Yellow-browed warbler\n');
    expect(read('site/chart.svg').match(/<rect /g)).toHaveLength(10);
    expect(read('site/index.html')).toContain('<html lang="en">');
    expect(read('site/index.html')).toContain('alt="Bars: Redwing 527');
  });

  test('the executor was told what check and reviewer had found', () => {
    const tally = read('active_tasks/done/tally/attempts/0003/desk/brief.md');
    expect(tally).toContain('> redwing is listed twice');
    const page = read('active_tasks/done/page/attempts/0003/desk/brief.md');
    expect(page).toContain('the chart has no alt text');
  });

  test('keeps the answer beside its question', () => {
    const questions = read('active_tasks/done/bird-of-the-month/attempts/0001/questions.md');
    expect(questions).toMatch(/### Answer\s+The rarest: everybody has seen a redwing\./);
  });
});

test('the demo writes into no folder that holds something', async () => {
  const full = sealedFolder('full');
  writeFileSync(join(full, 'mine.txt'), 'mine');
  const refused = await play(full);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('overwrites nothing');
  expect(existsSync(join(full, 'active_tasks'))).toBe(false);
  rmSync(full, { recursive: true });
});

test('the demo ends non-zero, with words, when a task did not go through what was planned', async () => {
  const copy = sealedFolder('lax');
  const project = fileURLToPath(new URL('../..', import.meta.url));
  cpSync(join(project, 'demo'), join(copy, 'demo'), { recursive: true });
  for (const name of ['dist', 'node_modules']) symlinkSync(join(project, name), join(copy, name));
  cpSync(join(project, 'package.json'), join(copy, 'package.json'));
  const editor = join(copy, 'demo/workspace/tools/editor.mjs');
  writeFileSync(editor, readFileSync(editor, 'utf8').replace('findings.length === 0', 'true'));
  const lax = await play(join(copy, 'room'), join(copy, 'demo/run.mjs'));
  expect(lax.code).toBe(1);
  expect(lax.err).toContain('page went through complete, approved, not complete, needs_work');
  rmSync(copy, { recursive: true });
});
