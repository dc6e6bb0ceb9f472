/** Rows on the head of a contract: code, prototypes, half-saved files, YAML traps, bytes. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { readBoard } from '../../src/engine/board/board.ts';
import { step } from '../../src/engine/step/step.ts';
import { expectRefused, makeHouse, mark, shellContract, type Expected } from './house.ts';
import { openedAt } from '../support/opened.ts';

const require = createRequire(import.meta.url);
const matter = require('gray-matter') as (text: string) => { data: Record<string, unknown> };
const whole = shellContract('bad');

async function refusesContract(contract: string | Uint8Array, expected: Expected): Promise<void> {
  const house = makeHouse();
  house.task('bad', '');
  house.write('active_tasks/ready/bad/contract.md', contract);
  await expectRefused(house, 'bad', expected);
  expect(house.exists('ran.txt')).toBe(false);
}

describe('front matter `---js`, `--- js`, `---JS`, `---javascript`, with a BOM, with `language: yaml`', () => {
  const fences = [
    '---js',
    '--- js',
    '---JS',
    '---javascript',
    '\uFEFF---js',
    '---coffee',
    '---json',
  ];
  const code = `{ title: (require('node:fs').writeFileSync('ran.txt', ''), 'x') }`;
  test.each(fences)('%j is refused and nothing runs', async (fence) => {
    await refusesContract(`${fence}\n${code}\n---\n${whole}`, {
      code: 'front_matter',
      says: 'the first line must be exactly ---',
      line: 1,
    });
  });

  test('the naive reading runs the code', () => {
    const seen = globalThis as { hostile?: number };
    matter('---js\n{ title: (globalThis.hostile = 1, "x") }\n---\n');
    expect(seen.hostile).toBe(1);
    delete seen.hostile;
  });

  test('a key `language: yaml` changes nothing', async () => {
    const house = makeHouse();
    house.task('bad', whole.replace('v: 1\n', 'v: 1\nlanguage: javascript\n'));
    const { code } = await house.events('run');
    expect(code).toBe(0);
    expect(house.where('bad')).toEqual(['done']);
    expect((await house.run('check')).code).toBe(0);
  });
});

describe('`---constructor`, `---toString`', () => {
  test.each(['---constructor', '---toString', '---__proto__', '---valueOf'])(
    '%s',
    async (fence) => {
      const says = 'the first line must be exactly ---';
      await refusesContract(`${fence}\ntitle: x\n${whole.slice(4)}`, {
        code: 'front_matter',
        says,
      });
    },
  );
});

describe('the same bad YAML read twice', () => {
  const bad = whole.replace('title: Make bad', 'title: [unclosed');
  test('is refused both times, in one run and in the next', async () => {
    const house = makeHouse();
    house.task('bad', bad);
    house.task('bad-too', bad);
    await expectRefused(house, 'bad', { code: 'yaml', says: /a bracket is not closed/ });
    await expectRefused(house, 'bad-too', { code: 'yaml', says: /a bracket is not closed/ });
  });

  test('the naive reading gives {} at the second time', () => {
    const text = '---\ntitle: [unclosed, again\n---\n';
    expect(() => matter(text)).toThrow();
    expect(matter(text).data).toEqual({});
  });
});

describe('half-saved file (any prefix)', () => {
  const full = shellContract('half', {
    head: 'retries_max: 12\ntimeout: 90s\nquality_gate: [person]\nquestions_max: 15\nwrite: ["*.txt"]',
  });
  const bodyStart = full.indexOf('---\n', 4) + 3;

  test('no prefix is claimed before its front matter is closed, none has weaker limits', async () => {
    const house = makeHouse({ neighbour: false });
    for (let length = 0; length < full.length; length++) {
      house.task(`p-${length}`, full.slice(0, length));
    }
    const ws = openedAt(house.root);
    const before = mark(house.path('active_tasks'));
    const report = await step(ws, { dry_run: true, parallel: 64 });
    const claimed = report.plan.filter(({ action }) => action.kind === 'claim');
    const lengths = claimed.map(({ id }) => Number(id.slice(2)));
    expect(lengths.every((length) => length >= bodyStart)).toBe(true);
    // The longest prefix lacks no more than the last line end.
    expect(lengths).toContain(full.length - 1);
    const { tasks } = readBoard(ws);
    for (const [id, { contract }] of tasks) {
      if (!contract.ok) continue;
      expect(Number(id.slice(2))).toBeGreaterThanOrEqual(bodyStart);
      expect(contract.value.head).toMatchObject({
        retries_max: 12,
        questions_max: 15,
        timeout: '90s',
        quality_gate: ['person'],
        write: ['*.txt'],
      });
    }
    expect(mark(house.path('active_tasks'))).toEqual(before);
  });

  test('one that was claimed with half a body is stale once its editor has saved the rest: a person is asked', async () => {
    const house = makeHouse();
    const half = full.slice(0, full.indexOf('## Steps'));
    // The contract saves the rest of itself, as an editor would while the agent works.
    const steps =
      '\n## Steps\n\n```sh\ncat rest >> active_tasks/in_progress/half/contract.md\n```\n';
    house.task('half', half.replace('quality_gate: [person]\n', '') + steps);
    house.write('rest', '\nMore to do.\n');
    const { events } = await house.events('step', '--only', 'half');
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ended', task: 'half', outcome: 'stale' }),
    );
    // Nothing kept its agent from writing it, so nobody knows whose the rest is.
    expect(house.where('half')).toEqual(['questions']);
  });
});

describe('`0123`, `190:20:30`, dates, `yes`', () => {
  test.each(['0123', '190:20:30', 'yes', '2026-01-01'])(
    'title: %s stays those characters or is refused',
    async (text) => {
      const house = makeHouse();
      house.task(
        'plain',
        whole.replaceAll('bad', 'plain').replace('title: Make plain', `title: ${text}`),
      );
      const { events, code } = await house.events('list');
      const listed = events.find((one) => (one as unknown as { id?: string }).id === 'plain');
      const { title, reason } = listed as unknown as { title: string; reason: string };
      if (title === '') expect(reason).toContain('title has the wrong type');
      else expect(title).toBe(text);
      expect(code).toBe(0);
    },
  );
  test('`0123` is no number of retries: 83 in YAML 1.1', async () => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: 'retries_max: "0123"' }));
    await expectRefused(house, 'bad', { code: 'wrong_type', says: 'retries_max', line: 7 });
  });
});

describe('alias bomb, nesting, merge keys', () => {
  const bomb = ['a: &a [x, x]', 'b: &b [*a, *a]', 'c: &c [*b, *b]'].join('\n');
  test.each([
    ['aliases', bomb, /anchor/],
    ['merge keys', '<<: { retries_max: 100 }', /<</],
    ['nesting', `a: ${'['.repeat(60)}${']'.repeat(60)}`, /nested/],
    ['nodes', `a: [${'x, '.repeat(6000)}x]`, /5000 nodes/],
  ])('%s', async (_name, head, says) => {
    await refusesContract(shellContract('bad', { head }), { code: 'yaml', says });
  });
});

describe('`__proto__`, `constructor` keys or ids', () => {
  test.each(['__proto__: { isAdmin: true }', 'constructor: x', 'prototype: x'])(
    'key %s',
    async (head) => {
      await refusesContract(shellContract('bad', { head }), {
        code: 'yaml',
        says: 'is not allowed',
      });
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    },
  );
  test.each(['__proto__', 'constructor', 'prototype', 'tostring'])('folder %s', async (id) => {
    const house = makeHouse();
    const folder = house.task(id, whole);
    const before = mark(house.path(folder));
    const { events } = await house.events('run');
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'problem',
        problem: expect.objectContaining({ code: 'bad_id', file: folder }),
      }),
    );
    expect(mark(house.path(folder))).toEqual(before);
    expect(house.where('good')).toEqual(['done']);
  });
  test.each(['constructor', '__proto__', 'toString'])(
    'adapter and agent %s are unknown',
    async (name) => {
      const house = makeHouse();
      house.task('bad', shellContract('bad', { head: `agent: ${name}\nadapter: ${name}` }));
      await expectRefused(house, 'bad', {
        code: 'unknown_agent',
        says: 'this agent does not exist',
        line: 7,
      });
    },
  );
  test('the naive reading gives everybody the key', () => {
    const naive: Record<string, unknown> = {};
    const merge = (into: Record<string, unknown>, from: Record<string, unknown>): void => {
      for (const key of Object.keys(from)) {
        const [a, b] = [into[key], from[key]];
        if (typeof a === 'object' && typeof b === 'object') merge(a as never, b as never);
        else into[key] = b;
      }
    };
    merge(naive, JSON.parse('{"__proto__": {"isAdmin": true}}') as Record<string, unknown>);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBe(true);
    delete (Object.prototype as { isAdmin?: boolean }).isAdmin;
  });
});

describe('non-UTF-8, UTF-16, NUL', () => {
  test.each([
    ['Latin-1', Buffer.from(whole.replace('Make it.', 'Fait à la main.'), 'latin1'), 'UTF-8'],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le'), 'UTF-16'],
    ['NUL', Buffer.from(whole.replace('Make it.', 'Make\0it.')), 'NUL'],
  ])('%s is refused and never rewritten', async (_name, bytes, says) => {
    await refusesContract(bytes, { code: 'encoding', says });
  });
});

describe('BOM, CRLF, mixed ends, very long lines', () => {
  test.each([
    ['BOM', `\uFEFF${whole}`],
    ['CRLF', whole.replaceAll('\n', '\r\n')],
    ['mixed ends', whole.replace('Make it.\n', 'Make it.\r\n')],
    ['a long line', whole.replace('Make it.', 'x'.repeat(100_000))],
  ])('%s goes to done, byte for byte', async (_name, text) => {
    const house = makeHouse();
    house.task('bad', text);
    const { code } = await house.events('run');
    expect(code).toBe(0);
    expect(house.read('active_tasks/done/bad/contract.md')).toBe(text);
  });
  test('a bare CR is refused', async () => {
    await refusesContract(whole.replaceAll('\n', '\r'), {
      code: 'encoding',
      says: 'carriage return',
    });
  });
});
