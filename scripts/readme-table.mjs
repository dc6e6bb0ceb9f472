// Writes the table of transitions into README.md between its markers, from the same data that the
// runner moves by. `--check` only says whether it is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = new URL('../', import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'));
const command = fileURLToPath(new URL(bin.contracts, project));
const table = execFileSync(process.execPath, [command, 'states'], { encoding: 'utf8' }).trimEnd();
const file = new URL('README.md', project);
const text = readFileSync(file, 'utf8');
const next = text.replace(
  /<!-- states -->\n[^]*?<!-- \/states -->/,
  () => `<!-- states -->\n${table}\n<!-- /states -->`,
);
if (process.argv.includes('--check')) process.exitCode = next === text ? 0 : 1;
else writeFileSync(file, next);
