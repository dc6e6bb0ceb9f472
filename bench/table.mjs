// The rows of the bench and how they are printed: what, target, stretch, result, and what was measured.
import { median, paired, wall } from './measure.mjs';

const rows = [];

/** `target` and `stretch` are upper limits, unless they begin with ≥; '' where none is set. */
export function add(what, target, stretch, result, shown) {
  rows.push([what, target, stretch, result.toFixed(2), met(target, stretch, result), shown]);
  console.error(`  ${what}: ${result.toFixed(2)}  (${shown})`);
}

/** The ratio of two whole commands, run in turn. */
export function pair(what, target, stretch, rounds, one, other) {
  const { ratio, one: a, other: b, pairs } = paired(rounds, one, other);
  add(what, target, stretch, ratio, `${round(a)} / ${round(b)} ms, ${pairs} pairs`);
}

export function bare() {
  return wall([process.execPath, '-e', '0']);
}

export function medianOf(rounds, measure) {
  return median(Array.from({ length: rounds }, measure));
}

function round(ms) {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
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
  const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
  console.log('');
  for (const [i, row] of table.entries()) {
    console.log(`| ${row.map((cell, j) => cell.padEnd(widths[j])).join(' | ')} |`);
    if (i === 0) console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  }
}
