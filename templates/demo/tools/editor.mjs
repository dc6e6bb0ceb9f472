// The reviewer of the page. Reads the contract's deliverable and what result.md claims, compares both
// with the tally, and gives one verdict. It changes nothing but its own review.md.
// Argument: the desk. Runs in the workspace.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [desk] = process.argv.slice(2);
const result = readFileSync(join(desk, 'result.md'), 'utf8');
const file = /^- (site\/\S+)$/m.exec(result.slice(result.indexOf('## Deliverables')))?.[1];
const findings = [];

if (file === undefined) {
  findings.push('result.md names no deliverable under ## Deliverables');
} else {
  const lines = readFileSync(file, 'utf8').split('\n');
  lines.forEach((line, index) => {
    const place = `${file}:${index + 1}`;
    if (/<html>/.test(line)) findings.push(`${place}: no language is named; write <html lang="…">`);
    if (/<img(?![^>]*\salt="[^"]+")/.test(line)) {
      findings.push(`${place}: the chart has no alt text; say in words what it shows`);
    }
  });
  const page = lines.join('\n');
  for (const row of readFileSync('site/tally.csv', 'utf8').trim().split('\n')) {
    const [name, count] = row.split(',');
    if (!page.includes(`<td>${name}</td><td>${count}</td>`)) {
      findings.push(`${file}: ${name} with ${count} birds is not in the table`);
    }
  }
}
for (const claim of result.match(/^- \[ \] .*$/gm) ?? []) {
  findings.push(`result.md itself leaves open: ${claim.slice(6)}`);
}

const good = findings.length === 0;
const list = good ? ['every number agrees with the tally; the chart is told in words'] : findings;
writeFileSync(
  join(desk, 'review.md'),
  `# Review: ${process.env.CONTRACTS_TASK}

## Verdict

- [${good ? 'x' : ' '}] APPROVED
- [${good ? ' ' : 'x'}] NEEDS_WORK
- [ ] REJECT

## Findings

${list.map((one, index) => `${index + 1}. ${one}`).join('\n')}
`,
);
console.log(good ? 'approved' : `${findings.length} findings`);
