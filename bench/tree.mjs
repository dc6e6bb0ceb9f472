// Makes a workspace with many tasks that wait, as a bench needs it: quickly, without any of src/.
// Of ten tasks six wait in ready for a draft, three are drafts, one has asked and waits in questions.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STATES = 'draft ready in_progress questions review blocked done aborted'.split(' ');

export const taskId = (n) => `task_20261121_number-${String(n).padStart(6, '0')}_aaaa`;

export function makeWorkspace(root) {
  mkdirSync(join(root, '.contracts'), { recursive: true });
  for (const state of STATES) mkdirSync(join(root, 'active_tasks', state), { recursive: true });
}

/** `from` up to and without `to`. */
export function addTasks(root, from, to) {
  for (let n = from; n < to; n++) {
    const kind = n % 10;
    if (kind < 3) addTask(root, 'draft', n, '');
    else if (kind < 9) addTask(root, 'ready', n, `depends_on: [${taskId(n - kind)}]\n`);
    else {
      const folder = addTask(root, 'questions', n, '');
      writeFileSync(
        join(folder, 'questions.md'),
        `# Questions\n\n## Questions\n\n1. Which of ${n}?\n\n### Answer\n`,
      );
    }
  }
}

/** Gives a task of `addTasks` another title, in place, as an editor does. */
export function retitle(root, n, title) {
  const kind = n % 10;
  const state = kind < 3 ? 'draft' : kind < 9 ? 'ready' : 'questions';
  const file = join(root, 'active_tasks', state, taskId(n), 'contract.md');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^title: .*$/m, `title: Task number ${n}, ${title}`));
}

/** Drafts that can all be confirmed: `from` up to and without `to`. */
export function addDrafts(root, from, to) {
  for (let n = from; n < to; n++) addTask(root, 'draft', n, '');
}

export function addDone(root, from, to) {
  for (let n = from; n < to; n++) {
    const folder = addTask(root, 'done', n, '');
    writeFileSync(join(folder, 'result.md'), '# Task Result\n\n- Status: COMPLETE\n');
  }
}

function addTask(root, state, n, head) {
  const folder = join(root, 'active_tasks', state, taskId(n));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'contract.md'), contract(n, head));
  return folder;
}

function contract(n, head) {
  return `---
v: 1
title: Task number ${n}
priority: ${['high', 'medium', 'low'][n % 3]}
created: 2026-11-21T12:00:00.000Z
${head}deliverables: [out/${n}.txt]
verify:
  - "run: test -s out/${n}.txt"
---

# Task number ${n}

## Objective

Write the number ${n} into a file of its own, as many tasks of a real project are about as long as this.

## Success Criteria

- [ ] \`test -s out/${n}.txt\` passes
- [ ] \`out/${n}.txt\` is there

## Steps

\`\`\`sh
mkdir -p out
echo ${n} > out/${n}.txt
\`\`\`
`;
}
