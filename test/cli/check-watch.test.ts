/**
 * `contracts check --watch` as an editor runs it: the task that `init --with vscode` writes, its matcher fed with the
 * lines of the real command, as VS Code does it (https://code.visualstudio.com/docs/debugtest/tasks, "Background /
 * watching tasks"): a list begins empty at `beginsPattern` and is shown at `endsPattern`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shellContract } from '../hostile/house.ts';
import { BINARY, contractsIn, startContracts } from '../support/binary.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

interface Task {
  readonly label: string;
  readonly command: string;
  readonly isBackground?: boolean;
  readonly problemMatcher: {
    readonly pattern: Readonly<
      Record<'file' | 'line' | 'column' | 'severity' | 'message', number>
    > & {
      readonly regexp: string;
    };
    readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
  };
}

type Shown = Readonly<Record<'file' | 'line' | 'column' | 'severity' | 'message', string>>;

let root = '';
let bin = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  root = sealedFolder('watched');
  bin = sealedFolder('bin');
  fs.symlinkSync(BINARY, join(bin, 'contracts'));
  contractsIn(root, ['init', '--with', 'vscode']);
  put(GOOD);
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

const GOOD = shellContract('a', { head: 'priority: high' });
const BROKEN = shellContract('a', { head: 'priority: urgent' });
const FILE = 'active_tasks/ready/a/contract.md';
const put = (text: string, file = FILE): void => putFile(join(root, file), text);

/** Starts the task of the editor. Gives the lists that it shows, one after the other, and its end. */
function editor() {
  const { tasks } = JSON.parse(fs.readFileSync(join(root, '.vscode/tasks.json'), 'utf8')) as {
    tasks: readonly Task[];
  };
  const { command, problemMatcher } = tasks.find(({ isBackground }) => isBackground === true)!;
  const { pattern, background } = problemMatcher;
  const [found, begins, ends] = [
    pattern.regexp,
    background.beginsPattern,
    background.endsPattern,
  ].map((one) => new RegExp(one)) as [RegExp, RegExp, RegExp];
  const env = { ...sealedEnv(), PATH: `${bin}:${sealedEnv().PATH}` };
  const started = spawn('sh', ['-c', `exec ${command}`], { cwd: root, env });
  child = started;
  const shown: (readonly Shown[])[] = [];
  const waiting: ((list: readonly Shown[]) => void)[] = [];
  let list: Shown[] = [];
  createInterface(started.stdout).on('line', (line) => {
    if (begins.test(line)) list = [];
    const match = found.exec(line);
    const part = (name: keyof Shown): string => match?.[pattern[name]] ?? '';
    if (match !== null)
      list.push({
        file: part('file'),
        line: part('line'),
        column: part('column'),
        severity: part('severity'),
        message: part('message'),
      });
    if (!ends.test(line)) return;
    shown.push(list);
    waiting.shift()?.(list);
  });
  const next = (): Promise<readonly Shown[]> => new Promise((done) => waiting.push(done));
  const ended = new Promise<number | null>((done) => started.once('close', (code) => done(code)));
  return { next, shown, ended };
}

test('a contract that is broken is a problem with its place; mended, the problem is gone', async () => {
  const { next, shown, ended } = editor();
  expect(await next()).toEqual([]);
  let list = next();
  put(BROKEN);
  expect(await list).toEqual([
    {
      file: FILE,
      line: String(BROKEN.split('\n').indexOf('priority: urgent') + 1),
      column: '1',
      severity: 'error',
      message: expect.stringContaining('priority') as unknown,
    },
  ]);
  list = next();
  // A file that changes no problem shows nothing again.
  put('words', 'active_tasks/ready/a/notes/of-mine.md');
  put(GOOD);
  expect(await list).toEqual([]);
  child?.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(shown).toHaveLength(3);
});

test('settings that are broken are a problem, too, and the watch continues', async () => {
  const { next } = editor();
  expect(await next()).toEqual([]);
  const config = fs.readFileSync(join(root, '.contracts/config.yaml'), 'utf8');
  let list = next();
  put(`${config}\nparallel: many\n`, '.contracts/config.yaml');
  expect(await list).toMatchObject([{ file: '.contracts/config.yaml', severity: 'error' }]);
  list = next();
  put(config, '.contracts/config.yaml');
  expect(await list).toEqual([]);
});

test('where the settings are broken at the start, it prints that and ends', async () => {
  put('parallel: many\n', '.contracts/config.yaml');
  const { next, ended } = editor();
  expect(await next()).toMatchObject([{ file: '.contracts/config.yaml' }]);
  expect(await ended).toBe(1);
});

test('--json: the lines of each list, and no other', async () => {
  put(BROKEN);
  const { child: started, ended, stdout } = startContracts(root, ['check', '--watch', '--json']);
  child = started;
  const lists = (): number => stdout().split('"event":"check"').length - 1;
  await until(() => lists() === 1);
  put(GOOD);
  await until(() => lists() === 2);
  started.kill('SIGINT');
  expect((await ended).code).toBe(130);
  const events = checkedLines(stdout()).map(({ event }) => event);
  expect(events).toEqual(['problem', 'check', 'check']);
});

test('it looks at the files on disk alone', () => {
  const { status, stderr } = contractsIn(root, ['check', '--watch', '--staged']);
  expect(status).toBe(2);
  expect(stderr).toContain('--watch looks at the files on disk');
});
