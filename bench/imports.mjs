// The rows of `import`: 2,000 tasks of another tool, against a bare Node program that reads as many contracts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contracts } from './command.mjs';
import { wall } from './measure.mjs';
import { pair } from './table.mjs';
import { makeWorkspace } from './tree.mjs';

const TASKS = 2000;
const floor = fileURLToPath(new URL('floor.mjs', import.meta.url));
const numbers = Array.from({ length: TASKS }, (_, n) => n + 1);

function backlog(root) {
  const folder = join(root, 'backlog/tasks');
  mkdirSync(folder, { recursive: true });
  for (const n of numbers) {
    const needs = n > 3 ? `task-${n - 3}` : '';
    const text = `---\nid: task-${n}\ntitle: Task number ${n} of many\nstatus: To Do\nassignee: []\nlabels: [area-${n % 7}]\ndependencies: [${needs}]\npriority: medium\n---\n\n## Description\n\nWhat it is about, in a sentence.\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 The first thing holds for ${n}\n- [ ] #2 The second thing holds\n<!-- AC:END -->\n`;
    writeFileSync(join(folder, `task-${n} - Task.md`), text);
  }
}

function speckit(root) {
  const folder = join(root, 'specs/001-many');
  mkdirSync(folder, { recursive: true });
  const lines = numbers.map((n) => {
    const phase = n % 100 === 1 ? `\n## Phase ${Math.ceil(n / 100)}: Part\n\n` : '';
    return `${phase}- [ ] T${n} ${n % 3 === 0 ? '' : '[P] '}[US${n % 5}] Create thing ${n} in src/thing_${n}.py\n`;
  });
  writeFileSync(join(folder, 'tasks.md'), `# Tasks: Many\n${lines.join('')}`);
}

export function imports({ folder, rounds }) {
  const read = join(folder, 'imported-0');
  let made = 0;
  const ours = (source) => () => {
    const root = join(folder, `imported-${made++}`);
    makeWorkspace(root);
    source(root);
    return wall(contracts(root, 'import'));
  };
  // The first of these has the contracts that are read.
  const contractsOf = ours(backlog);
  const floorOf = () => wall([process.execPath, floor, 'read', read]);
  pair(`import of ${TASKS} as contracts, durable / RF`, '≤ 10', '', rounds, contractsOf, floorOf);
  pair(`import of ${TASKS} as a plan / RF`, '≤ 10', '', rounds, ours(speckit), floorOf);
}
