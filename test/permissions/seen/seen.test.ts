/**
 * Each operation of operations.md as a real command of a real agent, in four modes: what the disk, the
 * remote and the outcome show afterwards is what docs/reference/permissions-seen.md says. After a change
 * of what is enforced: `npm run build && UPDATE_README=1 npx vitest run test/permissions/seen`, then look
 * at the difference, and at GAPS.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../../src/sandbox/engine/machine-view.ts';
import { GAPS } from './gaps.ts';
import { IN_FULL, sayShare, share } from '../../support/share.ts';
import { against, cellOf, explains, lineOf, pageOf, type Against, type Row } from './page.ts';
import { makeRooms, MODES, type Operation, type Seen } from './room.ts';

const PAGE = fileURLToPath(new URL('../../../docs/reference/permissions-seen.md', import.meta.url));
/** Two cores, and half of the time is spent waiting for processes. */
const AT_ONCE = 3;
/** One operation in so many is played before each push. */
const SHARE = 6;
const isUpdate = process.env['UPDATE_README'] !== undefined;

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: permissions as they are seen, because ${here.why}`);

const rows: Row[] = readFileSync(new URL('operations.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .flatMap((text) => {
    const section = text.split('\n', 1)[0] ?? '';
    const lines = text.split('\n').filter((line) => line.startsWith('['));
    return lines.map((line) => ({ section, operation: JSON.parse(line) as Operation, seen: {} }));
  }) as Row[];
const played = isUpdate ? rows : share(rows, SHARE);

const words = ({ row, mode, cell }: Against): string =>
  `${row.operation[0]}: ${row.operation[3]}, ${mode}: ${cell}`;

describe.skipIf(!here.works)(`operations of agents, as real commands, ${sayShare(SHARE)}`, () => {
  beforeAll(async () => {
    const rooms = await makeRooms();
    const queue = played.flatMap((row) => MODES.map(([mode]) => ({ row, mode })));
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const seen = await rooms.run(next.mode, next.row.operation);
        (next.row.seen as Record<string, Seen>)[next.mode] = seen;
        report(next.row, next.mode, seen);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      await rooms.remove();
    }
  }, 1_200_000);

  test('120 of them, of which 25 are allowed', () => {
    expect(rows).toHaveLength(120);
    expect(rows.filter(({ operation }) => operation[1] === 'yes')).toHaveLength(25);
    const commands = rows.map(({ operation }) => `${operation[0]} ${operation[3]}`);
    expect(new Set(commands).size).toBe(120);
    expect(GAPS, 'none is added; where one is closed, lower the number').toHaveLength(4);
  });

  test('no forbidden one is passed over in silence, but for the gaps that are known', () => {
    const silent = against(played).filter(({ cell }) => cell === 'NOT SEEN');
    const unknown = silent.filter((one) => !GAPS.some((gap) => explains(gap, one)));
    expect(unknown.map(words)).toEqual([]);
  });

  test('no allowed one is prevented or held against it, but for the gaps that are known', () => {
    const lost = against(played).filter(({ row }) => row.operation[1] === 'yes');
    const unknown = lost.filter((one) => !GAPS.some((gap) => explains(gap, one)));
    expect(unknown.map(words)).toEqual([]);
  });

  test.runIf(isUpdate || IN_FULL)('each gap is still one, in each of its modes', () => {
    const found = against(rows);
    const closed = GAPS.flatMap((gap) =>
      gap.modes
        .filter((mode) => !found.some((one) => one.mode === mode && explains(gap, one)))
        .map((mode) => `${gap.operation.source}, ${mode}`),
    );
    expect(closed).toEqual([]);
  });

  test('the page says what was seen', () => {
    if (isUpdate) writeFileSync(PAGE, pageOf(rows, GAPS));
    const page = readFileSync(PAGE, 'utf8');
    if (played === rows || IN_FULL) expect(pageOf(rows, GAPS)).toBe(page);
    expect(played.map(lineOf).filter((line) => !page.includes(`\n${line}\n`))).toEqual([]);
  });
});

/** SEEN_REPORT=1 prints each run, with what the command and the outcome said. */
function report({ operation }: Row, mode: string, seen: Seen): void {
  if (process.env['SEEN_REPORT'] === undefined) return;
  const line = { operation, mode, cell: cellOf(operation, seen), ...seen };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
