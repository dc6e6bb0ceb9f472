// The store's own group move, as the engine uses it, and nothing else: every task of one state goes to
// another, then both state folders are synced. Prints the seconds that this took, as moves.c does.
// Arguments: the folder of the state folders, from, to.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const contents = `export { groupMoves } from './tasks/group-commit.ts';
  export { realDisk } from './disk/real-disk.ts';
  export { listState } from './tasks/tasks.ts';`;
const resolveDir = fileURLToPath(new URL('../src/task/store', import.meta.url));
const { outputFiles } = await build({
  stdin: { contents, resolveDir, loader: 'ts' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
const url = `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`;
const { groupMoves, realDisk, listState } = await import(url);

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
