// Writes the table of transitions into README.md between its markers, from the same data that the
// runner moves by. `--check` only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { statesTable } from '../dist/cli/states-table.js';

const file = new URL('../README.md', import.meta.url);
const text = readFileSync(file, 'utf8');
const next = text.replace(
  /<!-- states -->\n[^]*?<!-- \/states -->/,
  () => `<!-- states -->\n${statesTable()}\n<!-- /states -->`,
);
if (process.argv.includes('--check')) process.exitCode = next === text ? 0 : 1;
else writeFileSync(file, next);
