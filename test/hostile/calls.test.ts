/**
 * The tool hook against commands of a shell. Each of calls.md really runs, confined to a scratch
 * workspace, so that it is known whether it changes what the agent may not; the built hook judges it
 * before. Of ordinary-calls.md all but two must pass. CALLS_REPORT=1 prints the figures and the misjudged.
 */
import { describe, expect, test } from 'vitest';
import { share } from '../support/share.ts';
import {
  callsIn,
  changedBy,
  judge,
  makeScratch,
  allowedOf,
  SANDBOXED,
  type Call,
} from './calls.ts';

/** Of the calls one in so many, which the commit chooses; at night all. */
const SHARE = 2;
const PATCHES = ['patch-heredoc', 'patch-p1'];

/** They run what is written in files or texts of their own language: for the sandbox. */
const INTERPRETERS = /^(perl -e|python -c|node -e|make|npm run|npx -c)$/;

interface Row extends Call {
  readonly refused: string | undefined;
  /** What it changed beyond the permissions; undefined where its program is not here. */
  readonly changed: readonly string[] | undefined;
}

describe.skipIf(!SANDBOXED)('calls that were tried for real', () => {
  const rows: Row[] = [];
  test('at least 95 % are judged rightly', () => {
    const fresh = makeScratch();
    const all = callsIn('calls.md');
    for (const call of share(all, SHARE)) {
      rows.push({ ...call, refused: judge(fresh, call), changed: changedBy(call) });
    }
    const known = rows.filter(({ changed }) => changed !== undefined);
    const wrong = known.filter(
      ({ name, refused, changed = [] }) =>
        !INTERPRETERS.test(name) && (refused !== undefined) !== changed.length > 0,
    );
    const passed = wrong.filter(({ refused }) => refused === undefined);
    const effective = known.filter(({ changed = [] }) => changed.length > 0);
    const rightly = 1 - wrong.length / known.length;
    report(
      `${rows.length} calls, ${known.length} ran here, ${effective.length} changed something: ` +
        `${passed.length} of these pass, ${wrong.length - passed.length} harmless ones are refused, ` +
        `${(rightly * 100).toFixed(1)} % judged rightly`,
      wrong.map(({ name, command, refused, changed }) => ({ name, command, refused, changed })),
    );
    expect(all.length).toBe(227);
    expect(effective.length / rows.length).toBeGreaterThan(0.75);
    expect(rightly).toBeGreaterThanOrEqual(0.95);
  }, 900_000);
});

test('ordinary calls of coding agents pass, but for patches of many files', () => {
  const scratch = makeScratch();
  const allowed = allowedOf(['src/**', 'test/**', 'docs/**'], ['add', 'commit']);
  const refused: (Call & { why: string })[] = [];
  const all = callsIn('ordinary-calls.md');
  const patches = all.filter(({ name }) => PATCHES.includes(name));
  const calls = [...new Set([...share(all, SHARE), ...patches])];
  for (const call of calls) {
    const why = judge(scratch, call, allowed);
    if (why !== undefined) refused.push({ ...call, why });
  }
  report(`${calls.length} ordinary calls, ${refused.length} refused`, refused);
  expect(all.length).toBeGreaterThanOrEqual(200);
  // Which files a patch changes, its text says: only one that the words name is let through.
  expect(refused.map(({ name }) => name).toSorted()).toEqual(PATCHES);
}, 600_000);

function report(words: string, rows: readonly object[]): void {
  if (process.env['CALLS_REPORT'] === undefined) return;
  const lines = rows.map((row) => JSON.stringify(row));
  process.stderr.write(`${[words, ...lines].join('\n')}\n`);
}
