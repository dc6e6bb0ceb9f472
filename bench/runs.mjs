// The rows of calls of agents: what a run takes over a program that only starts the same agents.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contracts } from './command.mjs';
import { has, paired, systemCalls, treeCpu, usage, wall } from './measure.mjs';
import { bare, pair, row } from './table.mjs';
import { makeWorkspace } from './tree.mjs';

const node = process.execPath;
const TRUSTED = { env: { CONTRACTS_TRUST: '1' } };
const SHELLS = 50;
const CALLS = 10;

let made = 0;

/** A workspace of its own for each run, since a run uses up what is ready. */
function readyTasks(folder, tasks, contract, config) {
  const root = join(folder, `run-${made++}`);
  makeWorkspace(root);
  if (config !== undefined) writeFileSync(join(root, '.contracts', 'config.yaml'), config);
  for (let n = 0; n < tasks; n++) {
    const task = join(root, 'active_tasks', 'ready', `call-${n}`);
    mkdirSync(task);
    writeFileSync(join(task, 'contract.md'), contract);
  }
  return root;
}

const SHELL =
  '---\ntitle: Call\nadapter: shell\n---\n\n## Success Criteria\n\n- [ ] it is there\n\n## Steps\n\n```sh\ntrue\n```\n';

/** Agents that end at once, so that only the runner takes time. A person would look at the results. */
export function shells({ folder, rounds }) {
  const run = (parallel) => () => {
    const root = readyTasks(folder, SHELLS, SHELL);
    return wall(contracts(root, 'run', '--parallel', parallel), TRUSTED);
  };
  const loop = `for (let i = 0; i < ${SHELLS}; i++) require('child_process').spawnSync('sh', ['-c', 'true'])`;
  const spawns = () => wall([node, '-e', loop]);
  const what = `run of ${SHELLS} shell agents that end at once, parallel`;
  pair(`${what} 1 / node that starts sh`, '≤ 7', '≤ 5', rounds, run('1'), spawns);
  pair(`${what} 4 / parallel 1`, '≤ 0.5', '≤ 0.35', rounds, run('4'), run('1'));
}

const AGENT =
  "import { writeFileSync } from 'node:fs';\nwriteFileSync(`${process.argv[2]}/result.md`, '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] it is there\\n');\n";
const CALL =
  '---\ntitle: Call\nverify: ["file_exists: agent.mjs"]\n---\n\n## Success Criteria\n\n- [ ] it is there\n';
const CONFIG = `adapters:\n  quick: { type: command, run: [${JSON.stringify(node)}, agent.mjs, '{{desk}}'] }\nagents:\n  builder: { adapter: quick }\n`;

function agents(folder, tasks) {
  const root = readyTasks(folder, tasks, CALL, CONFIG);
  writeFileSync(join(root, 'agent.mjs'), AGENT);
  return root;
}

/** What a call asks of the system, as strace counts it: a run of more calls, without a run of one. */
export function countOfCalls(folder, how) {
  const [many, one] = [CALLS + 1, 1].map((tasks) => {
    const run = contracts(agents(folder, tasks), 'run', '--parallel', '1');
    return systemCalls(run, how, TRUSTED);
  });
  return { ratio: (many - one) / CALLS, shown: `${many} for ${CALLS + 1} tasks, ${one} for 1` };
}

export const FSYNCS = ['-f', '-e', 'trace=fsync,fdatasync'];

/** Agents that do something and are believed, so that a task comes to done. */
export function calls({ folder, rounds }) {
  const loop = `i=0; while [ $i -lt ${CALLS} ]; do ${JSON.stringify(node)} agent.mjs .; i=$((i + 1)); done`;
  const what = 'CPU of run and its agents / a shell loop that starts them';
  row(what, '≤ 1.5', '≤ 1.2', () => {
    let last = '';
    const { ratio, one, other } = paired(
      rounds,
      () => treeCpu(contracts((last = agents(folder, CALLS)), 'run'), TRUSTED),
      () => treeCpu(['sh', '-c', loop], { cwd: last }),
    );
    const shown = `${(one / CALLS).toFixed(0)} / ${(other / CALLS).toFixed(0)} ms a call`;
    return { ratio, shown };
  });
  row("runner's own CPU, without the start", '', '', () => {
    const used = usage(contracts(agents(folder, CALLS), 'run'), TRUSTED).cpu_ms;
    return { ratio: (used - usage([node, '-e', '0']).cpu_ms) / CALLS, shown: 'ms a call' };
  });
  const counts = {
    'fsyncs of a call': ['≤ 16', '≤ 12', FSYNCS],
    'system calls of a call, main thread': ['≤ 600', '≤ 400', []],
  };
  for (const [name, [target, stretch, how]] of Object.entries(counts)) {
    row(name, target, stretch, () => {
      return has('strace') ? countOfCalls(folder, how) : undefined;
    });
  }
}

/** One line, from a sentence to done, over a bare start and what its agent takes alone. */
export function oneLine({ folder, rounds }) {
  const root = join(folder, 'do');
  const script = 'true';
  const line = ['do', 'One line', '--run', script, '--sh', script];
  const done = () => wall(contracts(root, ...line), TRUSTED);
  const alone = () => bare() + wall(['sh', '-c', script]);
  const what = 'do, its agent ends at once / node -e 0 and the agent alone';
  pair(what, '≤ 2.5', '', rounds, done, alone, () => makeWorkspace(root));
}

/** What a review adds to its card for 1,000 changed files, over git's own count of them. */
export function diffs({ folder, rounds }) {
  row('show of 1000 changed files / git diff --stat', '≤ 2', '', () => {
    const root = join(folder, 'diff');
    const sources = join(root, 'src');
    makeWorkspace(root);
    mkdirSync(sources);
    for (let n = 0; n < 1000; n++) writeFileSync(join(sources, `${n}.txt`), 'line\n'.repeat(40));
    const git = ['git', '-C', root, '-c', 'user.name=b', '-c', 'user.email=b@example.org'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'base'],
    ])
      wall([...git, ...args]);
    wall(contracts(root, 'do', 'Nothing', '--id', 'nothing', '--sh', 'true'), TRUSTED);
    const change = 'for one in src/*; do echo more >>$one; done';
    wall(contracts(root, 'do', 'Change', '--id', 'change', '--sh', change), TRUSTED);
    const show = (id) => wall(contracts(root, 'show', id));
    const { ratio, one, other } = paired(
      rounds,
      () => show('change') - show('nothing'),
      () => wall([...git, 'diff', '--stat']),
    );
    return { ratio, shown: `${one.toFixed(0)} / ${other.toFixed(0)} ms, without the start` };
  });
}
