/**
 * `stats` adds up with the attempt folders: random trees of attempts, written with the runner's own writer of
 * records, are counted a second time by the text of their files alone, without any reader of the project.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { rowsOf, type Row } from '../../src/stats/core/figures.ts';
import { readStats } from '../../src/stats/engine/read-stats.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import {
  REVIEW_OUTCOMES,
  WORK_OUTCOMES,
  type OutcomeName,
} from '../../src/task/core/attempts/record.ts';
import { renderRecord } from '../../src/task/text/documents/record.ts';
import { makeOwner } from '../engine/core/make.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';
import { makeWorld, type World } from '../support/world.ts';
import * as fc from '../support/property.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

const PLACES = [...STATES, 'archived done', 'archived aborted'] as const;
const AGENTS = ['', 'builder', 'reviewer', '=cmd'];
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const attempt = fc.record({
  kind: fc.constantFrom('work' as const, 'review' as const),
  lost: fc.nat(3).map((n) => n === 0),
  /** A recovery: it takes over the lost attempt of the number before. */
  adopts: fc.boolean(),
  agent: fc.constantFrom(...AGENTS),
  adapter: optional(fc.constantFrom('claude', 'shell', 'human')),
  machine: optional(fc.constantFrom('one', 'two')),
  work: optional(fc.constantFrom(...WORK_OUTCOMES, 'complete', 'complete', 'failed')),
  review: optional(fc.constantFrom(...REVIEW_OUTCOMES)),
  is_decision: fc.boolean(),
  seconds: optional(fc.integer({ min: 0, max: 99_999 }).map((tenths) => tenths / 10)),
  input_tokens: optional(fc.nat(1_000_000)),
  output_tokens: optional(fc.nat(100_000)),
  cost_usd: optional(fc.nat(9_999_999).map((micros) => micros / 1e6)),
});
const task = fc.record({
  place: fc.constantFrom(...PLACES, 'done', 'done', 'done'),
  plan: fc.constantFrom('', 'launch', 'later'),
  squad: fc.constantFrom('', 'web'),
  attempts: fc.array(attempt, { maxLength: 6 }),
});

const hasMachine = ({ machine, kind, work, review }: MadeAttempt): boolean =>
  machine !== undefined && (kind === 'work' ? work : review) !== undefined;
type MadeAttempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;
type MadeTask = typeof task extends fc.Arbitrary<infer T> ? T : never;

const folderOf = (place: string, id: string): string =>
  place.startsWith('archived') ? `.contracts/archive/${id}` : `active_tasks/${place}/${id}`;

function writeTask({ place, plan, squad, attempts }: MadeTask, id: string): void {
  const folder = folderOf(place, id);
  const head = [plan && `plan: ${plan}\n`, squad && `squad: ${squad}\n`].join('');
  world.write(`${folder}/contract.md`, `---\ntitle: T\n${head}---\n\n# T\n`);
  const [, archived] = place.split(' ');
  for (const [i, one] of attempts.entries()) {
    const number = i + 1;
    const at = `${folder}/attempts/${String(number).padStart(4, '0')}${one.lost ? '.lost' : ''}`;
    const { kind, agent, adapter, lost, adopts, is_decision } = one;
    const owner = makeOwner(number, { kind, agent, task: id });
    world.write(`${at}/owner.md`, renderRecord({ ...owner }, ''));
    const outcome: OutcomeName | undefined = kind === 'work' ? one.work : one.review;
    if (outcome === undefined) continue;
    const { seconds, input_tokens, output_tokens, cost_usd, machine } = one;
    const taken = adopts && !lost && attempts[i - 1]?.lost === true ? { adopted: i } : {};
    const code = outcome === 'questions' && is_decision ? { code: 'decision' } : {};
    const used = { seconds, input_tokens, output_tokens, cost_usd, adapter, agent, machine };
    const known = Object.entries(used).filter(([, value]) => value !== undefined);
    const fixed = { v: 1, attempt: number, kind, outcome, reason: 'r', at: '2026-11-21T12:00:00Z' };
    const record = { ...fixed, ...code, ...taken, ...Object.fromEntries(known) };
    world.write(`${at}/outcome.md`, renderRecord(record, ''));
    world.write(`${at}/questions.md`, '# Questions\n\n1. Which colour?\n');
    // A recovery looks for the questions where the agent was called.
    const desk = 'adopted' in taken ? `${folder}/attempts/${String(i).padStart(4, '0')}.lost` : at;
    world.write(`${desk}/desk/questions.md`, '# Questions\n\n1. Which colour?\n');
  }
  if (archived === undefined) return;
  const record = { v: 1, task: id, state: archived, attempt: attempts.length, at: '2026-11-22' };
  world.write(`${folder}/archived.md`, renderRecord(record, ''));
}

/** The value behind a key of a record, as text. */
function fieldOf(file: string, key: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const [, value = ''] = new RegExp(`^${key}: (.*)$`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  return value === '' ? undefined : value.replace(/^["'](.*)["']$/, '$1');
}

interface Sum {
  [figure: string]: number;
}

/** By the words of docs/reference/stats.md. The same for the total and for each name: `is` chooses. */
function recount(is: (names: Readonly<Record<string, string>>) => boolean): Sum {
  const sum: Sum = {};
  const add = (figure: string, by = 1): void => {
    sum[figure] = (sum[figure] ?? 0) + by;
  };
  const homes = [...STATES.map((state) => `active_tasks/${state}`), '.contracts/archive'];
  const tasks = homes.flatMap((home) => {
    const at = join(world.root, home);
    return existsSync(at) ? readdirSync(at).map((id) => join(at, id)) : [];
  });
  for (const folder of tasks) recountTask(folder, is, add);
  return sum;
}

function recountTask(
  folder: string,
  is: (names: Readonly<Record<string, string>>) => boolean,
  add: (figure: string, by?: number) => void,
): void {
  const contract = join(folder, 'contract.md');
  const is_done =
    folder.includes('/active_tasks/done/') || fieldOf(`${folder}/archived.md`, 'state') === 'done';
  const below = join(folder, 'attempts');
  const attempts = existsSync(below) ? readdirSync(below).sort() : [];
  const outcomes = attempts.map((name) => fieldOf(`${below}/${name}/outcome.md`, 'outcome'));
  const kinds = attempts.map((name) => fieldOf(`${below}/${name}/owner.md`, 'kind'));
  const counts = attempts.map((name, i) => kinds[i] === 'work' && !name.endsWith('.lost'));
  const tries = outcomes.filter(
    (one, i) =>
      counts[i] &&
      /^(?:complete|blocked|failed|timed_out|stalled|crashed|violated)$/.test(one ?? ''),
  );
  const reported = new Set<string>();
  for (const [i, name] of attempts.entries()) {
    const file = `${below}/${name}/outcome.md`;
    const number = name.replace('.lost', '');
    const source = (fieldOf(file, 'adopted') ?? '').padStart(4, '0').replace('0000', number);
    const isNew = existsSync(file) && !reported.has(source);
    if (existsSync(file)) reported.add(source);
    const names = {
      agent: fieldOf(`${below}/${name}/owner.md`, 'agent') ?? '',
      client: fieldOf(file, 'adapter') ?? '',
      machine: fieldOf(file, 'machine') ?? '',
      plan: fieldOf(contract, 'plan') ?? '',
      squad: fieldOf(contract, 'squad') ?? '',
    };
    if (!is(names)) continue;
    if (i === counts.indexOf(true)) {
      add('tasks');
      if (is_done) add('done');
      if (is_done && tries.join() === 'complete') add('first_pass');
    }
    for (const key of isNew ? ['seconds', 'input_tokens', 'output_tokens', 'cost_usd'] : []) {
      const value = fieldOf(file, key);
      if (value === undefined) continue;
      add(key, Number(value));
      if (key === 'seconds') add('calls');
      if (key === 'cost_usd') add('cost_known');
      if (
        key === 'input_tokens' ||
        (key === 'output_tokens' && fieldOf(file, 'input_tokens') === undefined)
      )
        add('tokens_known');
    }
    if (name.endsWith('.lost')) {
      add('lost');
      continue;
    }
    const outcome = outcomes[i];
    add(kinds[i] === 'work' ? 'work' : 'reviews');
    if (outcome === undefined) add('open');
    if (outcome === 'questions' && fieldOf(file, 'code') !== 'decision') add('questions');
    if (/^(?:failed|timed_out|stalled|crashed|violated)$/.test(outcome ?? '')) add('failures');
    if (/^(?:approved|needs_work|reject|unverified)$/.test(outcome ?? '')) add(outcome ?? '');
  }
}

const NO_FIGURES = new Set(['by', 'name', 'first_pass_rate']);
const figuresOf = (row: Row) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => !NO_FIGURES.has(key))
      .map(([key, value]) => [key, Number(Number(value).toFixed(6))]),
  );

/** What counts nothing is 0, and what nothing reported is not there. */
function asFigures(sum: Sum, like: Row) {
  const keys = Object.keys(figuresOf(like));
  const uses = ['seconds', 'input_tokens', 'output_tokens', 'cost_usd'];
  const all = new Set([...keys, ...uses.filter((key) => sum[key] !== undefined)]);
  return Object.fromEntries([...all].map((key) => [key, Number((sum[key] ?? 0).toFixed(6))]));
}

test('every figure is what the files say, and the rows of each group add up to the total', () => {
  fc.assert(
    fc.property(fc.array(task, { maxLength: 8 }), (tasks) => {
      for (const place of ['active_tasks', '.contracts/archive'])
        rmSync(join(world.root, place), { recursive: true, force: true });
      for (const [i, one] of tasks.entries()) writeTask(one, `t${i}`);
      const { ws } = world.process({ disk: unsyncedDisk });
      const read = readStats(ws);
      expect(read.problems).toEqual([]);
      expect([read.unreadable, read.tasks.length]).toEqual([0, tasks.length]);
      const [total, ...rows] = rowsOf(read.tasks, () => true);
      expect(figuresOf(total)).toEqual(
        asFigures(
          recount(() => true),
          total,
        ),
      );
      expect(total.work + total.reviews + total.lost).toBe(
        tasks.reduce((sum, { attempts }) => sum + attempts.length, 0),
      );
      for (const row of rows) {
        const own = recount((names) => names[row.by] === row.name);
        expect(figuresOf(row), `${row.by} ${row.name}`).toEqual(asFigures(own, row));
      }
      for (const by of ['agent', 'client', 'machine', 'squad', 'plan']) {
        const own = rows.filter((row) => row.by === by);
        if (by === 'machine') {
          expect(own.length > 0).toBe(tasks.some(({ attempts }) => attempts.some(hasMachine)));
          if (own.length === 0) continue;
        }
        for (const [key, value] of Object.entries(figuresOf(total))) {
          const sum = own.reduce((so_far, row) => so_far + (figuresOf(row)[key] ?? 0), 0);
          expect(sum, `${by}: ${key}`).toBeCloseTo(value, 5);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('what is asked for by agent, plan and client is the same as counting those alone', () => {
  fc.assert(
    fc.property(
      fc.array(task, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...AGENTS),
      (tasks, agent) => {
        for (const place of ['active_tasks', '.contracts/archive'])
          rmSync(join(world.root, place), { recursive: true, force: true });
        for (const [i, one] of tasks.entries()) writeTask(one, `t${i}`);
        const { ws } = world.process({ disk: unsyncedDisk });
        const [total] = rowsOf(
          readStats(ws).tasks,
          (one) => one.agent === agent && one.plan === 'launch',
        );
        const own = recount((names) => names['agent'] === agent && names['plan'] === 'launch');
        expect(figuresOf(total)).toEqual(asFigures(own, total));
      },
    ),
    { numRuns: 20 },
  );
});
