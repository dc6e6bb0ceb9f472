/**
 * `contracts` alone at a terminal, by keys, in a real one (tmux). Without tmux it says so and is left out; that
 * nothing is different without a terminal: also here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { BINARY, contractsIn } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import {
  openTerminal,
  runInTerminal,
  terminalMissing,
  type Terminal,
} from '../support/terminal.ts';
import { until } from '../support/until.ts';

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: the tests of the board, because ${missing}`);

let root: string;
beforeEach(() => {
  root = join(sealedFolder('board'), 'shop');
  init(realDisk, root);
});

const write = (path: string, text: string): void => putFile(join(root, 'active_tasks', path), text);
const read = (path: string): string => readFileSync(join(root, 'active_tasks', path), 'utf8');
const inState = (state: string): string[] =>
  readdirSync(join(root, 'active_tasks', state)).filter((name) => name !== '.gitkeep');
const move = (id: string, from: string, to: string): void =>
  renameSync(join(root, 'active_tasks', from, id), join(root, 'active_tasks', to, id));

const contract = (title: string, head = 'adapter: human\n', more = ''): string =>
  `---\ntitle: ${title}\n${head}---\n\n## Success Criteria\n\n- [ ] it is good\n${more}`;

function asks(id: string, question: string): void {
  write(`questions/${id}/contract.md`, contract(`Choose ${id}`));
  write(`questions/${id}/questions.md`, `## Questions\n\n1. ${question}\n\n### Answer\n\n`);
}

const draft = (id: string, more = ''): void =>
  write(`draft/${id}/contract.md`, contract(`Title of ${id}`, undefined, more));

/** Comes to review by the runner itself, so that its person is asked. */
function handedIn(id: string): void {
  const steps = '\n## Steps\n\n```sh\ntrue\n```\n';
  const head = 'quality_gate: person\n';
  write(`ready/${id}/contract.md`, contract(`Work of ${id}`, head, steps));
  const env = { ...process.env, CONTRACTS_SANDBOX: 'none' };
  contractsIn(root, ['run', '--trust', '--only', id], { env });
  expect(inState('review')).toEqual([id]);
}

/** The board; `at` it waits for these words, each time. */
const open = (
  cells = 80,
  rows = 24,
  env: Record<string, string> = {},
  argv: readonly string[] = [],
): Terminal =>
  runInTerminal(root, argv, { cells, rows, env: { CONTRACTS_SANDBOX: 'none', ...env } });

async function leaves(at: Terminal): Promise<void> {
  at.press('q');
  expect(await at.ended()).toBe(0);
}

/** What `keys` begin is drawn before the next words are typed. */
async function types(at: Terminal, key: string, asked: string, words: string): Promise<void> {
  at.press(key);
  await at.shows(asked);
  at.type(words);
  await at.shows(`${asked} ${words}`);
  at.press('Enter');
}

describe.runIf(missing === undefined)('the board by keys', () => {
  test.each([40, 80, 120])('Enter answers a question: %i columns', async (cells) => {
    asks('colour', 'Which colour?');
    const at = open(cells);
    await at.shows('shop  ! 1 needs you', '▸ ? Choose colour', 'Enter answer');
    at.press('Enter');
    await at.answer('Your answer', 'blue');
    await at.shows('Run now?');
    at.type('n');
    await at.shows('Any key: back to the board');
    at.press('Space');
    await at.shows('Next (1)', '▸ ? Choose colour');
    expect(read('questions/colour/questions.md')).toContain('blue');
    await leaves(at);
    expect(at.screen()).not.toContain('▸');
    expect(at.screen()).toContain('Your answer');
  });

  test('a: approved with words, which are in review.md', async () => {
    handedIn('logo');
    const at = open();
    await at.shows('▸ ◆ Work of logo', 'a n r verdict');
    await types(at, 'a', 'Approve. Any words?', 'fine work');
    await at.shows('Done: approve logo. Next: contracts run');
    expect(read('review/logo/review.md')).toMatch(/- \[x\] APPROVED[^]*fine work/);
    await leaves(at);
  });

  test('n: sent back with words, and a word that looks like a flag or an id is a word', async () => {
    handedIn('logo');
    const at = open(40, 20);
    await at.shows('▸ ◆ Work of logo');
    await types(at, 'n', 'What is wrong with it?', 'logo');
    await at.shows('Done: needs-work logo.');
    expect(read('review/logo/review.md')).toMatch(/- \[x\] NEEDS_WORK[^]*logo/);
    await types(at, 'n', 'What is wrong with it?', '--run');
    await at.shows('Done: needs-work logo.');
    expect(read('review/logo/review.md')).toContain('--run');
    await leaves(at);
  });

  test('Enter on a review is its card, and Esc there comes back', async () => {
    handedIn('logo');
    const at = open();
    await at.shows('▸ ◆ Work of logo');
    at.press('Enter');
    await at.shows('What now?', 'needs work: send it back');
    at.press('Escape');
    await at.shows('▸ ◆ Work of logo', 'q quit');
    await leaves(at);
  });

  test('d: what changed, c: review.md in the editor, l: the log', async () => {
    handedIn('logo');
    const at = open(80, 24, { EDITOR: 'sh -c "echo >> \\"$0\\" cart.js:7: round it"' });
    await at.shows('▸ ◆ Work of logo');
    at.press('d');
    await at.shows('Any key: back to the board');
    at.press('Enter');
    await at.shows('▸ ◆ Work of logo');
    at.press('c');
    await at.shows('is in order', 'Any key: back to the board');
    at.press('Enter');
    await at.shows('▸ ◆ Work of logo');
    expect(read('review/logo/review.md')).toContain('cart.js:7: round it');
    at.press('l');
    await at.shows('== step 1 of 1', 'Any key: back to the board');
    at.press('Enter');
    await at.shows('▸ ◆ Work of logo');
    await leaves(at);
  });

  test('m: a draft is confirmed, and given up by the same key', async () => {
    draft('page');
    const at = open();
    await at.shows('▸ · Title of page');
    at.press('m');
    await at.shows('Move 1 to ready   2 to aborted');
    at.press('1');
    await at.shows('Done: confirm page', 'Next (1)');
    expect(inState('ready')).toEqual(['page']);
    at.press('m');
    await at.shows('Move 1 to aborted');
    at.press('1');
    await at.shows('Done: abort page');
    expect(inState('aborted')).toEqual(['page']);
    await leaves(at);
  });

  test('a task that moved while a verdict was typed: it is said, and nothing is written', async () => {
    handedIn('logo');
    const at = open();
    await at.shows('▸ ◆ Work of logo');
    at.press('a');
    await at.shows('Approve. Any words?');
    move('logo', 'review', 'blocked');
    at.press('Enter');
    await at.shows('logo is blocked by now, and was review: nothing was done');
    expect(read('blocked/logo/review.md')).not.toContain('[x]');
    await leaves(at);
  });

  test('/: titles at once, all texts with Enter, Esc for all', async () => {
    draft('one', '\n## Objective\n\nAbout zebras.\n');
    draft('two');
    const at = open();
    await at.shows('Needs you (2)');
    at.press('/');
    await at.shows('Search');
    at.type('two');
    await at.shows('Needs you (1)', 'Title of two');
    at.press('C-u');
    await at.shows('Needs you (2)');
    at.type('zebra');
    await at.shows('No task here');
    at.press('Enter');
    await at.shows('with “zebra”, Esc: all', '▸ · Title of one');
    at.press('Escape');
    await at.shows('Needs you (2)');
    await leaves(at);
  });

  test('?: all keys, at the smallest size too', async () => {
    const at = open(40, 20);
    await at.shows('Nothing needs you.');
    at.press('?');
    await at.shows('approve, needs work, reject', 'quit; Ctrl-Z pauses', '✓ done');
    at.press('?');
    await at.shows('Nothing needs you.');
    await leaves(at);
  });
});

describe.runIf(missing === undefined)('the board is live', () => {
  test('folders that a person moves appear, and one that is deleted goes', async () => {
    draft('page');
    const at = open();
    await at.shows('Needs you (1)', '· Title of page');
    move('page', 'draft', 'ready');
    await at.shows('Next (1)', '▸ ○ Title of page');
    draft('later');
    await at.shows('Needs you (1)', '· Title of later', '▸ ○ Title of page');
    await leaves(at);
  });

  test('an agent at work: since when, and its last line', async () => {
    const steps = 'echo one; echo two; until [ -e go ]; do sleep 0.02; done; echo three\n';
    const more = `\n## Steps\n\n\`\`\`sh\n${steps}until [ -e end ]; do sleep 0.02; done\n\`\`\`\n`;
    write('ready/busy/contract.md', contract('Work of busy', 'quality_gate: person\n', more));
    const env = { ...process.env, CONTRACTS_SANDBOX: 'none' };
    const run = spawn(process.execPath, [BINARY, 'run', '--trust'], {
      cwd: root,
      env,
      stdio: 'ignore',
    });
    onTestFinished(() => void run.kill());
    const at = open(40, 20);
    await at.shows('At work (1)', '● Work of busy', 'builder #1  two');
    putFile(join(root, 'go'), '');
    await at.shows('builder #1  three');
    expect(at.screen()).toMatch(/● Work of busy +\d+s$/m);
    at.press('l');
    await at.shows('The log of busy. Ctrl-C: back to the board', 'three');
    at.press('C-c');
    await at.shows('▸ ● Work of busy');
    putFile(join(root, 'end'), '');
    await at.shows('Needs you (1)', '◆ Work of busy');
    await leaves(at);
  });

  test('another size is another layout, and all of it is drawn again', async () => {
    draft('page');
    const at = open(80, 24);
    await at.shows('▸ · Title of page');
    at.resize(120, 30);
    await at.shows('No agent is at work.', '▸ · Title of page');
    at.resize(40, 12);
    await at.shows('Needs you (1)', '▸ · Title of page');
    await until(() => !at.screen().includes('No agent'));
    await leaves(at);
  });

  test.each([
    ['itself', (line: string) => line],
    ['behind sh, as npx starts it', (line: string) => `sh -c "${line}; exit"`],
  ])('Ctrl-Z gives the terminal back, and fg the board: %s', async (_, started) => {
    draft('page');
    const argv = ['env', '-u', 'CI', 'PS1=$ ', 'bash', '--norc', '--noprofile', '-i'];
    const at = openTerminal(root, argv, { cells: 80, rows: 24 });
    at.type(`${started(`'${process.execPath}' '${BINARY}'`)}\n`);
    await at.shows('▸ · Title of page');
    at.press('C-z');
    await at.shows('Stopped');
    at.type('stty -a | tr " " "\\n" | grep -x icanon; echo $((20 + 3))\n');
    await at.shows('\nicanon\n23');
    at.type('fg\n');
    await at.shows('▸ · Title of page');
    at.press('q');
    await at.shows('Stopped');
    at.type('stty -a | tr " " "\\n" | grep -x icanon; echo $((30 + 3))\n');
    await at.shows('\nicanon\n33');
    expect(at.screen()).not.toContain('▸');
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    '%s leaves a usable terminal',
    async (signal) => {
      draft('page');
      const line = `echo $$ > pid; exec '${process.execPath}' '${BINARY}'`;
      const at = openTerminal(root, ['env', '-u', 'CI', 'sh', '-c', line], { cells: 80, rows: 24 });
      await at.shows('▸ · Title of page');
      process.kill(Number(readFileSync(join(root, 'pid'), 'utf8')), signal);
      expect(await at.ended()).toBe(130);
      expect(at.screen()).not.toContain('▸');
    },
  );

  test('what is pasted by mistake gives no verdict', async () => {
    handedIn('logo');
    const at = open();
    await at.shows('▸ ◆ Work of logo');
    at.paste('a\nr\nq\n');
    at.press('?');
    await at.shows('approve, needs work, reject');
    expect(read('review/logo/review.md')).not.toContain('[x]');
    at.press('x');
    await leaves(at);
  });
});

/** All bytes that a terminal gets, until these words; then Ctrl-C. */
async function bytesOf(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  words: string,
  then?: () => string,
): Promise<string> {
  const [program, ...rest] = atTerminal([process.execPath, BINARY, ...argv]);
  const { CI: _, NO_COLOR: __, ...own } = process.env;
  const child = spawn(program, rest, { cwd: root, env: { ...own, TERM: 'xterm', ...env } });
  onTestFinished(() => void child.kill());
  let bytes = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (bytes += text));
  const closed = new Promise((done) => child.once('close', done));
  await until(
    words,
    () => bytes.includes(words),
    () => bytes,
  );
  const more = then?.();
  if (more !== undefined)
    await until(
      more,
      () => bytes.includes(more),
      () => bytes,
    );
  child.stdin.write('\u0003');
  await closed;
  return bytes;
}

const BOLD = '\u001b[1m';

describe.runIf(missing === undefined)('what the terminal gets', () => {
  test('colours, and none with NO_COLOR; all that is switched on is switched off', async () => {
    draft('page');
    const plain = await bytesOf([], { NO_COLOR: '1' }, 'Title of page');
    const coloured = await bytesOf([], {}, 'Title of page');
    expect(coloured).toContain(BOLD);
    expect(plain).not.toContain(BOLD);
    for (const bytes of [plain, coloured]) {
      const modes = bytes.split('\u001b[?').slice(1);
      expect(modes.map((one) => /^\d+[hl]/.exec(one)?.[0])).toEqual([
        '1049h',
        '2004h',
        '2004l',
        '1049l',
      ]);
    }
  });

  test.each<[string, readonly string[], NodeJS.ProcessEnv]>([
    ['TERM=dumb', [], { TERM: 'dumb', NO_COLOR: '1' }],
    ['--plain', ['--plain'], { NO_COLOR: '1' }],
    ['status --plain', ['status', '--plain'], { NO_COLOR: '1' }],
  ])('%s: the overview, then a line for each change, and no cursor moves', async (_, argv, env) => {
    draft('page');
    const bytes = await bytesOf(argv, env, 'A line for each change follows', () => {
      move('page', 'draft', 'ready');
      return 'page  draft → ready: ';
    });
    expect(bytes).not.toContain('\u001b');
    expect(bytes).toContain('Needs you (1)');
  });
});

describe('without a person who stays it is as it was', () => {
  const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
    const { CI: _, ...own } = process.env;
    return { ...own, ...more };
  };

  test.each([[[]], [['--plain']]])('into a pipe: %s is the overview, once', (argv) => {
    draft('page');
    const status = contractsIn(root, ['status'], { env: env() });
    expect(contractsIn(root, argv, { env: env() })).toMatchObject({
      stdout: status.stdout,
      stderr: status.stderr,
      status: status.status,
    });
  });

  test.runIf(missing === undefined)('with CI, at a terminal', async () => {
    draft('page');
    const at = open(80, 24, { CI: 'true' });
    expect(await at.ended()).toBe(0);
    expect(at.screen()).toContain('Needs you (1)');
    expect(at.screen()).not.toContain('▸');
  });

  test('without a workspace it is the help', () => {
    const cwd = sealedFolder('empty');
    const run = spawnSync(process.execPath, [BINARY], { cwd, env: env(), encoding: 'utf8' });
    expect(run.stdout).toContain('Usage: contracts');
  });
});
