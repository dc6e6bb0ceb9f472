// The rows of commands that look at all tasks: list, step with nothing to do, check. Most are measured
// against RF, a bare Node program that reads each contract once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, contracts } from './command.mjs';
import { has, paired, systemCalls, usage, wall } from './measure.mjs';
import { bare, medianOf, pair, row } from './table.mjs';
import { addDone } from './tree.mjs';

const node = process.execPath;
const floor = fileURLToPath(new URL('floor.mjs', import.meta.url));
const SMALL = 1000;

export function starts({ rounds }) {
  for (const flag of ['--version', '--help']) {
    const start = () => wall([node, commandLine, flag]);
    pair(`${flag} / node -e 0`, '≤ 1.1', '≤ 1.05', rounds * 3, start, bare);
  }
}

/** What comes before each timed call, that of the floor too. */
const ONE = { words: () => 'after 1 change', before: (room, round) => room.change(round) };
const MANY = {
  words: (room) => `after ${many(room)} changes`,
  before: (room, round) => room.change(round, many(room)),
};
const NONE = { words: () => 'unchanged', before: () => {} };
const FORGOTTEN = {
  words: () => 'without cache',
  before(room, round) {
    room.change(round);
    room.forget();
  },
};
const many = ({ tasks }) => tasks * 0.03;

/** Target and stretch in the large tree and, where they are others, in the small one. */
const LOOKS = [
  { verb: 'list', when: ONE, large: ['≤ 1.8', '≤ 1.4'], small: ['≤ 2.2', '≤ 1.8'] },
  { verb: 'step', when: ONE, large: ['≤ 2.0', '≤ 1.5'], small: ['≤ 2.4', '≤ 1.9'] },
  { verb: 'list', when: MANY, large: ['≤ 2.6', '≤ 2.0'] },
  { verb: 'step', when: MANY, large: ['≤ 2.8', '≤ 2.1'] },
  { verb: 'list', when: NONE, large: ['≤ 1.5', '≤ 1.25'] },
  { verb: 'step', when: NONE, large: ['≤ 1.5', '≤ 1.3'] },
  { verb: 'list', when: FORGOTTEN, large: ['≤ 4.5', '≤ 3.2'], small: ['≤ 3.5', '≤ 2.6'] },
  { verb: 'step', when: FORGOTTEN, large: ['≤ 5', '≤ 3.5'], small: ['≤ 4', '≤ 3'] },
  { verb: 'check', when: FORGOTTEN, large: ['≤ 8', '≤ 5'], small: ['≤ 6', '≤ 4'] },
  { verb: 'check', when: ONE, large: ['≤ 2.5', '≤ 1.8'] },
];

/** With a tenth of the tasks the large tree is the small one: then the small one's limits count. */
export function looks({ tasks, rounds, tree }) {
  for (const { verb, when, large, small: limits } of LOOKS) {
    if (tasks === SMALL) look(tree(SMALL), verb, when, limits ?? large, rounds);
    else {
      look(tree(tasks), verb, when, large, rounds);
      if (limits !== undefined) look(tree(SMALL), verb, when, limits, rounds);
    }
  }
}

function look(room, verb, when, [target, stretch], rounds) {
  // What the next round changes too, so that no more than that was changed since our last call.
  const read = (round) => {
    when.before(room, round + 1);
    return wall([node, floor, 'read', room.root]);
  };
  const ours = (round) => {
    when.before(room, round);
    return room.call(verb);
  };
  const what = `${verb} ${room.tasks} ${when.words(room)} / RF`;
  pair(what, target, stretch, rounds, ours, read, () => room.settle(verb));
}

/** Those of an empty workspace are taken off: what remains grows with the tasks. */
export function counted({ tasks, tree, room }) {
  const limits = { list: ['≤ 3.2', '≤ 2.7'], step: ['≤ 3.4', '≤ 2.8'] };
  for (const [verb, [target, stretch]] of Object.entries(limits)) {
    row(`system calls a task, ${verb} ${tasks} after 1 change`, target, stretch, () => {
      if (!has('strace')) return undefined;
      const [all, none] = [tree(tasks), room('empty', 0)].map((one) => callsAfterChange(one, verb));
      return { ratio: (all - none) / tasks, shown: `${all}, ${none} in an empty workspace` };
    });
  }
}

/** By all threads. */
export function callsAfterChange(room, verb, flags = []) {
  room.settle(verb);
  room.change(0);
  const [program, ...args] = contracts(room.root, verb);
  return systemCalls([program, ...flags, ...args], ['-f']);
}

const SETTINGS = `parallel: 2
timeout: 10m
adapters:
  mine: { type: command, run: [node, my-agent.mjs, "{{brief_file}}"], env: [MY_KEY] }
agents:
  builder: { adapter: mine }
  reviewer: { adapter: mine, instructions: "You review. Be strict." }
`;

export function small({ rounds, room }) {
  const empty = room('empty', 0);
  const ten = room('settings', 10, (root) => {
    writeFileSync(join(root, '.contracts', 'config.yaml'), SETTINGS);
  });
  const check = () => empty.call('check');
  pair('check of an empty workspace / node -e 0', '≤ 1.8', '≤ 1.4', rounds, check, bare);
  const limits = { list: ['≤ 1.5', '≤ 1.3'], step: ['≤ 1.7', '≤ 1.4'] };
  for (const [verb, [target, stretch]] of Object.entries(limits)) {
    const what = `${verb} of 10 with settings, after 1 change / node -e 0`;
    const ours = (round) => {
      ten.change(round);
      return ten.call(verb);
    };
    pair(what, target, stretch, rounds, ours, bare, () => ten.settle(verb));
  }
}

export function memory({ tasks, rounds, tree }) {
  const times = Math.ceil(rounds / 4);
  const peak = (measure) => medianOf(times, measure) / 1024;
  const memoryOf = (verb, one, target, stretch) => {
    row(`peak memory, ${verb} ${one.tasks} after 1 change / node -e 0`, target, stretch, () => {
      one.settle(verb);
      const none = peak(() => usage([node, '-e', '0']).peak_kib);
      const used = peak((round) => {
        one.change(round);
        return usage(contracts(one.root, verb)).peak_kib;
      });
      return { ratio: used / none, shown: `${used.toFixed(0)} / ${none.toFixed(0)} MiB` };
    });
  };
  memoryOf('step', tree(tasks), '≤ 1.5', '≤ 1.3');
  memoryOf('list', tree(tasks), '≤ 1.9', '≤ 1.6');
  memoryOf('step', tree(tasks * 10), '≤ 2.5', '≤ 1.8');
}

/** The start taken off, so that only what grows is compared. */
export function growth({ tasks, rounds, tree, room }) {
  const few = Math.ceil(rounds / 3);
  // As new as the other, so that only done/ differs.
  const twin = room('twin', tasks);
  const ended = room('ended', tasks, (root) => addDone(root, tasks, tasks * 3));
  const changed = (one, verb) => (round) => {
    one.change(round);
    return one.call(verb);
  };
  const settle = (rooms, verb) => rooms.forEach((one) => one.settle(verb));
  for (const verb of ['list', 'step']) {
    const [large, huge] = [tree(tasks), tree(tasks * 10)];
    const what = `${verb} after 1 change: ${huge.tasks} / ${large.tasks}, without the start`;
    row(what, '≤ 11', '≤ 9', () => {
      settle([large, huge], verb);
      const start = medianOf(5, bare);
      const grown = (one) => (round) => changed(one, verb)(round) - start;
      const { ratio, one, other } = paired(few, grown(huge), grown(large));
      return { ratio, shown: `${one.toFixed(0)} / ${other.toFixed(0)} ms` };
    });
  }
  for (const verb of ['list', 'step']) {
    const what = `${verb} ${tasks} after 1 change, ${tasks * 2} more in done/ / none`;
    const [full, none] = [changed(ended, verb), changed(twin, verb)];
    pair(what, '≤ 1.05', '≤ 1.01', rounds, full, none, () => settle([ended, twin], verb));
  }
}
