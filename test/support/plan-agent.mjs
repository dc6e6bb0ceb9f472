// Any agent of a plan: brings what the contract names, says it is complete, approves what it reviews.
// Arguments: the contract, the desk, work or review. Runs in the workspace.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [contract_file, desk, kind] = process.argv.slice(2);
const contract = readFileSync(contract_file, 'utf8');
const task = process.env.CONTRACTS_TASK;

const section = contract.slice(contract.indexOf('## Success Criteria')).split('\n## ')[0];
const criteria = section.match(/^- \[ \] .*$/gm) ?? [];

if (kind === 'review') {
  // A checklist of no squad is that of the contract.
  const items = criteria.map((line) => line.replace('[ ]', '[x]')).join('\n');
  const boxes = '- [x] APPROVED\n- [ ] NEEDS_WORK\n- [ ] REJECT\n';
  writeFileSync(
    join(desk, 'review.md'),
    `# Review: ${task}\n\n## Verdict\n\n${boxes}\n## Checklist\n\n${items}\n`,
  );
} else {
  const listed = /^deliverables:\n((?: +- .*\n)+)/m.exec(contract)?.[1] ?? '';
  const files = [...listed.matchAll(/- "?([^"\n]+)"?/g)].map(([, path]) => path);
  for (const path of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `made by ${task}\n`);
  }
  const ticked = criteria.map((line) => `${line.replace('[ ]', '[x]')} — seen`).join('\n');
  writeFileSync(
    join(desk, 'result.md'),
    `# Task Result: ${task}\n\n- Status: COMPLETE\n\n## Success Criteria\n\n${ticked}\n\n## Deliverables\n\n${files.map((path) => `- ${path}`).join('\n')}\n`,
  );
}
