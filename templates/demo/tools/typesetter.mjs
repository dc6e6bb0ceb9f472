// The agent that makes the page: reads its brief, writes site/index.html, then its result. What a
// reviewer found comes back in the brief; each finding that it understands changes what it writes.
// Arguments: the brief, the desk. Runs in the workspace.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [brief_file, desk] = process.argv.slice(2);
const brief = readFileSync(brief_file, 'utf8');
const at = brief.indexOf('\n## REVIEWER FINDINGS');
const findings = at === -1 ? '' : brief.slice(at, brief.indexOf('\n## CONTEXT', at));

const tally = readFileSync('site/tally.csv', 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(','));
const bird = readFileSync('site/bird.txt', 'utf8').trim();
const [most, ...others] = tally;

const mended = [];
let alt = '';
if (/no alt text/.test(findings)) {
  const list = others.map(([name, count]) => `${name} ${count}`).join(', ');
  alt = ` alt="Bars: ${most[0]} ${most[1]}, then ${list}"`;
  mended.push('the chart has an alt text with every number');
}
let lang = '';
if (/no language/.test(findings)) {
  lang = ' lang="en"';
  mended.push('the page names its language');
}

const rows = tally.map(([name, count]) => `      <tr><td>${name}</td><td>${count}</td></tr>`);
writeFileSync(
  'site/index.html',
  `<!doctype html>
<html${lang}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Birds at the lighthouse, October</title>
    <style>body { font: 18px sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }</style>
  </head>
  <body>
    <h1>October at the lighthouse</h1>
    <p>Bird of the month: <strong>${bird}</strong></p>
    <img src="chart.svg"${alt}>
    <table>
${rows.join('\n')}
    </table>
  </body>
</html>
`,
);

const heard = mended.length > 0;
writeFileSync(
  join(desk, 'result.md'),
  `# Task Result: ${process.env.CONTRACTS_TASK}

- Status: COMPLETE

## Success Criteria

- [x] \`site/index.html\` names the bird of the month — ${bird}, under the heading
- [x] Every species of the tally is in the table — ${tally.length} rows
- [x] Somebody who cannot see the chart is told what it shows — ${heard ? 'see its alt text' : 'the table is right below it'}

## Deliverables

- site/index.html

## Notes

${heard ? mended.map((one) => `- mended: ${one}`).join('\n') : '- first version'}
`,
);
console.log(heard ? `mended: ${mended.join('; ')}` : 'wrote the first version');
