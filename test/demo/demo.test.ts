/**
 * `contracts demo`, as a person types it: the built command, real shells and programs, a folder of its own. The
 * packed package is in packed.test.ts.
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { otherUser } from '../support/as-user.ts';
import { BINARY } from '../support/binary.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const { cpSync, existsSync, mkdirSync, readFileSync } = fs;
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

interface Played {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface How {
  readonly cwd: string;
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly binary?: string;
  /** Ctrl-C when this was printed. */
  readonly ctrlC?: string;
}

/** Nothing is trusted, and nothing is set, as at a person's. */
function play(args: readonly string[], { before = [], cwd, binary = BINARY, ...how }: How) {
  const [program = '', ...argv] = [...before, process.execPath, binary, 'demo', ...args];
  const env = { ...sealedEnv(), ...how.env };
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return new Promise<Played>((done) => {
    const child = spawn(program, argv, { cwd, env, stdio: [...stdio], detached: true });
    let [out, err] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const was = out;
      out += text;
      const { ctrlC = '\0' } = how;
      // As a terminal: the whole group gets it.
      if (out.includes(ctrlC) && !was.includes(ctrlC)) process.kill(-child.pid!, 'SIGINT');
    });
    child.once('close', (code) => done({ code, out, err }));
  });
}

const place = sealedFolder('demo');
const room = join(place, 'contracts-demo');
const read = (path: string): string => readFileSync(join(room, path), 'utf8');
let said: Played;
beforeAll(async () => {
  said = await play([], { cwd: place });
});

describe('the demo', () => {
  test('ends as planned', () => {
    expect(said.err).toMatch(/^(?:Next: contracts confirm [a-z-]+\n){6}$/);
    expect(said.code).toBe(0);
    expect(said.out).toContain('» The demo ended as planned.');
    expect(said.out).not.toContain('\u001b');
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

describe('what it prints', () => {
  test('each command before its lines, as a person can type it', () => {
    const typed = said.out.split('\n').filter((line) => line.startsWith('$ '));
    expect(typed[0]).toBe('$ contracts init');
    expect(typed).toContain("$ contracts approve newsletter 'Good. Print forty.'");
    expect(typed.filter((line) => line === '$ contracts run')).toHaveLength(3);
    const at = (line: string): number => said.out.indexOf(`\n${line}`);
    expect(at('$ contracts confirm tally')).toBeGreaterThan(at('$ contracts new'));
    expect(at('tally  draft → ready')).toBeGreaterThan(at('$ contracts confirm tally'));
  });

  test('at the end what to look at, and a command that works', () => {
    const paths = [...said.out.matchAll(/^ {2}(contracts-demo\/\S+) {2}/gm)].map(
      ([, path]) => path,
    );
    expect(paths).toHaveLength(5);
    for (const path of paths) expect(existsSync(join(place, path ?? ''))).toBe(true);
    // No shell finds this build by its name.
    const [, next = ''] =
      /^Next: (.+)$/m.exec(said.out.slice(said.out.indexOf('as planned'))) ?? [];
    expect(next).toBe(`cd contracts-demo && node ${BINARY} show september`);
    const options = { cwd: place, env: sealedEnv(), encoding: 'utf8' } as const;
    expect(execFileSync('sh', ['-c', next], options)).toContain('september');
  });
});

test('--json: one value a line, with those of the commands between', async () => {
  // Here a shell finds the command by its name.
  const bin = sealedFolder('bin');
  fs.symlinkSync(BINARY, join(bin, 'contracts'));
  const env = { PATH: `${bin}:${sealedEnv().PATH}` };
  const { code, out } = await play(['birds', '--json'], { cwd: sealedFolder(), env });
  expect(code).toBe(0);
  const lines = checkedLines(out) as readonly { event: string }[];
  const named = (event: string): unknown[] => lines.filter((line) => line.event === event);
  expect(named('demo_runs')).toHaveLength(15);
  expect(named('initialised')).toHaveLength(1);
  expect(lines.filter(({ event }) => event === 'moved').length).toBeGreaterThan(20);
  expect(lines.at(-1)).toMatchObject({
    event: 'demo_ended',
    next: ['cd birds', 'contracts show september'],
  });
});

describe('a folder that is not for it is refused, with the command for another one', () => {
  test.each([
    ['birds', 'birds/mine.txt', 'this folder is not empty', 'birds-2'],
    ['birds', 'birds', 'a file is in the way', 'birds-2'],
    ['birds/in', 'birds', 'a file is in the way', '~/contracts-demo'],
  ])('%s, where %s is a file', async (named, file, why, another) => {
    const cwd = sealedFolder();
    putFile(join(cwd, file), 'mine');
    const before = fs.readdirSync(cwd, { recursive: true });
    const { code, out, err } = await play([named], { cwd });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(why);
    expect(err.endsWith(`Choose a new folder: contracts demo ${another}\n`)).toBe(true);
    expect(fs.readdirSync(cwd, { recursive: true })).toEqual(before);
  });

  test('one that this user may not write', async () => {
    const cwd = sealedFolder();
    fs.chmodSync(cwd, 0o555);
    const env = { HOME: sealedFolder('home') };
    const { before } = otherUser();
    const { code, err } = await play([], { cwd, before, env });
    expect(code).toBe(2);
    expect(err).toBe(
      'error: you may not write here (found contracts-demo). Choose a new folder: contracts demo ~/contracts-demo\n',
    );
  });
});

test('Ctrl-C ends the command that runs, and the demo; what is there stays', async () => {
  const cwd = sealedFolder();
  mkdirSync(join(cwd, 'birds'));
  const { code, out, err } = await play(['birds'], { cwd, ctrlC: 'tally  calls builder' });
  expect(code).toBe(130);
  expect(out).not.toContain('contracts answer bird');
  expect(err).not.toContain('as planned');
  const again = await play(['birds', '--json'], { cwd });
  expect([again.code, again.err]).toEqual([2, '']);
  expect(checkedLines(again.out)).toMatchObject([{ event: 'problem' }]);
});

test('inside an attempt it is reserved for people', async () => {
  const cwd = sealedFolder();
  const env = { CONTRACTS_OUT: join(place, 'desk'), CONTRACTS_TASK: 'tally' };
  const { code, err } = await play([], { cwd, env });
  expect(code).toBe(2);
  expect(err).toContain('demo is reserved for people, and this is inside an attempt at tally');
  expect(fs.readdirSync(cwd)).toEqual([]);
});

test('inside an attempt the folder that is named counts: one of its own below the temporary folder', async () => {
  const [workspace, TMPDIR] = [sealedFolder('workspace'), sealedFolder('tmp')];
  const desk = join(workspace, 'active_tasks/in_progress/tally/attempts/0001/desk');
  mkdirSync(desk, { recursive: true });
  mkdirSync(join(workspace, '.contracts'));
  const env = { CONTRACTS_OUT: desk, CONTRACTS_ROOT: workspace, CONTRACTS_TASK: 'tally', TMPDIR };
  const refused = await play(['birds'], { cwd: workspace, env });
  expect(refused.err).toContain('demo is reserved for people');
  const own = join(TMPDIR, 'birds');
  expect(await play([own, '--json'], { cwd: workspace, env })).toMatchObject({ code: 0, err: '' });
  const beside = await play([join(workspace, 'birds')], { cwd: TMPDIR, env });
  expect(beside.err).toContain('demo is reserved for people');
  expect(fs.readdirSync(workspace).toSorted()).toEqual(['.contracts', 'active_tasks']);
});

test('it ends non-zero, with words, when a task does not go through what was planned', async () => {
  const copy = sealedFolder('lax');
  for (const name of ['dist', 'templates', 'package.json'])
    cpSync(join(PROJECT, name), join(copy, name), { recursive: true });
  const editor = join(copy, 'templates/demo/tools/editor.mjs');
  putFile(editor, readFileSync(editor, 'utf8').replace('findings.length === 0', 'true'));
  const binary = join(copy, BINARY.slice(PROJECT.length));
  const lax = await play(['birds'], { cwd: copy, binary });
  expect(lax.code).toBe(3);
  expect(lax.err).toContain(
    'the demo did not go as planned: active_tasks/done/page/attempts/0002/review.md was not made',
  );
  expect(lax.err).toContain(`Look: contracts -C ${join(copy, 'birds')} status`);
});
