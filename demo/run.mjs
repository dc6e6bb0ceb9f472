// The demo: a small real workspace, six contracts, and the real `contracts` command that moves them.
// It copies demo/workspace, prints each command before it runs it, answers where a person is asked, and
// leaves the tree to look at. Ends non-zero, with words, when anything did not end as planned.
//
//   node demo/run.mjs [folder]      the folder must be new or empty; demo-workspace/ when left out
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import fse from 'fs-extra';

const project = fileURLToPath(new URL('..', import.meta.url));
const { bin } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const cli = join(project, bin.contracts);
const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const started = Date.now();

const IDS = ['tally', 'chart', 'september', 'bird-of-the-month', 'page', 'newsletter'];

/** What each task must have gone through: its state, and the outcomes of its attempts in order. */
const PLANNED = {
  tally: ['done', 'complete', 'unverified', 'complete', 'approved'],
  chart: ['done', 'complete', 'approved'],
  september: ['blocked', 'failed', 'failed'],
  'bird-of-the-month': ['done', 'questions', 'complete', 'approved'],
  page: ['done', 'complete', 'needs_work', 'complete', 'approved'],
  newsletter: ['done', 'complete', 'awaits_person', 'approved'],
};

const wrong = [];
const room = prepare(process.argv[2]);
await play();
await judge();

function prepare(wanted) {
  if (!existsSync(cli)) stop('dist/ is missing. Run: npm run build');
  const folder = wanted === undefined ? join(project, 'demo-workspace') : resolve(wanted);
  if (wanted === undefined) rmSync(folder, { recursive: true, force: true });
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    stop(`${folder} is not empty, and the demo overwrites nothing. Name another folder.`);
  }
  fse.copySync(join(project, 'demo', 'workspace'), folder);
  return folder;
}

async function play() {
  say('Four people at a lighthouse counted birds in October. They want a page, a chart, a letter.');
  say('Six wishes become six contracts: folders in active_tasks/draft.');
  await contracts(0, 'init');
  for (const id of IDS) await contracts(0, 'new', '--from', `wishes/${id}.md`, '--id', id);
  say('A person looks at the drafts and lets them go.');
  await contracts(0, 'confirm', ...IDS);

  say('Now everything moves that can move without a person.');
  await contracts(1, 'run');

  say('One asks. The question is in a file; answering it is writing into that file.');
  show('active_tasks/questions/bird-of-the-month/questions.md', '## Questions', '## What');
  await contracts(0, 'answer', 'bird-of-the-month', 'The rarest: everybody has seen a redwing.');
  await contracts(1, 'run');

  say(
    'The newsletter goes to letter boxes, so its gate is a person. The demo reads it as one would:',
  );
  show('site/newsletter.txt');
  await contracts(0, 'approve', 'newsletter', 'Good. Print forty.');
  await contracts(1, 'run');

  say('This is where every task is now:');
  await contracts(0, 'list', '--all');
}

/** Runs the real command with its words shown as they come, and looks at its exit code. */
async function contracts(expected, ...args) {
  const shown = args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : JSON.stringify(arg)));
  console.log(bold(`$ contracts ${shown.join(' ')}`));
  const { code } = await call(args, (text) => process.stdout.write(text));
  if (code !== expected) wrong.push(`contracts ${args[0]} ended with ${code}, not ${expected}`);
}

function call(args, use) {
  // The workspace is copied, not made by init, so a person would be asked whether it may start programs.
  const env = { ...process.env, CONTRACTS_TRUST: '1', ...(colour ? { FORCE_COLOR: '1' } : {}) };
  delete env.CONTRACTS_DIR;
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: room,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      use?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (use ?? console.error)(text));
    child.once('error', fail);
    child.once('close', (code) => done({ code, out }));
  });
}

async function judge() {
  const listed = await call(['list', '--all', '--json']);
  const states = new Map(
    listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'task')
      .map(({ id, state }) => [id, state]),
  );
  for (const [id, [state, ...outcomes]] of Object.entries(PLANNED)) {
    const found = states.get(id) ?? 'nowhere';
    const had = found === 'nowhere' ? [] : outcomesOf(found, id);
    if (found !== state) wrong.push(`${id} is in ${found}, not in ${state}`);
    if (had.join() !== outcomes.join()) {
      wrong.push(`${id} went through ${had.join(', ')}, not ${outcomes.join(', ')}`);
    }
  }
  const page = join(room, 'site', 'index.html');
  if (!existsSync(page) || !/alt="Bars: Redwing 527/.test(readFileSync(page, 'utf8'))) {
    wrong.push('site/index.html does not describe the chart in words');
  }
  if (wrong.length > 0) {
    stop(`The demo did not end as planned:\n${wrong.map((one) => `  - ${one}`).join('\n')}`);
  }
  sayEnd();
}

function outcomesOf(state, id) {
  const folder = join(room, 'active_tasks', state, id, 'attempts');
  return readdirSync(folder)
    .filter((name) => /^\d{4}$/.test(name))
    .sort()
    .map((name) => /^outcome: (\w+)$/m.exec(readOutcome(join(folder, name)))?.[1] ?? 'open');
}

function readOutcome(attempt) {
  const file = join(attempt, 'outcome.md');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function sayEnd() {
  const at = relative(process.cwd(), room) || '.';
  const here = at.startsWith('..') ? room : at;
  say(
    `As planned, in ${((Date.now() - started) / 1000).toFixed(1)} s. Look around; it is all files:`,
  );
  const paths = [
    ['site/index.html', 'what was made; open it in a browser'],
    ['active_tasks/done/tally/attempts/', 'two tries; the check failed the first'],
    ['active_tasks/done/page/attempts/0002/review.md', 'what the reviewer found'],
    ['active_tasks/done/page/attempts/0003/desk/brief.md', 'and what the agent read about it'],
    ['active_tasks/blocked/september/blocked.md', 'why one stopped, with a slot for your words'],
  ];
  for (const [path, words] of paths) {
    if (!existsSync(join(room, path))) stop(`${path} is missing in ${room}`);
    console.log(`  ${`${here}/${path}`.padEnd(66)}  ${words}`);
  }
  console.log(`Next: cd ${here} && node ${relative(room, cli)} show september`);
}

function show(path, from, to) {
  const file = join(room, path);
  if (!existsSync(file)) {
    wrong.push(`${path} is missing`);
    return;
  }
  let text = readFileSync(file, 'utf8');
  if (from !== undefined) text = text.slice(text.indexOf(from), text.indexOf(to));
  for (const line of text.trim().split('\n')) console.log(`    ${line}`);
}

function say(line) {
  console.log(`\n${bold(`» ${line}`)}`);
}

function bold(text) {
  return colour ? `\u001b[1m${text}\u001b[22m` : text;
}

function stop(words) {
  console.error(`\n${words}`);
  process.exit(1);
}
