// The rows that need nothing but this project, Node, grep and, where it is there, a C compiler.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, contracts } from './command.mjs';
import { paired, treeCpu, usage, wall } from './measure.mjs';
import { add, bare, medianOf, pair } from './table.mjs';
import { addDone, addDrafts, makeWorkspace, taskId } from './tree.mjs';

const node = process.execPath;
const floor = fileURLToPath(new URL('floor.mjs', import.meta.url));

/** Nothing can be kept there: each start compiles as the first one does. The target is 25 % higher. */
const FIRST = { env: { XDG_CACHE_HOME: '/dev/null' } };

export function starts({ rounds }) {
  for (const flag of ['--version', '--help']) {
    const start = () => wall([node, commandLine, flag]);
    pair(`${flag} / node -e 0`, '≤ 1.25', '≤ 1.15', rounds * 3, start, bare);
  }
}

export function lists({ tasks, rounds }, large) {
  for (const verb of ['list', 'step']) settle(large, verb);
  const list = () => wall(contracts(large, 'list'));
  const byState = () => wall(contracts(large, 'list', '--by', 'state'));
  const firstByState = () => wall(contracts(large, 'list', '--by', 'state'), FIRST);
  const step = () => wall(contracts(large, 'step'));
  const read = () => wall([node, floor, 'read', large]);
  const scan = () => wall([node, floor, 'scan', large]);
  const grep = () => wall(['grep', '-rh', '^title:', join(large, 'active_tasks')]);
  pair(`list --by state ${tasks} / node -e 0`, '≤ 1.5', '≤ 1.3', rounds, byState, bare);
  pair(
    `list --by state ${tasks}, first start / node -e 0`,
    '≤ 1.88',
    '',
    rounds,
    firstByState,
    bare,
  );
  pair(`list ${tasks} / read floor`, '≤ 1.6', '≤ 1.3', rounds, list, read);
  pair(`list ${tasks} / grep -rh '^title:'`, '≤ 1.2', '≤ 0.75', rounds, list, grep);
  pair(`no-op step ${tasks} / scan floor`, '≤ 1.3', '≤ 1.2', rounds, step, scan);
}

export function verbs({ tasks, rounds }, large) {
  let next = tasks;
  let draft = 0;
  const show = () => wall(contracts(large, 'show', taskId(1)));
  const firstShow = () => wall(contracts(large, 'show', taskId(1)), FIRST);
  const make = () =>
    wall(contracts(large, 'new', 'One more', '--id', `more-${next++}`, '--run', 'true'));
  const move = () => wall(contracts(large, 'confirm', taskId(draft++ * 10 + 1)));
  pair(`show at ${tasks} / node -e 0`, '≤ 1.4', '≤ 1.2', rounds, show, bare);
  pair(`show at ${tasks}, first start / node -e 0`, '≤ 1.75', '', rounds, firstShow, bare);
  pair(`new at ${tasks}, durable / node -e 0`, '≤ 1.6', '≤ 1.3', rounds, make, bare);
  pair(`one move at ${tasks}, durable / node -e 0`, '≤ 1.6', '≤ 1.3', rounds, move, bare);
}

/** The store's own group move against the same in C: thither by the one, back by the other. */
export function moves({ tasks, rooms, rounds }) {
  const inC = moverInC(rooms);
  if (inC === undefined) return;
  const root = join(rooms, 'moved');
  makeWorkspace(root);
  addDrafts(root, tasks);
  const folder = join(root, 'active_tasks');
  const ours = () =>
    seconds([node, fileURLToPath(new URL('moves.mjs', import.meta.url)), folder, 'ready', 'draft']);
  const { ratio, one, other } = paired(
    rounds,
    () => inC(join(folder, 'draft'), join(folder, 'ready')),
    ours,
  );
  const rate = (took) => `${Math.round(tasks / took)}`;
  const shown = `${rate(other)} / ${rate(one)} moves a second, ${tasks} at once`;
  add('moves a second, parents synced / a C rename loop', '≥ 0.8', '≥ 0.9', ratio, shown);
}

function moverInC(rooms) {
  const mover = join(rooms, 'moves');
  const source = fileURLToPath(new URL('moves.c', import.meta.url));
  if (spawnSync('cc', ['-O2', '-o', mover, source]).status === 0) {
    return (from, to) => seconds([mover, from, to]);
  }
  console.error('  no C compiler: moves a second are left out');
  return undefined;
}

function seconds([program, ...args]) {
  const ran = spawnSync(program, args, { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}: ${ran.stderr}`);
  return Number(ran.stdout);
}

/** A command that reads and judges each of many drafts first, against renames and without any fsync. */
export function confirms({ rooms, rounds }) {
  const MOVES = 1000;
  const inC = moverInC(rooms);
  const ids = Array.from({ length: MOVES }, (_, n) => taskId(n));
  let made = 0;
  const drafts = () => {
    const root = join(rooms, `confirms-${made++}`);
    makeWorkspace(root);
    addDrafts(root, MOVES);
    return root;
  };
  const ours = (env) => wall(contracts(drafts(), 'confirm', ...ids), { env });
  if (inC !== undefined) {
    const bareMoves = () => {
      const tasks = join(drafts(), 'active_tasks');
      return inC(join(tasks, 'draft'), join(tasks, 'ready')) * 1000;
    };
    pair(`confirm of ${MOVES} / bare moves in C`, '', '', rounds, () => ours(), bareMoves);
  }
  const without = {
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('nosync.cjs', import.meta.url))}`,
  };
  const what = `confirm of ${MOVES} without fsync / durable`;
  pair(
    what,
    '≥ 0.8',
    '≥ 0.95',
    rounds,
    () => ours(without),
    () => ours(),
  );
}

export function memory({ tasks, rounds, room }) {
  const times = Math.ceil(rounds / 4);
  const peak = (argv) => medianOf(times, () => usage(argv).peak_kib) / 1024;
  const none = peak([node, '-e', '0']);
  const row = (verb, n, root, target, stretch) => {
    settle(root, verb);
    const used = peak(contracts(root, verb));
    const shown = `${used.toFixed(0)} / ${none.toFixed(0)} MiB`;
    add(
      `peak memory, ${verb} ${n}, nothing changed / node -e 0`,
      target,
      stretch,
      used / none,
      shown,
    );
  };
  // In the large room some can be worked on by now: a step there would do so.
  const still = room('still', tasks);
  row('step', tasks, still, '≤ 1.3', '≤ 1.2');
  row('list', tasks, still, '≤ 1.9', '≤ 1.6');
  row('step', tasks * 10, room('huge', tasks * 10), '≤ 1.6', '≤ 1.5');
}

/** What was written just now is looked at anew; what stood for two seconds is known after one look. */
function settle(root, verb) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100);
  wall(contracts(root, verb));
}

/** The start taken off, so that only what grows is compared. Uses the rooms of `memory`. */
export function growth({ tasks, rounds, rooms, room }) {
  const huge = join(rooms, 'huge');
  const large = join(rooms, 'still');
  const start = medianOf(5, bare);
  for (const verb of ['list', 'step']) {
    for (const root of [huge, large]) settle(root, verb);
    const { ratio, one, other } = paired(
      Math.ceil(rounds / 3),
      () => wall(contracts(huge, verb)) - start,
      () => wall(contracts(large, verb)) - start,
    );
    const shown = `${one.toFixed(0)} / ${other.toFixed(0)} ms`;
    add(`${verb}: ${tasks * 10} / ${tasks}, without the start`, '≤ 11', '≤ 9', ratio, shown);
  }
  const ended = room('ended', tasks);
  const twin = room('twin', tasks);
  addDone(ended, tasks, tasks * 3);
  for (const verb of ['step', 'list']) {
    for (const root of [ended, twin]) settle(root, verb);
    const what = `${verb} ${tasks}, ${tasks * 2} more in done/ / none`;
    const full = () => wall(contracts(ended, verb));
    const none = () => wall(contracts(twin, verb));
    pair(what, '≤ 1.05', '≤ 1.01', rounds, full, none);
  }
}

/** Ten tasks whose agent ends at once, against a shell that starts the same agents. */
export function calls({ rooms, rounds }) {
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
    rounds,
    () => treeCpu(contracts((last = agents()), 'run')),
    () => treeCpu(['sh', '-c', loop], { cwd: last }),
  );
  const shown = `${(one / CALLS).toFixed(0)} / ${(other / CALLS).toFixed(0)} ms a call`;
  add('CPU of run and its agents / a shell loop that starts them', '≤ 1.5', '≤ 1.2', ratio, shown);
  const own = usage(contracts(agents(), 'run')).cpu_ms - usage([node, '-e', '0']).cpu_ms;
  add("runner's own CPU, without the start", '', '', own / CALLS, 'ms a call');
}

/** One line, from a sentence to done, over a bare start and what its agent takes alone. */
export function oneLine({ rooms, rounds }) {
  const root = join(rooms, 'do');
  makeWorkspace(root);
  const [script, env] = ['true', { CONTRACTS_TRUST: '1' }];
  const line = ['do', 'One line', '--run', script, '--sh', script];
  const done = () => wall(contracts(root, ...line), { env });
  const alone = () => bare() + wall(['sh', '-c', script]);
  pair(
    'do, its agent ends at once / node -e 0 and the agent alone',
    '≤ 2.5',
    '',
    rounds,
    done,
    alone,
  );
}

/** What a review adds to its card for 1,000 changed files, over git's own count of them. */
export function diffs({ rooms, rounds }) {
  const root = join(rooms, 'diff');
  const folder = join(root, 'src');
  makeWorkspace(root);
  mkdirSync(folder);
  for (let n = 0; n < 1000; n++) writeFileSync(join(folder, `${n}.txt`), 'line\n'.repeat(40));
  const git = ['git', '-C', root, '-c', 'user.name=b', '-c', 'user.email=b@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'base'],
  ])
    wall([...git, ...args]);
  const env = { CONTRACTS_TRUST: '1' };
  wall(contracts(root, 'do', 'Nothing', '--id', 'nothing', '--sh', 'true'), { env });
  const change = 'for one in src/*; do echo more >>$one; done';
  wall(contracts(root, 'do', 'Change', '--id', 'change', '--sh', change), { env });
  const show = (id) => wall(contracts(root, 'show', id));
  const { ratio, one, other } = paired(
    rounds,
    () => show('change') - show('nothing'),
    () => wall([...git, 'diff', '--stat']),
  );
  const shown = `${one.toFixed(0)} / ${other.toFixed(0)} ms, without the start`;
  add('show of 1000 changed files / git diff --stat', '≤ 2', '', ratio, shown);
}
