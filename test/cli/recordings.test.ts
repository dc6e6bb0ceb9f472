/**
 * What a person sees at 80 and 120 columns, from the built command in a real terminal (tmux), compared with
 * docs/terminal. Without tmux it says so and is left out; so is the real client where it is not installed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { clientsMissing, makeHome } from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { sit, steady, WIDTHS, type Seat } from '../support/recording.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { terminalMissing } from '../support/terminal.ts';

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: the recordings, because ${missing}`);

const ROOM_CHARS = 58;
let room = '';
let root = '';
let seat: Seat | undefined;
let sittings: { readonly rows?: number } = {};
let model: ModelServer | undefined;
beforeEach(() => {
  // Lines break by the length of this path: the same on each machine.
  room = join(sealedFolder('s'), 'home').padEnd(ROOM_CHARS, '-');
  root = join(room, 'shop');
  for (const folder of [room, root, join(room, 'bin')]) mkdirSync(folder);
});
afterEach(async () => {
  await model?.close();
  [seat, model, sittings] = [undefined, undefined, {}];
});

const open = async (cells: number, env: Readonly<Record<string, string>>): Promise<Seat> => {
  const names = [
    [root, '~/shop'],
    [room, '~'],
  ] as const;
  seat = await sit(root, { cells, ...sittings, programs: join(room, 'bin'), env, names });
  return seat;
};

const own = (): Record<string, string> => ({ HOME: room, XDG_CONFIG_HOME: join(room, '.config') });

function contracts(...argv: readonly string[]): string {
  const env = { ...process.env, ...own() };
  return execFileSync(process.execPath, [BINARY, ...argv], { cwd: root, env, encoding: 'utf8' });
}

/** Ends with 1: something waits for a person. */
const waiting = (...argv: readonly string[]): void =>
  expect(() => contracts(...argv)).toThrow(expect.objectContaining({ status: 1 }));

const git = (...argv: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...argv], { encoding: 'utf8' });

const AUTHOR = ['-c', 'user.name=You', '-c', 'user.email=you@example.org'];

const hasClaude = missing === undefined && clientsMissing(['claude']).length === 0;

describe.runIf(hasClaude)('the first five minutes with a real client', () => {
  test.each(WIDTHS)('%i columns', async (cells) => {
    model = await startModel('question');
    git('init', '--quiet', '--initial-branch=main');
    const { env } = makeHome('claude', room, model.url);
    const at = await open(cells, { ...env, CONTRACTS_SANDBOX: 'none' });
    await at.accept('contracts init');
    await at.enter('contracts do "Greet the guest" --id greet --deliverable out/greeting.txt');
    await at.choose('What now?', 'answer');
    await at.answer('Your answer', 'Ada');
    await at.shows('1 task done');
    await at.run('cat out/greeting.txt');
    await at.run('contracts show greet');
    await at.matches('first-five-minutes');
  });
});

const ASK = 'printf "## Questions\\n\\n1. Which one?\\n" > "$CONTRACTS_OUT/questions.md"';
const PRIORITIES = new Set(['critical', 'high', 'low']);
/** Titles, more flags, and a priority; all are confirmed and run once. */
const RUN: readonly (readonly [title: string, ...flags: string[]])[] = [
  ['Choose a payment provider that takes cards', '--sh', ASK, 'critical'],
  ['Export orders as CSV', '--sh', ASK],
  ['Log in with a passkey', '--sh', ASK],
  ['Translate the checkout into French', '--sh', ASK, 'low'],
  ['Draw the new logo', '--sh', 'true', '--run', 'true', '--gate', 'person'],
  ['Fix rounding of totals', '--sh', 'true', '--run', 'true', '--gate', 'person'],
  ['Refactor the cart module', '--sh', 'true', '--run', 'true', '--gate', 'person'],
  ['Write the privacy policy', '--sh', 'true', '--run', 'true', '--gate', 'person'],
  ['Resize the product pictures', '--sh', 'exit 3', '--run', 'true'],
  ['Crawl the old shop', '--sh', 'false', '--run', 'true', 'high'],
  ['Measure the start page', '--sh', 'true', '--run', 'test -e figures.txt'],
  ['Talk about the merchant account', '--adapter', 'human', '--gate', 'person'],
  ['Photograph the new chairs', '--adapter', 'human', '--gate', 'person'],
  ['手紙を書く', '--id', 'letter', '--adapter', 'human', '--gate', 'person'],
  ['Add a search field', '--sh', 'true', '--run', 'true'],
  ['Count the visitors', '--sh', 'true', '--run', 'true'],
  ['Delete the old banner', '--sh', 'true', '--run', 'true'],
  ['Link the imprint', '--sh', 'true', '--run', 'true'],
  ['Mark required fields', '--sh', 'true', '--run', 'true'],
  ['Sort the price list', '--sh', 'true', '--run', 'true'],
];
/** Made after it: `after` are titles of others. */
const WAIT: readonly (readonly [title: string, after: string])[] = [
  ['Build the checkout', 'Choose a payment provider'],
  ['Print the packing slips', 'Photograph the new chairs'],
  ['Write the help pages for the checkout', 'Build the checkout'],
  ['Announce the new shop', 'Draw the new logo'],
];
const DRAFTS = [
  'Newsletter sign-up form with double opt-in',
  'Rate limits for the public API',
  'Dark mode',
  'A page of frequently asked questions',
];
const READY = ['Check all links', 'Compress the fonts'];

/** The id of the task of this title. */
function idOf(title: string): string {
  const tasks = contracts('list', '--all', '--json').trim().split('\n');
  const all = tasks.map((line) => JSON.parse(line) as { id: string; title: string });
  const found = all.find((one) => one.title.startsWith(title));
  if (found === undefined) throw new Error(`no task ${title}`);
  return found.id;
}

function make(title: string, ...flags: readonly string[]): string {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const priority = flags.find((one) => PRIORITIES.has(one));
  const own = flags.filter((one) => one !== priority);
  const named = own.includes('--id') ? own : [...own, '--id', id];
  const line = contracts('new', title, ...named, '--json').split('\n', 1)[0] ?? '';
  const made = (JSON.parse(line) as { id: string }).id;
  if (priority !== undefined) {
    const contract = join(root, 'active_tasks/draft', made, 'contract.md');
    const text = readFileSync(contract, 'utf8');
    writeFileSync(contract, text.replace('---\n', `---\npriority: ${priority}\n`));
  }
  return made;
}

function thirtyTasks(): void {
  contracts('init');
  const run = RUN.map((flags) => make(...flags));
  contracts('confirm', ...run);
  // One after another: the list is in the order in which they came to their states.
  waiting('run', '--parallel', '1');
  for (const [title, after] of WAIT) {
    const flags = ['--sh', 'true', '--run', 'true', '--depends-on', idOf(after)];
    contracts('confirm', make(title, ...flags));
  }
  for (const title of READY) contracts('confirm', make(title, '--sh', 'true', '--run', 'true'));
  for (const title of DRAFTS) make(title, '--sh', 'true', '--run', 'true');
}

describe.runIf(missing === undefined)('thirty tasks in mixed states', () => {
  test('80 and 120 columns', async () => {
    thirtyTasks();
    for (const cells of WIDTHS) {
      const at = await open(cells, own());
      await at.run('contracts list');
      await at.run('contracts list --board');
      await at.matches('thirty-tasks');
      await at.close();
    }
  });
});

const CART = `/** Prices are in cents. */
export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }

  return sum;
}
`;
/** The agent has two faults in its first attempt, and prints what its brief says of them in the next. */
const TAX = `---
title: Add the tax to the total
quality_gate: person
deliverables: cart.js
verify:
  - run: grep -q tax cart.js
---

## Objective

The total of the cart includes 19 % tax.

## Success Criteria

- [ ] \`cart.js\` adds the tax

## Steps

~~~sh
tax='  const tax = sum * 0.19;\\n  console.log("tax", tax);'
if grep REVIEWER "$CONTRACTS_OUT/brief.md"; then
  sed '1,/REVIEWER/d; /^## CONTEXT/,$d' "$CONTRACTS_OUT/brief.md"
  tax='  const tax = Math.round(sum * 0.19);'
fi
git show HEAD:cart.js | sed "s/^$/$tax/; s/return sum/return sum + tax/" > cart.js
~~~
`;

describe.runIf(missing === undefined)('a review', () => {
  test.each(WIDTHS)(
    'two comments at lines, with `cat` as the editor: %i columns',
    async (cells) => {
      git('init', '--quiet', '--initial-branch=main');
      writeFileSync(join(root, 'cart.js'), CART);
      git('add', '.');
      git(...AUTHOR, 'commit', '--quiet', '-m', 'The cart');
      writeFileSync(join(room, 'tax.md'), TAX);
      contracts('init');
      contracts('new', '--from', join(room, 'tax.md'), '--id', 'tax');
      contracts('confirm', 'tax');
      waiting('run');
      const editor = 'sh -c "echo Findings, then Ctrl-D:; cat >> \\"$0\\""';
      const at = await open(cells, { ...own(), CONTRACTS_SANDBOX: 'none', EDITOR: editor });
      await at.enter('contracts review');
      await at.key('What now?', 'd');
      await at.key('What now?', 'c');
      await at.shows('Findings, then Ctrl-D:');
      at.type('cart.js:7: round it to whole cents\ncart.js:8: leave this out\n');
      at.press('C-d');
      await at.choose('What now?', 'needs work');
      await at.answer('What is wrong with it?');
      await at.answer('Run now?');
      await at.run('contracts logs tax');
      await at.enter('contracts review');
      await at.key('What now?', 'd');
      await at.choose('What now?', 'approve');
      await at.answer('Any words?', 'Both are mended');
      await at.answer('Run now?');
      await at.matches('review');
    },
  );
});

const MAKER = fileURLToPath(new URL('../support/three-worktrees.mjs', import.meta.url));

describe.runIf(missing === undefined)('a merge', () => {
  test.each(WIDTHS)('of three worktrees with one culprit: %i columns', async (cells) => {
    const env = { ...own(), CONTRACTS_SANDBOX: 'none' };
    rmSync(root, { recursive: true });
    execFileSync(process.execPath, [MAKER, root], { env: { ...process.env, ...env } });
    const at = await open(cells, env);
    await at.run('contracts list --all');
    await at.run('contracts merge --yes');
    await at.run('contracts logs prices');
    await at.run('contracts status');
    await at.run('git log --first-parent --format=%s');
    await at.matches('merge');
  });
});

/** Columns and rows; each a layout of its own. */
const BOARDS = [
  [40, 20],
  [80, 24],
  [120, 30],
] as const;

describe.runIf(missing === undefined)('the board', () => {
  test.each(BOARDS)('by keys, while an agent works: %i×%i', async (cells, rows) => {
    contracts('init');
    const made = RUN.slice(0, 9).map((flags) => make(...flags));
    contracts('confirm', ...made);
    waiting('run', '--parallel', '1');
    const steps = 'echo "12 of 40 pages"; until [ -e end ]; do sleep 0.02; done';
    const crawl = make('Crawl the new shop', '--sh', steps, '--run', 'true');
    contracts('confirm', crawl);
    for (const title of READY) make(title, '--sh', 'true', '--run', 'true');
    const env = { ...process.env, ...own() };
    // Of this task alone: any other would take the verdict up while the screen is looked at.
    const only = [BINARY, 'run', '--only', crawl];
    const run = spawn(process.execPath, only, { cwd: root, env, stdio: 'ignore' });
    const ended = new Promise((done) => run.once('exit', done));
    sittings = { rows };
    const at = await open(cells, own());
    const frames: string[] = [];
    const keep = async (title: string, ...words: readonly string[]): Promise<void> => {
      await at.shows(...words);
      const frame = at.screen({ joined: false }).trimEnd();
      // Ages of tasks differ with the time that the runs took.
      frames.push(`── ${title}\n${frame.replaceAll(/ +(?:now|\d+m|\d+s)$/gm, '  now')}`);
    };
    await at.enter('contracts');
    await keep('contracts', '12 of 40 pages');
    at.press('j', 'j', 'j', 'j');
    await keep('j j j j', '▸ ◆');
    at.press('n');
    await at.shows('What is wrong with it?');
    at.type('too dark');
    await keep('n, and words', 'too dark');
    at.press('Enter');
    await keep('Enter', 'Done: needs-work');
    at.press('m');
    await keep('m', 'Esc: leave it');
    at.press('Escape');
    await at.shows('q quit');
    at.press('/');
    await at.shows('Search');
    at.type('shop');
    await keep('/shop', 'Search shop');
    at.press('C-u', 'Enter', '?');
    await keep('?', 'quit; Ctrl-Z pauses');
    at.press('x', 'q');
    writeFileSync(join(root, 'end'), '');
    await ended;
    await at.matches('board', frames.join('\n\n'));
  });
});

test('what differs at each run is replaced, and no other words', () => {
  const words = steady('build-the-checkout-k7q2 in /room/x, 13 s, $0.42, 2026-01-02T03:04:05Z', [
    ['/room', '~'],
  ]);
  expect(words).toBe('build-the-checkout-k3f9 in ~/x, 1 s, $0.01, 2026-11-22');
  expect(steady('a two-page form, sign-up with 2fa')).toBe('a two-page form, sign-up with 2fa');
});
