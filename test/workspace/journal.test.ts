/** The journal alone: which writes it tells, and what leads from one content to another. Real files. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { put } from '../../src/task/store/disk/put.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { journaled, journalNow, NOTHING, writtenSince } from '../../src/workspace/open/journal.ts';
import { workspaceState } from '../../src/workspace/open/state-home.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let root = '';
let here: Parameters<typeof journalNow>[0];
let disk: Disk;
let writing: Omit<Parameters<typeof journaled>[0], 'disk'>;
let today = '2026-03-01';
let numbers = 0;

beforeEach(() => {
  const base = sealedFolder('journal');
  root = join(base, 'ws');
  mkdirSync(join(root, '.contracts'), { recursive: true });
  mkdirSync(join(root, 'active_tasks'));
  const layout = { root, tasks: join(root, 'active_tasks') };
  const env = { HOME: join(base, 'home') };
  here = { env, layout };
  today = '2026-03-01';
  writing = { env, machine: { now: () => new Date(`${today}T10:00:00Z`) } };
  disk = journaled({ disk: realDisk, ...writing }, layout);
});

const at = (path: string): string => join(root, path);
const bytes = (text: string): Uint8Array => Buffer.from(text);
const digest = (text: string): string => sha256(bytes(text));
/** By the runner; `byHand` is anybody else. */
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  numbers += 1;
  put({ disk, unique: () => String(numbers) }, at(path), bytes(text));
}
function byHand(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}
const leads = (path: string, was: string, now: string): boolean =>
  writtenSince(here).leads(
    path,
    was === '' ? NOTHING : digest(was),
    now === '' ? NOTHING : digest(now),
  );
const logs = (): string => workspaceState(here.env, root);

type Row = readonly [name: string, act: () => unknown, was: string, now: string, is: boolean];

const NOTES = '.contracts/plans/p/notepad.md';

describe('what leads from one content to another', () => {
  test.each([
    ['one write', () => write(NOTES, 'a'), '', 'a', true],
    ['two writes', () => [write(NOTES, 'a'), write(NOTES, 'b')], '', 'b', true],
    ['the first of two, put back', () => [write(NOTES, 'a'), write(NOTES, 'b')], '', 'a', true],
    ['a removal', () => [write(NOTES, 'a'), disk.remove(at(NOTES))], 'a', '', true],
    ['a removal by hand', () => [write(NOTES, 'a'), rmSync(at(NOTES))], 'a', '', false],
    ['nothing', () => undefined, '', 'a', false],
    ['by hand', () => byHand(NOTES, 'a'), '', 'a', false],
    ['an edit, then a write', () => [byHand(NOTES, 'x'), write(NOTES, 'b')], 'a', 'b', false],
    ['a write, then an edit', () => [write(NOTES, 'a'), byHand(NOTES, 'x')], '', 'x', false],
    ['another file', () => write('.contracts/plans/q/notepad.md', 'a'), '', 'a', false],
  ] as readonly Row[])('%s', (_name, act, was, now, is) => {
    if (was !== '') byHand(NOTES, was);
    act();
    expect(leads(NOTES, was, now)).toBe(is);
  });

  test('what was written before a position leads nowhere after it', () => {
    write(NOTES, 'a');
    const since = journalNow(here);
    byHand(NOTES, 'x');
    byHand(NOTES, 'a');
    expect(writtenSince(here, since).leads(NOTES, digest('x'), digest('a'))).toBe(false);
    write(NOTES, 'b');
    expect(writtenSince(here, since).leads(NOTES, digest('a'), digest('b'))).toBe(true);
  });

  test('a folder that is completed aside and renamed has all its files', () => {
    disk.mkdir(at('.contracts/.tmp-1'));
    disk.mkdir(at('.contracts/.tmp-1/deep'));
    disk.create(at('.contracts/.tmp-1/deep/a.md'), bytes('a'));
    disk.rename(at('.contracts/.tmp-1'), at('.contracts/made'));
    expect(leads('.contracts/made/deep/a.md', '', 'a')).toBe(true);
  });

  test('a temporary that a killed runner left is its own, one that it never named is not', () => {
    const killed: Disk = { ...realDisk, create: () => expect.unreachable() };
    const layout = { root, tasks: join(root, 'active_tasks') };
    const dying = journaled(
      {
        disk: { ...killed, create: (path) => writeFileSync(path, 'half') },
        env: here.env,
        machine: { now: () => new Date() },
      },
      layout,
    );
    dying.create(at('.contracts/.tmp-7'), bytes('whole'));
    byHand('.contracts/.tmp-8', 'half');
    expect(leads('.contracts/.tmp-7', '', 'half')).toBe(true);
    expect(leads('.contracts/.tmp-8', '', 'half')).toBe(false);
    write(NOTES, 'a');
    const used = dirname(NOTES) + `/.tmp-${numbers}`;
    byHand(used, 'forged');
    expect(leads(used, '', 'forged')).toBe(false);
  });

  test('a line that is torn, or of another kind, spoils no other', () => {
    write(NOTES, 'a');
    const [name = ''] = readdirSync(logs());
    appendFileSync(join(logs(), name), '\n["' + NOTES);
    appendFileSync(join(logs(), name), `\n{"v":1}\n["x"]\nnull\n${'x'.repeat(100)}`);
    write(NOTES, 'b');
    expect(leads(NOTES, 'a', 'b')).toBe(true);
  });
});

describe('what it tells', () => {
  test.each([
    ['.contracts/memory/insight/a.md', true],
    ['.contracts/PAUSED', true],
    ['LEDGER.md', true],
    ['.contracts/cache/row.json', false],
    ['.contracts/archive/a/contract.md', false],
    ['.git/config', false],
    ['node_modules/a/index.js', false],
    ['active_tasks/ready/a/status.md', false],
    ['active_tasks/ready/a/attempts/0001/owner.md', false],
    ['../beside.md', false],
  ])('%s: %s', (path, is) => {
    write(path, 'a');
    expect(existsSync(logs())).toBe(is);
    if (is) expect(leads(path, '', 'a')).toBe(true);
  });

  test('a task that is made, or begins again, by what it says and what a person answers', () => {
    const made = at('active_tasks/.desk/new');
    mkdirSync(made, { recursive: true });
    mkdirSync(at('active_tasks/questions'));
    mkdirSync(at('active_tasks/ready'));
    writeFileSync(join(made, 'contract.md'), 'do');
    writeFileSync(join(made, 'questions.md'), 'which?');
    disk.rename(made, at('active_tasks/questions/a'));
    const isMade = (name: string, text: string): boolean =>
      writtenSince(here).leadsTask('a', name, digest(text));
    expect([isMade('contract.md', 'do'), isMade('questions.md', 'which?')]).toEqual([true, true]);
    expect([isMade('contract.md', 'do more'), isMade('questions.md', 'this')]).toEqual([
      false,
      false,
    ]);
    write('active_tasks/questions/a/questions.md', 'this');
    expect(isMade('questions.md', 'this')).toBe(true);
    const before = journalNow(here);
    // It was there before, and a comparison does not ask.
    disk.rename(at('active_tasks/questions/a'), at('active_tasks/ready/a'));
    expect(journalNow(here)).toEqual(before);
  });

  test('a draft that a person edited and confirmed, and no draft that is changed after that', () => {
    for (const state of ['draft', 'ready']) mkdirSync(at(`active_tasks/${state}`));
    const made = at('active_tasks/.desk/new');
    mkdirSync(made, { recursive: true });
    writeFileSync(join(made, 'contract.md'), 'do');
    disk.rename(made, at('active_tasks/draft/a'));
    byHand('active_tasks/draft/a/contract.md', 'do it well');
    const isMade = (text: string): boolean =>
      writtenSince(here).leadsTask('a', 'contract.md', digest(text));
    expect(isMade('do it well')).toBe(false);
    disk.rename(at('active_tasks/draft/a'), at('active_tasks/ready/a'));
    expect([isMade('do it well'), isMade('do more')]).toEqual([true, false]);
  });

  test('a FIFO in place of a log keeps nobody waiting', () => {
    mkdirSync(logs(), { recursive: true });
    execFileSync('mkfifo', [join(logs(), `wrote-${today}.log`)]);
    write(NOTES, 'a');
    expect(leads(NOTES, '', 'a')).toBe(false);
  });

  test('many lines of one path, and many paths of nobody, are read in a moment', () => {
    write(NOTES, 'a');
    const [name = ''] = readdirSync(logs());
    const line = `\n${JSON.stringify([NOTES, digest('a'), digest('a'), 'step'])}`;
    appendFileSync(join(logs(), name), line.repeat(50_000));
    const written = writtenSince(here);
    const begun = performance.now();
    for (let i = 0; i < 2_000; i++)
      expect(written.leads(`.next/${i}.js`, NOTHING, digest('x'))).toBe(false);
    // 2,000 times all of the log took minutes.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('a disk that keeps no log keeps no write back', () => {
    writeFileSync(join(root, '..', 'home'), 'a file in place of the home');
    write(NOTES, 'a');
    expect(existsSync(at(NOTES))).toBe(true);
    expect(leads(NOTES, '', 'a')).toBe(false);
  });

  test('31 days, each in a file that its user alone can read', () => {
    for (let day = 1; day <= 40; day++) {
      today = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
      write(NOTES, `day ${day}`);
    }
    const names = readdirSync(logs()).sort();
    expect([names.length, names[0], names.at(-1)]).toEqual([
      31,
      'wrote-2026-01-10.log',
      'wrote-2026-02-09.log',
    ]);
    expect((realDisk.stat(join(logs(), names[0] ?? ''))?.mode ?? 0) & 0o777).toBe(0o600);
  });

  test('the commands that people typed, and no run of a runner', () => {
    const { argv } = process;
    onTestFinished(() => void (process.argv = argv));
    const by = (...words: readonly string[]): void => {
      process.argv = ['node', ...words];
      disk = journaled({ disk: realDisk, ...writing }, here.layout);
      write(NOTES, words.join(' '));
    };
    by('/bin/other', 'pause');
    by('/bin/contracts', '--json', 'memory', 'add');
    by('/bin/contracts.cjs', 'step');
    expect(writtenSince(here).typed([NOTES], [])).toEqual([`\`contracts memory\` wrote ${NOTES}`]);
  });
});
