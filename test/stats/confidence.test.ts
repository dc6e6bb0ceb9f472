/**
 * Confidence that agents named beside what people confirmed: a made-up history of results, assumptions that people
 * confirmed, refused and edited, and numbers that are none.
 */
import { expect, test } from 'vitest';
import { confidenceRows } from '../../src/stats/core/confidence.ts';
import { commandRoom } from '../support/command-room.ts';
import { checkedLines } from '../support/json-lines.ts';
import * as fc from '../support/property.ts';

type Room = ReturnType<typeof commandRoom>;

/** A done task of this agent, with lines of its result below `## Assumptions` and `## Learnings`. */
function done(room: Room, id: string, agent: string, says: Says, more: More = {}): void {
  const { plan = '', at = '2026-11-20T12:00:00Z', place = 'active_tasks/done' } = more;
  const folder = `${place}/${id}`;
  const head = plan === '' ? '' : `plan: ${plan}\n`;
  room.write(`${folder}/contract.md`, `---\nagent: ${agent}\n${head}---\n\n# ${id}\n`);
  room.write(
    `${folder}/attempts/0001/outcome.md`,
    `---\nv: 1\nattempt: 1\nkind: work\noutcome: complete\nreason: r\nat: ${at}\nagent: ${agent}\nadapter: shell\n---\n`,
  );
  const section = (title: string, lines: readonly string[] = []): string =>
    lines.length === 0 ? '' : `\n## ${title}\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
  const text = section('Assumptions', says.assumes) + section('Learnings', says.learns);
  room.write(`${folder}/result.md`, `- Status: COMPLETE\n${text}`);
}
interface Says {
  readonly assumes?: readonly string[];
  readonly learns?: readonly string[];
}
interface More {
  readonly plan?: string;
  readonly at?: string;
  readonly place?: string;
}

/** `place`: `confirmed/`, `rejected/`, or none while it is open. */
function assumed(room: Room, place: string, text: string, source: string, head = ''): void {
  const name = text.toLowerCase().replaceAll(' ', '-');
  room.write(
    `.contracts/assumptions/${place}${name}.md`,
    `---\nv: 1\nkind: assumption\ninformation: ${text}\nsource: [${source}]\n${head}---\n`,
  );
}

function history(): Room {
  const room = commandRoom();
  // Of seven that the builder called 0.8, five held.
  const words = ['Euros', 'Dollars', 'Francs', 'Crowns', 'Pounds', 'Guilders', 'Marks'];
  for (const [i, word] of words.entries()) {
    const text = `Prices are in ${word}`;
    done(room, `b${i}`, 'builder', { assumes: [`${text} (confidence 0.8)`] }, { plan: 'shop' });
    // A number that somebody wrote into the file is not the agent's word.
    const edited = i === 0 ? 'confidence: 0.1\n' : '';
    assumed(room, i < 5 ? 'confirmed/' : 'rejected/', text, `b${i}`, edited);
  }
  // Hostile numbers, and none: all the same.
  const odd = ['5', '-1', 'NaN', '1e9', 'high', '80', 'Infinity', '0x1'];
  for (const [i, number] of odd.entries()) {
    const text = `Ships sail on day ${i} (confidence ${number})`;
    done(room, `o${i}`, '=cmd', { assumes: [text] }, { place: '.contracts/archive' });
    assumed(room, '', `Ships sail on day ${i}`, `o${i}`, `confidence: ${number}\n`);
  }
  // Learnings: one accepted, one called wrong, one that nobody looked at, one that only repeats a person.
  const learning = (name: string, text: string, rest: string): void =>
    room.write(
      `.contracts/memory/pattern/${name}.md`,
      `---\nv: 1\ninformation: ${text}\n${rest}---\n`,
    );
  const says = (text: string, sure: string) => ({ learns: [`[pattern] ${text} (${sure})`] });
  done(room, 'l0', 'builder', says('Forms post JSON', 'confidence 100%'));
  learning('l0', 'Forms post JSON', 'source: [l0, person]\n');
  done(room, 'l1', 'writer', says('Titles have no dots', 'confidence 0.29'));
  learning('l1', 'Titles have no dots', 'source: [l1]\nfeedback: -1\n');
  done(room, 'l2', 'writer', says('Links are short', 'confidence 0'), {
    at: '2026-01-01T00:00:00Z',
  });
  learning('l2', 'Links are short', 'source: [l2, gone]\n');
  done(room, 'l3', 'writer', says('Use Zod', 'confidence 0.9'));
  learning('l3', 'Use Zod', 'source: [person, l3]\n');
  // A person's own work is no word of an agent.
  done(room, 'p0', 'person', { assumes: ['Rain falls (confidence 0.9)'] });
  assumed(room, 'confirmed/', 'Rain falls', 'p0');
  // A decision has no confidence; nor has what a person put into other words.
  room.write(
    '.contracts/assumptions/bank.md',
    '---\nv: 1\nkind: decision\ninformation: Which bank\nsource: [b0]\nconfidence: 0.8\n---\n',
  );
  assumed(room, '', 'Somebody wrote other words', 'b0', 'confidence: 0.8\n');
  return room;
}

const rowsOf = (out: string) =>
  checkedLines(out).map((row) => {
    const { v: _, event: __, ...rest } = row as Record<string, unknown>;
    return rest;
  });

test('a person reads of each agent what it called so sure, and how much of it held', async () => {
  const room = history();
  const { out, code } = await room.said('status', '--stats', '--confidence');
  expect(code).toBe(0);
  expect(out).toBe(
    `
              called  mean  said  confirmed  rejected  undecided  share
total        0.0–0.1  0.00     1          0         0          1    few
             0.2–0.3  0.29     1          0         1          0    few
             0.8–0.9  0.80     7          5         2          0    71%
             0.9–1.0  1.00     1          1         0          0    few
           no number     -     9          0         0          9    few
by agent
  =cmd     no number     -     8          0         0          8    few
  builder    0.8–0.9  0.80     7          5         2          0    71%
             0.9–1.0  1.00     1          1         0          0    few
           no number     -     1          0         0          1    few
  writer     0.0–0.1  0.00     1          0         0          1    few
             0.2–0.3  0.29     1          0         1          0    few

called: what results say of their own assumptions and learnings. mean: of these numbers.
share: confirmed, of those that people confirmed or rejected.
few: people decided fewer than 5. A share of so few is chance.
People decided 9 of 19 statements.
`.slice(1),
  );
});

test('programs get the same, and filters and --csv as of the other figures', async () => {
  const room = history();
  const json = async (...more: string[]) =>
    rowsOf((await room.said('status', '--stats', '--confidence', '--json', ...more)).out);
  const eight = { from: 0.8, to: 0.9, called: 0.8, said: 7, confirmed: 5, rejected: 2 };
  const shop = [
    { by: 'total', name: '', ...eight, undecided: 0, share: 0.714286 },
    { by: 'total', name: '', said: 1, confirmed: 0, rejected: 0, undecided: 1 },
    { by: 'agent', name: 'builder', ...eight, undecided: 0, share: 0.714286 },
    { by: 'agent', name: 'builder', said: 1, confirmed: 0, rejected: 0, undecided: 1 },
  ];
  expect(await json('--plan', 'shop')).toEqual(shop);
  expect((await json('--agent', 'writer')).map(({ by, from }) => [by, from])).toEqual([
    ['total', 0],
    ['total', 0.2],
    ['agent', 0],
    ['agent', 0.2],
  ]);
  expect(await json('--agent', 'writer', '--since', '2026-11-01')).toHaveLength(2);
  expect(await json('--client', 'claude')).toEqual([]);
  const csv = await room.said('status', '--stats', '--confidence', '--csv', '--agent', '=cmd');
  expect(csv.out).toBe(
    "by,name,from,to,called,said,confirmed,rejected,undecided,share\ntotal,,,,,8,0,0,8,\nagent,'=cmd,,,,8,0,0,8,\n",
  );
});

test('without results, without matches and without --stats it says so', async () => {
  const room = commandRoom();
  const said = async (...more: string[]) => await room.said('status', ...more, '--confidence');
  expect((await said('--stats')).out).toBe('No result has said yet what it assumes or teaches.\n');
  expect(await said()).toMatchObject({ code: 2 });
  const { out } = await history().said('status', '--stats', '--confidence', '--agent', 'nobody');
  expect(out).toBe('No result matches. See them all: contracts status --stats --confidence\n');
});

const estimate = fc.record({
  agent: fc.constantFrom('', 'a', 'b', '__proto__'),
  confidence: fc.option(
    fc.oneof(
      fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    { nil: undefined },
  ),
  verdict: fc.constantFrom('confirmed' as const, 'rejected' as const, undefined),
});

test('the rows of the total and of all agents add up, and a number is within its step', () => {
  fc.assert(
    fc.property(fc.array(estimate, { maxLength: 60 }), (all) => {
      const rows = confidenceRows(all);
      for (const by of ['total', 'agent'] as const) {
        const own = rows.filter((row) => row.by === by);
        const sum = (key: 'said' | 'confirmed' | 'rejected' | 'undecided'): number =>
          own.reduce((to, row) => to + row[key], 0);
        expect(sum('said')).toBe(all.length);
        expect(sum('confirmed') + sum('rejected') + sum('undecided')).toBe(all.length);
      }
      for (const { from = 0, to = 1, called = from, share, ...row } of rows) {
        expect(called).toBeGreaterThanOrEqual(from - 1e-6);
        expect(called).toBeLessThanOrEqual(to);
        const decided = row.confirmed + row.rejected;
        expect(share === undefined).toBe(decided < 5);
        if (share !== undefined) expect(share).toBeCloseTo(row.confirmed / decided, 5);
      }
    }),
  );
});
