/** The text of the ledger: its form, that it is short for any tree, and that no text of a task is obeyed. */
import { describe, expect, test } from 'vitest';
import { MARK } from '../../src/ledger/core/mark.ts';
import { renderLedger, type LedgerFacts } from '../../src/ledger/text/render-ledger.ts';
import { LIVE_STATES, STATES } from '../../src/task/core/model/state.ts';
import { LEDGER_PLACES } from '../../src/workspace/tasks/ledger-part.ts';
import * as fc from '../support/property.ts';

const NONE: LedgerFacts = { counts: [], parts: [], graph: { nodes: [], edges: [] } };

const bodyOf = (facts: Partial<LedgerFacts>): string =>
  renderLedger({ ...NONE, ...facts }).slice(MARK.length);
/** What the section has, without its title. */
const sectionOf = (text: string, title: string): string =>
  new RegExp(`^## ${title}.*\n\n([\\s\\S]*?)(?=\n## |$(?![\\s\\S]))`, 'm').exec(text)?.[1] ?? '';

describe('what it says', () => {
  test('counts by state, and how many of what is wanted are done', () => {
    const counts = STATES.map((state, i) => ({ state, tasks: i % 2 === 0 ? i : 0 }));
    expect(sectionOf(bodyOf({ counts }), 'Meta')).toBe(
      '- Tasks: 2 in progress, 4 review, 6 done\n- Done: 6 of 12\n',
    );
  });

  test('sections in their order, whatever capability gives them; none without entries', () => {
    const places = Object.keys(LEDGER_PLACES).toReversed();
    const parts = places.map((place) => ({ sections: { [place]: [`of ${place}`] } }));
    const text = bodyOf({ parts: [...parts, { sections: { goal: ['more'], handoff: [] } }] });
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Meta',
      ...Object.values(LEDGER_PLACES),
    ]);
    expect(sectionOf(text, 'Goal')).toBe('- of goal\n- more\n');
    expect(bodyOf({ parts: [{ sections: { goal: [] } }] })).not.toContain('## Goal');
  });

  test('epics with their tasks; of many those that ended are left out first', () => {
    const of = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        id: `t${i}`,
        title: `Task | ${i}`,
        agent: 'builder',
        state:
          i < 3 ? ('done' as const) : i === 3 ? ('unknown' as const) : ('in_progress' as const),
      }));
    const short = bodyOf({ parts: [{ epics: [{ id: 'shop', title: 'A shop', tasks: of(5) }] }] });
    expect(sectionOf(short, 'Epic shop: A shop \\(3 of 5 done\\)')).toBe(
      [
        '| Task | Title | Agent | State |',
        '| --- | --- | --- | --- |',
        '| t0 | Task \\| 0 | builder | done |',
        '| t1 | Task \\| 1 | builder | done |',
        '| t2 | Task \\| 2 | builder | done |',
        '| t3 | Task \\| 3 | builder | not made yet |',
        '| t4 | Task \\| 4 | builder | in progress |',
        '',
      ].join('\n'),
    );
    const long = bodyOf({ parts: [{ epics: [{ id: 'shop', title: 'A shop', tasks: of(25) }] }] });
    const rows = sectionOf(long, 'Epic shop').trim().split('\n').slice(2);
    expect(rows).toHaveLength(21);
    expect(rows[0]).toContain('| t3 |');
    expect(rows.at(-1)).toBe('| … and 5 more |');
  });

  test('the last five archived epics, the newest first', () => {
    const archived = ['01', '07', '03', '05', '02', '06'].map((day) => ({
      id: `plan-${day}`,
      title: 'T',
      outcome: 'done',
      date: `2026-11-${day}`,
    }));
    const rows = sectionOf(bodyOf({ parts: [{ archived }] }), 'Archive')
      .trim()
      .split('\n')
      .slice(2);
    expect(rows.map((row) => row.slice(-13, -2))).toEqual(
      ['07', '06', '05', '03', '02'].map((day) => ` 2026-11-${day}`),
    );
  });
});

const HOSTILE = [
  'a\nb',
  '--> <!-- x --> <script>alert(1)</script>',
  '| a | b |',
  '```\n# x',
  '# heading',
  '- [ ] box',
  '1. one',
  '[x](javascript:y) ![z](w)',
  '\u202egnp.exe \x1b[2J \u2028 \0',
  '*b* _i_ ~s~ `c` &amp; \\',
  '%%{init: {}}%% end; click t0 href "x"',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 200 }));
const id = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,20}$/);
const list = <T>(one: fc.Arbitrary<T>, max: number): fc.Arbitrary<T[]> =>
  fc.array(one, { maxLength: max });
const task = fc.record({ id, title: text, agent: text, state: fc.constantFrom(...STATES) });
const part = fc.record({
  epics: list(fc.record({ id, title: text, tasks: list(task, 25) }), 25),
  archived: list(fc.record({ id, title: text, outcome: text, date: text }), 9),
  sections: fc.record({
    goal: list(text, 25),
    workers: list(text, 25),
    decisions: list(text, 25),
    assumptions: list(text, 25),
    questions: list(text, 25),
    patterns: list(text, 25),
    anti_patterns: list(text, 25),
    handoff: list(text, 25),
  }),
});
const node = fc.record({ id, title: text, state: fc.constantFrom(...LIVE_STATES) });
const facts = fc
  .record({
    counts: fc.constant(STATES.map((state, i) => ({ state, tasks: i * 1000 }))),
    parts: list(part, 3),
    nodes: fc.uniqueArray(node, { maxLength: 50, selector: (one) => one.id, size: 'max' }),
    dense: fc.boolean(),
  })
  .map(({ nodes, dense, ...rest }): LedgerFacts => {
    const pairs = nodes.flatMap(({ id: from }) => nodes.map(({ id: to }) => ({ from, to })));
    const edges = pairs
      .filter((_, i) => dense || i % 7 === 0)
      .map((one) => ({ ...one, on_cycle: false }));
    return { ...rest, graph: { nodes, edges } };
  });

/** Each line that may be there. */
const LINE =
  /^(?:|# Ledger|## .*|- .*|\|.*\||… and \d+ more epics|```(?:mermaid)?|flowchart LR| {2}t\d+\["[a-z0-9_-]+(?:<br\/>(?:[\w-]|[\p{L}\p{M}\p{N} ]|#\d+;)*)+"\]:::\w+| {2}t\d+ --> t\d+| {2}classDef \w+ [\w#:,-]+)$/u;

describe('for any tree', () => {
  test('it is shorter than 200 lines, and the same facts give the same bytes', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const is = renderLedger(given);
        expect(is.startsWith(MARK)).toBe(true);
        expect(is.split('\n').length - 1).toBeLessThan(200);
        expect(is).toMatch(/[^\n]\n$/);
        expect(renderLedger(structuredClone(given))).toBe(is);
      }),
      { numRuns: 60 },
    );
  });

  test('the largest one is shown whole, with what was left out', () => {
    const many = Array.from({ length: 60 }, (_, i) => `n${i}`);
    const nodes = many
      .slice(0, 50)
      .map((one) => ({ id: one, title: one, state: 'ready' as const }));
    const tasks = many.map((one) => ({ id: one, title: one, agent: 'a', state: 'ready' as const }));
    const edges = nodes.flatMap(({ id: from }) =>
      nodes.map(({ id: to }) => ({ from, to, on_cycle: false })),
    );
    const sections = Object.fromEntries(Object.keys(LEDGER_PLACES).map((place) => [place, many]));
    const archived = many.map((one) => ({ id: one, title: one, outcome: 'done', date: '' }));
    const epics = many.map((one) => ({ id: one, title: one, tasks }));
    const counts = [{ state: 'ready', tasks: 60 }];
    const is = renderLedger({
      counts,
      graph: { nodes, edges },
      parts: [{ sections, archived, epics }],
    });
    const lines = is.split('\n');
    expect(lines.length - 1).toBeLessThan(200);
    expect(lines.length).toBeGreaterThan(150);
    for (const title of [...Object.values(LEDGER_PLACES), 'Archive'])
      expect(is).toContain(`## ${title}`);
    expect(is).toContain('… and 57 more epics');
    expect(sectionOf(is, 'Archive').trim().split('\n')).toHaveLength(2 + 5);
    expect(is.match(/^- … and 57 more$/gm)).toHaveLength(Object.keys(LEDGER_PLACES).length);
    expect(is).toContain('## Graph (50 of 60 live tasks)');
    expect(is.match(/^ {2}t\d+\[/gm)).toHaveLength(50);
  });

  test('no text of a task adds a line, a comment, HTML, a cell, or what a terminal obeys', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const body = bodyOf(given);
        expect(body).not.toMatch(/<!--|-->(?! t\d+$)/m);
        expect(body).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        for (const line of body.split('\n')) {
          expect(line).toMatch(LINE);
          if (line.startsWith('|')) {
            const cells = line.split(/(?<!\\)(?:\\\\)*\|/).length - 2;
            expect([1, 4]).toContain(cells);
          }
          if (/^[-#|]/.test(line)) expect(line).not.toMatch(/[<>]|(?<!\\)(?:\\\\)*[`[\]*]/);
        }
        expect(body.match(/^```/gm) ?? []).toHaveLength(given.graph.nodes.length > 0 ? 2 : 0);
      }),
      { numRuns: 60 },
    );
  });
});
