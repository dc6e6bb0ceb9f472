// The bench: how long the built command takes, always against something that had to be done anyway,
// in the same run. Prints a table and fails on nothing: figures of one machine are no verdict.
//
//   npm run bench               five to ten minutes
//   npm run bench -- --quick    a tenth of the tasks, fewer rounds
import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paired, median, treeCpu, usage, wall } from './measure.mjs';
import { addDone, addTasks, makeWorkspace, taskId } from './tree.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const cli = join(project, 'dist', 'cli', 'main.js');
const floor = join(project, 'bench', 'floor.mjs');
const node = process.execPath;
const quick = process.argv.includes('--quick');
const SMALL = quick ? 100 : 1000;
const LARGE = quick ? 1000 : 10_000;
const ROUNDS = quick ? 3 : 7;
const rooms = mkdtempSync(join(tmpdir(), 'contracts-bench-'));
const rows = [];

if (!existsSync(cli)) throw new Error('dist/ is missing. Run: npm run build');
try {
  console.log(`node ${process.version}, ${cpus().length} cores, medians of pairs\n`);
  starts();
  const large = lists();
  verbs(large);
  memory(large);
  growth(large);
  calls();
  print();
} finally {
  rmSync(rooms, { recursive: true, force: true });
}

function contracts(root, ...args) {
  return [node, cli, '-C', root, ...args];
}

function room(name, tasks) {
  const root = join(rooms, name);
  makeWorkspace(root);
  addTasks(root, 0, tasks);
  return root;
}

function add(what, target, result, shown) {
  rows.push([what, target, result, shown]);
  console.error(`  ${what}: ${result}  (${shown})`);
}

function pair(what, target, one, other, rounds = ROUNDS) {
  const { ratio, one: a, other: b, pairs } = paired(rounds, one, other);
  add(what, target, ratio.toFixed(2), `${a.toFixed(0)} / ${b.toFixed(0)} ms, ${pairs} pairs`);
}

function bare() {
  return wall([node, '-e', '0']);
}

function starts() {
  pair('--version / node -e 0', '≤ 1.25', () => wall([node, cli, '--version']), bare, ROUNDS * 3);
  pair('--help / node -e 0', '≤ 1.25', () => wall([node, cli, '--help']), bare, ROUNDS * 3);
}

function lists() {
  const small = room('small', SMALL);
  const large = room('large', LARGE);
  for (const [root, n] of [
    [small, SMALL],
    [large, LARGE],
  ]) {
    pair(
      `list ${n} / read floor`,
      n === LARGE ? '≤ 1.6' : '',
      () => wall(contracts(root, 'list')),
      () => wall([node, floor, 'read', root]),
    );
  }
  const tasks = join(large, 'active_tasks');
  pair(
    `list ${LARGE} / grep -rh ^title:`,
    '≤ 1.2',
    () => wall(contracts(large, 'list')),
    () => wall(['grep', '-rh', '^title:', tasks]),
  );
  pair(
    `list --ids ${LARGE} / node -e 0`,
    '≤ 1.5',
    () => wall(contracts(large, 'list', '--ids')),
    bare,
  );
  pair(
    `no-op step ${LARGE} / scan floor`,
    '≤ 1.3',
    () => wall(contracts(large, 'step')),
    () => wall([node, floor, 'scan', large]),
  );
  return large;
}

function verbs(large) {
  let next = LARGE;
  pair(
    `show at ${LARGE} / node -e 0`,
    '≤ 1.4',
    () => wall(contracts(large, 'show', taskId(1))),
    bare,
  );
  pair(
    `new at ${LARGE} / node -e 0`,
    '≤ 1.6 durable',
    () => wall(contracts(large, 'new', 'One more', '--id', `more-${next++}`, '--run', 'true')),
    bare,
  );
  let draft = 0;
  pair(
    `one move at ${LARGE} / node -e 0`,
    '≤ 1.6 durable',
    () => wall(contracts(large, 'confirm', taskId(draft++ * 10 + 1))),
    bare,
  );
}

function memory(large) {
  const rounds = quick ? 1 : 3;
  const peak = (argv) => median(Array.from({ length: rounds }, () => usage(argv).peak_kib)) / 1024;
  const none = peak([node, '-e', '0']);
  for (const [verb, target] of [
    ['step', '≤ 1.3'],
    ['list', '≤ 1.9'],
  ]) {
    const used = peak(contracts(large, verb));
    add(
      `peak memory, ${verb} ${LARGE} / node -e 0`,
      target,
      (used / none).toFixed(2),
      `${used.toFixed(0)} / ${none.toFixed(0)} MiB`,
    );
  }
}

/** The start taken off, so that only what grows is compared. */
function growth(large) {
  const rounds = quick ? 2 : 3;
  const huge = room('huge', LARGE * 4);
  const start = median(Array.from({ length: 5 }, bare));
  for (const verb of ['list', 'step']) {
    const { ratio, one, other } = paired(
      rounds,
      () => wall(contracts(huge, verb)) - start,
      () => wall(contracts(large, verb)) - start,
    );
    const shown = `${one.toFixed(0)} / ${other.toFixed(0)} ms`;
    add(`${verb}: ${LARGE * 4} / ${LARGE}, without the start`, '≤ 4.4', ratio.toFixed(2), shown);
  }
  rmSync(huge, { recursive: true });
  const ended = room('ended', LARGE);
  const twin = room('twin', LARGE);
  addDone(ended, LARGE, LARGE * 3);
  for (const verb of ['step', 'list']) {
    pair(
      `${verb} ${LARGE}, ${LARGE * 2} more in done/ / none`,
      '≤ 1.05',
      () => wall(contracts(ended, verb)),
      () => wall(contracts(twin, verb)),
    );
  }
}

/** Ten tasks whose agent ends at once, against a shell that starts the same agents. */
function calls() {
  const CALLS = 10;
  let made = 0;
  const agents = () => {
    const root = join(rooms, `calls-${made++}`);
    makeWorkspace(root);
    const agent = join(root, 'agent.mjs');
    writeFileSync(
      agent,
      "import { writeFileSync } from 'node:fs';\nwriteFileSync(`${process.argv[2]}/result.md`, '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] it is there\\n');\n",
    );
    writeFileSync(
      join(root, '.contracts', 'config.yaml'),
      `adapters:\n  quick: { type: command, run: [${JSON.stringify(node)}, agent.mjs, '{{desk}}'] }\nagents:\n  builder: { adapter: quick }\n`,
    );
    for (let n = 0; n < CALLS; n++) {
      const folder = join(root, 'active_tasks', 'ready', `call-${n}`, 'attempts');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, '..', 'contract.md'),
        '---\ntitle: Call\nverify: ["file_exists: agent.mjs"]\n---\n\n## Success Criteria\n\n- [ ] it is there\n',
      );
    }
    return root;
  };
  const loop = `i=0; while [ $i -lt ${CALLS} ]; do ${JSON.stringify(node)} agent.mjs .; i=$((i + 1)); done`;
  let last = '';
  const { ratio, one, other } = paired(
    ROUNDS,
    () => treeCpu(contracts((last = agents()), 'run')),
    () => treeCpu(['sh', '-c', loop], { cwd: last }),
  );
  const shown = `${(one / CALLS).toFixed(0)} / ${(other / CALLS).toFixed(0)} ms a call`;
  add('CPU of run and agents / shell loop', '≤ 1.5', ratio.toFixed(2), shown);
  const own = usage(contracts(agents(), 'run')).cpu_ms - usage([node, '-e', '0']).cpu_ms;
  add("runner's own CPU, without the start", '', (own / CALLS).toFixed(1), 'ms a call');
}

function print() {
  const table = [['what', 'target', 'result', 'measured'], ...rows];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...table.map((row) => row[i].length)));
  console.log('');
  for (const [i, row] of table.entries()) {
    console.log(`| ${row.map((cell, j) => cell.padEnd(widths[j])).join(' | ')} |`);
    if (i === 0) console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  }
}
