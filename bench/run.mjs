// The bench: how long the built command takes, always against something that had to be done anyway,
// in the same run. Prints a table and fails on nothing: figures of one machine are no verdict.
//
//   npm run bench               about ten minutes
//   npm run bench -- --quick    a tenth of the tasks, fewer rounds
//   npm run bench -- --peers    also Backlog.md, taskwarrior and ninja, which it installs first
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from './command.mjs';
import {
  calls,
  confirms,
  diffs,
  growth,
  lists,
  memory,
  moves,
  oneLine,
  starts,
  verbs,
} from './own.mjs';
import { installPeers, peers } from './peers.mjs';
import { print } from './table.mjs';
import { addTasks, makeWorkspace } from './tree.mjs';

const quick = process.argv.includes('--quick');
const rooms = mkdtempSync(join(tmpdir(), 'contracts-bench-'));

/** What the rows need to know: how much, how often, and where to make workspaces. */
const scale = {
  tasks: quick ? 1000 : 10_000,
  rounds: quick ? 5 : 11,
  rooms,
  room(name, tasks) {
    const root = join(rooms, name);
    makeWorkspace(root);
    addTasks(root, 0, tasks);
    return root;
  },
};

if (!existsSync(commandLine)) throw new Error('dist/ is missing. Run: npm run build');
try {
  console.log(`node ${process.version}, ${cpus().length} cores, medians of pairs`);
  const large = scale.room('large', scale.tasks);
  starts(scale);
  lists(scale, large);
  if (process.argv.includes('--peers')) peers(scale, large, installPeers(rooms));
  verbs(scale, large);
  moves(scale);
  confirms(scale);
  memory(scale);
  growth(scale);
  calls(scale);
  oneLine(scale);
  diffs(scale);
  print();
} finally {
  rmSync(rooms, { recursive: true, force: true });
}
