/** Ids, durations, gates, limits, problems: the small rules, as tables. */
import { describe, expect, test } from 'vitest';
import { checkName, type Check } from '../../../src/task/core/model/contract.ts';
import { gatesOf } from '../../../src/task/core/model/policy.ts';
import { contractHeadSchema } from '../../../src/task/core/model/contract-shape.ts';
import { parseContractHead } from '../../../src/task/core/model/parse-head.ts';
import { durationMs } from '../../../src/task/core/base/duration.ts';
import {
  isTaskId,
  shortNames,
  slugOf,
  stemOf,
  suffix,
  suffixOfHash,
  wordsOf,
} from '../../../src/task/core/model/id.ts';
import {
  configSchema,
  DEFAULT_CONFIG,
  gatesByContract,
  limitsFor,
} from '../../../src/task/core/model/policy.ts';
import {
  assert,
  formatProblem,
  problem,
  unreachable,
} from '../../../src/task/core/model/problem.ts';
import { BEYOND, noticedIn } from '../../../src/task/core/attempts/noticed.ts';
import { attemptName, type Attempt } from '../../../src/task/core/attempts/record.ts';
import { EVENT_VERSION, type Event } from '../../../src/task/core/lines/event.ts';
import { makeAttempt, makeContract } from './make.ts';
import * as fc from '../../support/property.ts';

describe('ids', () => {
  const good = ['a', '0', 'a-b_c', 'build_20261121_login-endpoint_k3f9', 'a'.repeat(64), 'console'];
  const bad = [
    '',
    '-x',
    '_x',
    'A',
    'a.b',
    'a b',
    'a/b',
    '../a',
    '.desk',
    'a'.repeat(65),
    'con',
    'nul',
    'com1',
    'lpt9',
    'constructor',
    'prototype',
    '__proto__',
    'tostring',
    'ä',
    'а', // Cyrillic
    'a\u202e',
    'a\n',
    'a\0',
  ];
  test.each(good)('%j is one', (text) => expect(isTaskId(text)).toBe(true));
  test.each(bad)('%j is none', (text) => expect(isTaskId(text)).toBe(false));

  const slugs: readonly [string, string][] = [
    ['Say hello', 'say-hello'],
    ['Éclair & Über', 'eclair-uber'],
    ['  --  ', 'task'],
    ['日本語', 'task'],
    ['a'.repeat(50), 'a'.repeat(32)],
    [`${'word '.repeat(20)}`, 'word-word-word-word-word-word'],
    ['../../etc/passwd', 'etc-passwd'],
    ['--version', 'version'],
  ];
  test.each(slugs)('of %j is %s', (title, slug) => expect(slugOf(title)).toBe(slug));

  test.each([
    ['Build the checkout', 'build-the-checkout'],
    [
      'Write the terms of use and the privacy policy of the shop',
      'write-the-terms-of-use-and-the-privacy',
    ],
    ['日本語', ''],
    ['日本語 API', 'api'],
    ['x'.repeat(300), 'x'.repeat(40)],
  ])('the words of %j in an id are %j', (title, words) => expect(wordsOf(title)).toBe(words));

  const draws = fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 4, maxLength: 4 });
  const ends = fc.oneof(
    draws.map((all) => suffix(() => all.shift() ?? 0)),
    fc.stringMatching(/^[0-9a-f]{8}$/).map(suffixOfHash),
  );

  test('the end of an id has a letter and a digit, and leaves the words', () => {
    fc.assert(
      fc.property(fc.string(), ends, (title, end) => {
        const words = wordsOf(title) || 'task-1';
        expect(end).toMatch(/^-(?=.*[a-z])(?=.*[0-9])[0-9a-z]{4}$/);
        expect(isTaskId(`${words}${end}`)).toBe(true);
        expect(stemOf(`${words}${end}`)).toBe(words);
      }),
    );
  });

  test.each([
    ['build-the-checkout-k3f9', 'build-the-checkout'],
    ['task_20261122_build-the-checkout_nmkp', 'build-the-checkout'],
    ['feature_spec_20261122_api_aaaa', 'api'],
    ['fix-issue-2024', 'fix-issue-2024'],
    ['write-docs', 'write-docs'],
    ['launch_page_k3f9', 'launch_page_k3f9'],
  ])('%s without its end is %s', (id, stem) => expect(stemOf(id)).toBe(stem));

  test('short names differ, and only one that means no other id is short', () => {
    const ids = ['a-k3f9', 'b-k3f9', 'b-m2vc', 'c-k3f9', 'c', 'task_20261122_d_nmkp', 'e-2024'];
    expect([...shortNames(ids).values()]).toEqual([
      'a',
      'b-k3f9',
      'b-m2vc',
      'c-k3f9',
      'c',
      'd',
      'e-2024',
    ]);
  });
});

describe('durations', () => {
  const table: readonly [string, number | undefined][] = [
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
    ['168h', 604_800_000],
    ['169h', undefined],
    ['0s', undefined],
    ['', undefined],
    ['10', undefined],
    ['1.5h', undefined],
    ['-1s', undefined],
    ['10 m', undefined],
    ['10m\n', undefined],
    ['1d', undefined],
    ['9999999999ms', undefined],
    ['1e3s', undefined],
  ];
  test.each(table)('%j', (text, ms) => expect(durationMs(text)).toBe(ms));
});

describe('gatesOf', () => {
  const run: Check = { kind: 'run', command: 'true' };
  type Input = Parameters<typeof makeContract>[0];
  const table: readonly [string, Input, readonly string[], string?][] = [
    ['the gates that it names', { head: { quality_gate: ['po', 'qa'] } }, ['po', 'qa']],
    ['a person, when it asks for no check at all', {}, ['person']],
    [
      'a person, when only the agent’s own list is checked',
      { checks: [{ kind: 'checklist' }] },
      ['person'],
    ],
    ['nobody, when a command is run', { checks: [run] }, []],
    ['nobody, when a file must be there', { head: { deliverables: ['x'] } }, []],
    [
      'the gate it names also with checks',
      { head: { quality_gate: ['po'] }, checks: [run] },
      ['po'],
    ],
    ['the reviewer of its category, where it names none', {}, ['critic'], 'critic'],
    ['that reviewer also with checks', { checks: [run] }, ['critic'], 'critic'],
    ['the gate it names before that', { head: { quality_gate: ['po'] } }, ['po'], 'critic'],
  ];
  test.each(table)('%s', (_name, input, gates, routed) => {
    expect(gatesOf(makeContract(input), routed)).toEqual(gates);
  });

  test('by the configuration, for contracts of that category alone', () => {
    const config = configSchema().parse({ categories: { prose: { reviewer: 'critic' } } });
    const of = (category: string) =>
      gatesByContract(makeContract({ head: { category }, checks: [run] }), config);
    expect(of('prose')).toEqual(['critic']);
    expect(of('toString')).toEqual([]);
    expect(of('other')).toEqual([]);
  });

  test('a person, too, after work of any attempt that went beyond the globs of its agent', () => {
    const noticed = ['write a.ts: the contract lets it write b.md', `delete c${BEYOND}`];
    const [beyond, plain] = [noticed, noticed.slice(0, 1)].map((lines, i) =>
      makeAttempt(i + 1, { outcome: 'complete', record: { noticed: lines } }),
    );
    const of = (quality_gate: readonly string[], attempts: readonly (Attempt | undefined)[]) => {
      const contract = makeContract({ head: { quality_gate: [...quality_gate] }, checks: [run] });
      return gatesByContract(
        contract,
        DEFAULT_CONFIG,
        attempts.filter((one) => one !== undefined),
      );
    };
    expect(of([], [beyond, plain])).toEqual(['person']);
    expect(of(['qa'], [beyond])).toEqual(['qa', 'person']);
    expect(of(['person', 'qa'], [beyond])).toEqual(['person', 'qa']);
    expect(of(['qa'], [plain])).toEqual(['qa']);
    expect(of(['qa'], [beyond && { ...beyond, lost: true }])).toEqual(['qa']);
    expect(noticedIn([beyond!, plain!])).toEqual([noticed[1], noticed[0]]);
  });
});

describe('limits', () => {
  const config = configSchema().parse({ retries_max: 7, timeout: '1m', reviews_max: 0 });
  const agent = { retries_max: 5, questions_max: 4, stall: '2m' };
  const head = { retries_max: 0, timeout: '5s' };

  test('are the defaults of the design when nobody says', () => {
    expect(limitsFor(undefined, undefined, DEFAULT_CONFIG)).toEqual({
      retries_max: 3,
      questions_max: 3,
      reviews_max: 2,
      timeout_ms: 600_000,
      stall_ms: 600_000,
    });
  });

  test('the nearest wins, key by key, also when it is zero', () => {
    expect(limitsFor(makeContract({ head }), agent, config)).toEqual({
      retries_max: 0,
      questions_max: 4,
      reviews_max: 0,
      timeout_ms: 5000,
      stall_ms: 120_000,
    });
    expect(limitsFor(makeContract(), agent, config).retries_max).toBe(5);
    expect(limitsFor(makeContract(), undefined, config).retries_max).toBe(7);
  });

  const bad: readonly unknown[] = [
    { retries_max: -1 },
    { retries_max: 101 },
    { retries_max: 1.5 },
    { retries_max: '3' },
    { parallel: 0 },
    { timeout: '1 minute' },
    { unknown: 1 },
    { on_state: [] },
    { adapters: { mine: { env: ['A=B'] } } },
  ];
  test.each(bad)('%j is refused in a configuration', (value) => {
    expect(configSchema().safeParse(value).success).toBe(false);
  });
});

describe('a contract’s head', () => {
  test('an entry without the dash is a list of one', () => {
    const head = contractHeadSchema().parse({
      depends_on: 'b',
      quality_gate: 'person',
      verify: 'checklist',
    });
    expect([head.depends_on, head.quality_gate, head.verify]).toEqual([
      ['b'],
      ['person'],
      ['checklist'],
    ]);
  });

  const bad: readonly unknown[] = [
    { v: 2 },
    { type: 'epic' },
    { priority: 1 },
    { depends_on: [1] },
    { depends_on: {} },
    { verify: [{ run: 'a', file_exists: 'b' }] },
    { timeout: 10 },
    { retries_max: null },
    { rerun: 'never' },
  ];
  test.each(bad)('%j is refused', (value) => {
    expect(contractHeadSchema().safeParse(value).success).toBe(false);
  });

  test('every kind of check has a name of its own', () => {
    const checks: readonly Check[] = [
      { kind: 'run', command: 'x' },
      { kind: 'file_exists', path: 'x' },
      { kind: 'checklist' },
      { kind: 'matches', path: 'x', pattern: 'y' },
      { kind: 'template', path: 'x', headings: 'y' },
      { kind: 'named', name: 'x' },
    ];
    expect(new Set(checks.map(checkName)).size).toBe(checks.length);
  });
});

describe('problems', () => {
  test('read as editors read them, with facts and the cure', () => {
    const made = problem({
      code: 'bad_value',
      file: 'a/contract.md',
      line: 3,
      message: 'this is wrong',
      found: '1',
      expected: '2',
      fix: 'Write 2',
    });
    expect(formatProblem(made)).toBe(
      'a/contract.md:3:1: error: this is wrong (found 1, expected 2). Write 2',
    );
    const bare = problem({ code: 'yaml', severity: 'warning', file: 'f', message: 'm', fix: 'x' });
    expect(formatProblem(bare)).toBe('f: warning: m. x');
  });

  test('a bug of ours says that it is one', () => {
    expect(() => assert(false, 'x')).toThrow('bug: x');
    expect(() => assert(true, 'x')).not.toThrow();
    expect(() => unreachable('x' as never)).toThrow('bug: unexpected "x"');
  });
});

describe('records and events', () => {
  test('an attempt’s folder has four digits, and more when it needs them', () => {
    expect([1, 42, 9999, 12345].map(attemptName)).toEqual(['0001', '0042', '9999', '12345']);
  });

  test('an event is one line of JSON and comes back as it was', () => {
    const event: Event = {
      event: 'waits',
      task: 'a',
      state: 'questions',
      code: 'questions',
      on: 'person',
      reason: 'a\nb "c" \u2028',
      fix: 'contracts answer a',
    };
    const line = JSON.stringify({ v: EVENT_VERSION, ...event });
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({ v: 1, ...event });
  });
});

test('the defaults that are written out are those of the shapes', () => {
  expect(configSchema().parse({})).toEqual(DEFAULT_CONFIG);
  const parsed = parseContractHead({});
  expect(parsed.success && parsed.data).toEqual(contractHeadSchema().parse({}));
});
