// The rows of the bench and how they are printed: what, target, stretch, result, and what was measured.
import { median, paired, wall } from './measure.mjs';

const rows = [];
const { argv } = process;
const only = argv.includes('--only') ? (argv[argv.indexOf('--only') + 1] ?? '') : '';

/**
 * `target` and `stretch` are upper limits, unless they begin with ≥; '' where none is set. `measure` gives
 * { ratio, shown }, or undefined where it cannot be measured here; it runs only for a row that is wanted.
 */
export function row(what, target, stretch, measure) {
  if (!what.includes(only)) return;
  const measured = measure();
  if (measured === undefined) return;
  const { ratio, shown } = measured;
  rows.push([what, target, stretch, digits(ratio), met(target, stretch, ratio), shown]);
  console.error(`  ${what}: ${digits(ratio)}  (${shown})`);
}

/** The ratio of two whole commands, run in turn. `ready` comes once before them. */
export function pair(what, target, stretch, rounds, one, other, ready = () => {}) {
  row(what, target, stretch, () => {
    ready();
    const { ratio, one: a, other: b, pairs } = paired(rounds, one, other);
    return { ratio, shown: `${digits(a)} / ${digits(b)} ms, ${pairs} pairs` };
  });
}

export function bare() {
  return wall([process.execPath, '-e', '0']);
}

/** `measure(round)`. */
export function medianOf(rounds, measure) {
  return median(Array.from({ length: rounds }, (_, round) => measure(round)));
}

/** Three that count. */
function digits(value) {
  return value.toFixed(value < 0.1 ? 3 : value < 10 ? 2 : 0);
}

function met(target, stretch, result) {
  const holds = (limit) =>
    limit.startsWith('≥') ? result >= numberOf(limit) : result <= numberOf(limit);
  if (target === '') return '';
  if (stretch !== '' && holds(stretch)) return 'stretch';
  return holds(target) ? 'met' : 'missed';
}

/** `≤ 1.25`, `≥ 0.8`, `≤ 1/25`. */
function numberOf(limit) {
  const [above, below = '1'] = limit.slice(1).trim().split('/');
  return Number(above) / Number(below);
}

export function print() {
  const table = [['what', 'target', 'stretch', 'result', '', 'measured'], ...rows];
  const widths = table[0].map((_, i) => Math.max(...table.map((cells) => cells[i].length)));
  console.log('');
  for (const [i, cells] of table.entries()) {
    console.log(`| ${cells.map((cell, j) => cell.padEnd(widths[j])).join(' | ')} |`);
    if (i === 0) console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  }
}
