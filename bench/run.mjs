// The bench: how long the built command takes, always against something that had to be done anyway,
// in the same run. Prints a table and fails on nothing: figures of one machine are no verdict.
//
//   npm run bench                      about ten minutes
//   npm run bench -- --quick           a tenth of the tasks, fewer rounds
//   npm run bench -- --only 'list 10'  only the rows whose name holds these words
//   npm run bench -- --peers           also Backlog.md, which it installs first
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from './command.mjs';
import { imports } from './imports.mjs';
import { counted, growth, looks, memory, small, starts } from './looks.mjs';
import { machines } from './machines.mjs';
import { learnings } from './memory.mjs';
import { settleEnvironment } from './measure.mjs';
import { againstBacklog } from './peers.mjs';
import { roomsIn } from './rooms.mjs';
import { calls, diffs, oneLine, shells } from './runs.mjs';
import { print } from './table.mjs';
import { confirms, moves, verbs } from './writes.mjs';

settleEnvironment();
const quick = process.argv.includes('--quick');
const folder = mkdtempSync(join(tmpdir(), 'contracts-bench-'));
/** What the rows need to know: how much, how often, and where workspaces are. */
const room = roomsIn(folder);
const scale = {
  tasks: quick ? 1000 : 10_000,
  rounds: quick ? 5 : 11,
  folder,
  room,
  /** The one that all rows share which leave nothing to do in it. */
  tree: (tasks) => room(`tree-${tasks}`, tasks),
};

/** The first starts of a command keep its compiled code. */
function warm() {
  const empty = room('empty', 0);
  for (let start = 0; start < 4; start++) {
    for (const verb of ['--version', '--help', 'list', 'step', 'check']) empty.call(verb);
  }
}

if (!existsSync(commandLine)) throw new Error('dist/ is missing. Run: npm run build');
try {
  console.log(`node ${process.version}, ${cpus().length} cores, medians of pairs`);
  warm();
  starts(scale);
  looks(scale);
  counted(scale);
  small(scale);
  if (process.argv.includes('--peers')) againstBacklog(scale);
  verbs(scale);
  moves(scale);
  confirms(scale);
  imports(scale);
  learnings(scale);
  memory(scale);
  growth(scale);
  shells(scale);
  calls(scale);
  oneLine(scale);
  diffs(scale);
  machines(scale);
  print();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
