// The rows of commands that look at one task or change something, and of moves as such.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contracts } from './command.mjs';
import { has, paired, wall } from './measure.mjs';
import { bare, pair, row } from './table.mjs';
import { addDrafts, makeWorkspace, taskId } from './tree.mjs';

/** Nothing can be kept there: each start compiles as the first one does. The target is 25 % higher. */
const FIRST = { env: { XDG_CACHE_HOME: '/dev/null' } };
const TRUSTED = { CONTRACTS_TRUST: '1' };

export function verbs({ tasks, rounds, room }) {
  // A move leaves work for a step, so this is no room of the others.
  const worked = room('worked', tasks, (root) => addDrafts(root, tasks, tasks + 100));
  let next = 0;
  const after = (args, options) => (round) => {
    worked.change(round);
    return wall(contracts(worked.root, ...args()), options);
  };
  const ready = () => worked.settle('list');
  const measure = (what, target, stretch, ours) =>
    pair(`${what} / node -e 0`, target, stretch, rounds, ours, bare, ready);
  const show = () => ['show', taskId(1)];
  const make = () => ['new', 'One more', '--id', `more-${next++}`, '--run', 'true'];
  const move = () => ['confirm', taskId(tasks + next++)];
  measure(`show at ${tasks}`, '≤ 1.4', '≤ 1.2', after(show));
  measure(`show at ${tasks}, first start`, '≤ 1.75', '', after(show, FIRST));
  measure(`new at ${tasks}, durable`, '≤ 1.6', '≤ 1.3', after(make));
  measure(`one move at ${tasks}, durable`, '≤ 1.6', '≤ 1.3', after(move));
}

/** The store's own group move against the same in C: thither by the one, back by the other. */
export function moves({ tasks, folder, rounds }) {
  row('moves a second, parents synced / a C rename loop', '≥ 0.8', '≥ 0.9', () => {
    const inC = moverInC(folder);
    if (inC === undefined) return undefined;
    const root = join(folder, 'moved');
    makeWorkspace(root);
    addDrafts(root, 0, tasks);
    const states = join(root, 'active_tasks');
    const mover = fileURLToPath(new URL('moves.mjs', import.meta.url));
    const there = () => inC(join(states, 'draft'), join(states, 'ready'));
    const back = () => seconds([process.execPath, mover, states, 'ready', 'draft']);
    const { ratio, one, other } = paired(rounds, there, back);
    const rate = (took) => `${Math.round(tasks / took)}`;
    return { ratio, shown: `${rate(other)} / ${rate(one)} a second, ${tasks} at once` };
  });
}

function moverInC(folder) {
  if (!has('cc')) return undefined;
  const mover = join(folder, 'moves');
  const source = fileURLToPath(new URL('moves.c', import.meta.url));
  const compiled = spawnSync('cc', ['-O2', '-o', mover, source], { encoding: 'utf8' });
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  return (from, to) => seconds([mover, from, to]);
}

function seconds([program, ...args]) {
  const ran = spawnSync(program, args, { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}: ${ran.stderr}`);
  return Number(ran.stdout);
}

/** A command that reads and judges each of many drafts first, without any fsync against with them. */
export function confirms({ folder, rounds }) {
  const MOVES = 1000;
  const ids = Array.from({ length: MOVES }, (_, n) => taskId(n));
  const nosync = fileURLToPath(new URL('nosync.cjs', import.meta.url));
  let made = 0;
  const confirm = (env) => () => {
    const root = join(folder, `confirms-${made++}`);
    makeWorkspace(root);
    addDrafts(root, 0, MOVES);
    return wall(contracts(root, 'confirm', ...ids), { env: { ...TRUSTED, ...env } });
  };
  const without = confirm({ NODE_OPTIONS: `--require ${nosync}` });
  const what = `confirm of ${MOVES} without fsync / durable`;
  pair(what, '≥ 0.8', '≥ 0.95', rounds, without, confirm({}));
}
