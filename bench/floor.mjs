// What no program in Node can undercut: `scan` lists the states and looks once at each contract, `read`
// reads each contract too. Argument: scan or read, then the workspace.
import { readdirSync, readFileSync, statSync } from 'node:fs';

const [, , how, root] = process.argv;
process.chdir(`${root}/active_tasks`);
let bytes = 0;
for (const state of ['draft', 'ready', 'in_progress', 'questions', 'review', 'blocked']) {
  for (const entry of readdirSync(state, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const file = `${state}/${entry.name}/contract.md`;
    bytes += how === 'read' ? readFileSync(file, 'utf8').length : statSync(file).size;
  }
}
process.stdout.write(`${bytes}\n`);
