// RF, what no program in Node can undercut that reads them all: lists the states and reads each contract
// once, nothing else. Arguments: the word read, then the workspace.
import { readdirSync, readFileSync } from 'node:fs';

const [, , how, root] = process.argv;
if (how !== 'read') throw new Error('node bench/floor.mjs read WORKSPACE');
process.chdir(`${root}/active_tasks`);
let bytes = 0;
for (const state of ['draft', 'ready', 'in_progress', 'questions', 'review', 'blocked']) {
  for (const entry of readdirSync(state, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      bytes += readFileSync(`${state}/${entry.name}/contract.md`, 'utf8').length;
    }
  }
}
process.stdout.write(`${bytes}\n`);
