// The store's own group move, as the engine uses it, and nothing else: every task of one state goes to
// another, then both state folders are synced. Prints the seconds that this took, as moves.c does.
// Arguments: the folder of the state folders, from, to.
import { groupMoves } from '../dist/store/group.js';
import { realDisk } from '../dist/store/real-disk.js';
import { listState } from '../dist/store/tasks.js';

const [tasks, from, to] = process.argv.slice(2);
const layout = { root: tasks, tasks };
const { ids } = listState(realDisk, layout, from);
const start = process.hrtime.bigint();
const group = groupMoves(realDisk, layout);
for (const id of ids) {
  const moved = group.move(id, from, to);
  if (moved !== 'moved') throw new Error(`${id}: ${moved}`);
}
group.flush();
console.log(Number(process.hrtime.bigint() - start) / 1e9);
