/**
 * How many lines each folder of src has at most. A number rises only with a reason in the body of the same commit,
 * and falls with the code: a folder far below its number fails, too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const ALL_MAX = 88_814;
/** Room for small changes, so that not each touches this table. */
const ROOM = { lines: 40, of: 0.03 };

const LINES_MAX: Readonly<Record<string, number>> = {
  '.': 140,
  agents: 1_606,
  assumptions: 930,
  checkpoints: 810,
  cli: 9_158,
  clients: 4_034,
  commits: 270,
  delegation: 790,
  demo: 245,
  engine: 20_598,
  exchange: 2_430,
  git: 360,
  ledger: 315,
  machines: 2_131,
  mcp: 992,
  memory: 1_955,
  page: 3_899,
  permissions: 4_495,
  plans: 7_608,
  process: 2_050,
  router: 326,
  sandbox: 1_960,
  sessions: 579,
  squads: 2_550,
  stats: 440,
  task: 11_456,
  teams: 455,
  trust: 653,
  workflows: 350,
  workspace: 2_850,
  worktrees: 2_525,
};

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

/** Files directly in src count for `.`. */
function counted(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:tsx?|json)$/.test(name)) continue;
    const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : '.';
    lines.set(folder, (lines.get(folder) ?? 0) + linesOf(join(SRC, name)));
  }
  return lines;
}

/** What is wrong with these counts, a line each. */
function faults(lines: ReadonlyMap<string, number>): readonly string[] {
  return [...lines].flatMap(([folder, has]) => {
    const most = LINES_MAX[folder] ?? 0;
    const room = Math.max(ROOM.lines, Math.floor(most * ROOM.of));
    if (has > most) return [`${folder} has ${has} lines, at most ${most}`];
    return has < most - room ? [`${folder} has only ${has} lines: lower ${most}`] : [];
  });
}

test('each folder of src keeps to its budget, which follows it down', () => {
  const lines = counted();
  expect(Object.keys(LINES_MAX).toSorted()).toEqual([...lines.keys()].toSorted());
  expect(faults(lines)).toEqual([]);
  expect([...lines.values()].reduce((sum, one) => sum + one)).toBeLessThanOrEqual(ALL_MAX);
});

test('a line too many and a number too high are found', () => {
  const [[folder = '', most = 0] = []] = Object.entries(LINES_MAX);
  expect(faults(new Map([[folder, most + 1]]))).toHaveLength(1);
  expect(faults(new Map([[folder, Math.floor(most * (1 - ROOM.of)) - ROOM.lines]]))).toHaveLength(
    1,
  );
  expect(faults(new Map([[folder, most]]))).toEqual([]);
});
