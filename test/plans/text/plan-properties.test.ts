/** What holds for any plan: it is read or refused, no box is lost, and a mark changes one character. */
import { describe, expect, it } from 'vitest';
import {
  BOX_MARKS,
  BOX_MEANINGS,
  type PlanDocument,
} from '../../../src/plans/core/plan-document.ts';
import { markBoxes } from '../../../src/plans/text/boxes.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';
import * as fc from '../../support/property.ts';
import { LONG_BYTES } from '../../support/share.ts';

function planOf(text: string): PlanDocument {
  const read = parsePlan(text, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

/** What plans are made of, and what breaks readers. */
const fragment = fc.constantFrom(
  ...'- |* |+ |1. |12) |[ ] |[x] |[~] |[-]|[]|[?] |[|]|(|)|[x](y)|`|"|**|__|~~|*|_|\\|# |> '.split(
    '|',
  ),
  ...'executor: @x|verify: |, |; |id: a|wave: 2|(squad: s)|**Executor**: @x|**Files**:'.split('|'),
  ...'**Acceptance Criteria**:|Squad: s|Checkpoint: auto|## Wave 1|**Wave 2**|---'.split('|'),
  ...'```|~~~|<!--|-->|<div>|word|Title|__proto__|constructor|0|src/a.ts|-|none|  |\t|    | '.split(
    '|',
  ),
  ...'\n|\n|\n|\n|\n|\n|\n\n|\r\n|\r|\uFEFF|🔥|\ud800|é'.split('|'),
);
const anyWords = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join('')),
);
/** By chance it has hardly ever a box. */
const anyText = fc.oneof(
  anyWords,
  fc.tuple(anyWords, anyWords).map((around) => around.join('\n- [ ] it\n')),
);

interface Node {
  readonly bullet: string;
  readonly mark: string | undefined;
  readonly title: string;
  readonly tail: string;
  readonly below: readonly string[];
  readonly nested: readonly Node[];
}

const bullet = fc.constantFrom('-', '*', '+', '1.', '7)');
const mark = fc.constantFrom(' ', 'x', 'X', '~', '-', '?');
const title = fc.constantFrom(
  'Write',
  '**Write** it',
  '2.1 Draw',
  '`code` [link](u)',
  'é 🔥',
  'Write',
);
const tail = fc.constantFrom('', '', ' (executor: @x)', ' (verify: y, id: k)', ' (see: z)', ' (');
const below = fc.array(
  fc.constantFrom(
    'words',
    '',
    '**Executor**: @y',
    '**Files**:',
    '```\n- [ ] hidden\n```',
    '> - [ ] hidden',
    '<!-- - [ ] hidden -->',
    '**What to do**:',
  ),
  { maxLength: 3 },
);
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    bullet,
    mark: fc.option(mark, { nil: undefined, freq: 6 }),
    title,
    tail,
    below,
    nested: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constant([]),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
  }),
}));
const between = fc.constantFrom(
  '',
  '\n',
  '## Tasks\n',
  '## Wave 2\n',
  '\n---\n',
  '**Wave 3**\n',
  'And then:\n\n',
);

/** As an author writes it: nested lines stand below the words of their bullet. */
function written(nodes: readonly Node[], indent: string, step: string): string[] {
  return nodes.flatMap(({ bullet, mark, title, tail, below, nested }) => {
    const own = step === '\t' ? `${indent}\t` : indent + ' '.repeat(bullet.length + 1);
    const box = mark === undefined ? '' : `[${mark}] `;
    const lines = below
      .flatMap((text) => text.split('\n'))
      .map((line) => (line === '' ? '' : own + line));
    return [`${indent}${bullet} ${box}${title}${tail}`, ...lines, ...written(nested, own, step)];
  });
}

function boxesOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { mark, nested }) => {
    return sum + (mark === undefined ? 0 : 1) + boxesOf(nested);
  }, 0);
}

const plan = fc
  .record({
    parts: fc.array(fc.tuple(between, fc.array(node, { maxLength: 4 })), { maxLength: 4 }),
    step: fc.constantFrom(' ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    last: fc.boolean(),
  })
  .map(({ parts, step, eol, bom, last }) => {
    const lines = parts.flatMap(([before, nodes]) => [
      ...before.split('\n').slice(0, -1),
      ...written(nodes, '', step),
    ]);
    const text = `${bom ? '\uFEFF' : ''}${lines.join(eol)}${last ? eol : ''}`;
    return { text, count: parts.reduce((sum, [, nodes]) => sum + boxesOf(nodes), 0) };
  });

describe('any text', () => {
  it('is a plan or is refused', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = parsePlan(text, 'plan.md');
        if (!read.ok) {
          expect(read.problems.length).toBeGreaterThan(0);
          return;
        }
        const { items, boxes, criteria, warnings } = read.value;
        expect(new Set(items.map(({ key }) => key.toLowerCase())).size).toBe(items.length);
        const placed = [
          ...items.flatMap((item) => [item.box, ...item.criteria.map(({ box }) => box)]),
          ...criteria.map(({ box }) => box),
        ];
        expect(new Set(placed).size).toBe(placed.length);
        // Whatever is neither an item nor a criterion is told.
        const told = new Set(warnings.map(({ line }) => line));
        for (const box of boxes) expect(placed.includes(box) || told.has(box.line)).toBe(true);
        const order = boxes.map(({ offset }) => offset);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        for (const { box, offset } of boxes.map((box) => ({ box, offset: box.offset }))) {
          expect(text[offset - 1]).toBe('[');
          expect(text[offset + 1]).toBe(']');
          expect(text.slice(0, offset).split('\n')).toHaveLength(box.line);
        }
        const keys = new Set<string>();
        for (const [index, item] of items.entries()) {
          expect(item.number).toBe(index + 1);
          if (item.within !== undefined) expect(keys.has(item.within)).toBe(true);
          keys.add(item.key);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps all that is not a mark', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...BOX_MEANINGS), fc.nat(), (text, meaning, pick) => {
        const read = parsePlan(text, 'plan.md');
        if (!read.ok || read.value.boxes.length === 0) return;
        expectMarked(text, read.value, pick, meaning);
      }),
      { numRuns: 3000 },
    );
  });
});

/** One box is marked: one unit of the text differs, and in what is read that box alone. */
function expectMarked(
  text: string,
  before: PlanDocument,
  pick: number,
  meaning: (typeof BOX_MEANINGS)[number],
): void {
  const box = before.boxes[pick % before.boxes.length]!;
  const to = BOX_MARKS[meaning];
  const edited = markBoxes(text, [{ box, now: meaning }]);
  expect(edited).toBe(`${text.slice(0, box.offset)}${to}${text.slice(box.offset + 1)}`);
  const after = planOf(edited);
  const told = (document: PlanDocument) => ({ ...document, warnings: [] });
  const text1 = JSON.stringify(told(before), (_, value) => sameBox(value, box.offset, meaning));
  expect(JSON.parse(JSON.stringify(told(after)))).toEqual(JSON.parse(text1));
}

function sameBox(value: unknown, offset: number, meaning: string): unknown {
  const box = value as { offset?: number } | null;
  return typeof box === 'object' && box?.offset === offset ? { ...box, meaning } : value;
}

describe('a plan as people write it', () => {
  it('loses no box', () => {
    fc.assert(
      fc.property(plan, ({ text, count }) => {
        expect(planOf(text).boxes).toHaveLength(count);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes by one character a mark', () => {
    fc.assert(
      fc.property(plan, fc.constantFrom(...BOX_MEANINGS), fc.nat(), ({ text }, meaning, pick) => {
        const document = planOf(text);
        if (document.boxes.length > 0) expectMarked(text, document, pick, meaning);
      }),
      { numRuns: 1000 },
    );
  });

  it('is marked in many places at once as it is one by one', () => {
    fc.assert(
      fc.property(
        plan,
        fc.array(fc.constantFrom(...BOX_MEANINGS), { maxLength: 40 }),
        ({ text }, to) => {
          const { boxes } = planOf(text);
          const marks = boxes.slice(0, to.length).map((box, index) => ({ box, now: to[index]! }));
          const one_by_one = marks.reduce((edited, mark) => markBoxes(edited, [mark]), text);
          expect(markBoxes(text, marks.toReversed())).toBe(one_by_one);
        },
      ),
    );
  });
});

describe('a key', () => {
  const titles = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), {
    minLength: 1,
    maxLength: 12,
  });
  const ids = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });

  it('stays while others come, go, move and are ticked', () => {
    fc.assert(
      fc.property(
        titles,
        ids,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.nat(),
        (names, own, order, cut) => {
          const line = (name: string, index: number, state: string) =>
            `- [${state}] ${index % 3 === 0 ? `**${name}**` : name}${own[index] === true ? ` (id: k${index})` : ''}`;
          const keyed = (text: string) => {
            return new Map(planOf(text).items.map(({ title, key }) => [title, key]));
          };
          const lines = names.map((name, index) => line(name, index, ' '));
          const before = keyed(lines.join('\n'));
          expect(before.size).toBe(names.length);
          const moved = names
            .map((name, index) => ({
              text: `${index}. ${line(name, index, 'x').slice(2)}`,
              by: order[index] ?? 0,
            }))
            .toSorted((a, b) => a.by - b.by)
            .map(({ text }) => text)
            .slice(cut % names.length);
          const after = keyed(`# P\n\n- [~] 0 new one\n  - [ ] c\n${moved.join('\n\n')}\n`);
          for (const [title, key] of after) {
            if (title !== '0 new one') expect(key).toBe(before.get(title));
          }
        },
      ),
    );
  });

  it('of a second item of one title takes nobody else’s', () => {
    const { items, warnings } = planOf('- [ ] a\n- [ ] a\n- [ ] a 2\n- [ ] b (id: a-3)\n- [ ] A\n');
    expect(items.map(({ key }) => key)).toEqual(['a', 'a-4', 'a-2', 'a-3', 'a-5']);
    expect(warnings.map(({ line }) => line)).toEqual([2, 5]);
  });

  it('of long titles that begin alike is not one', () => {
    const long = 'word '.repeat(30);
    const [first, second] = planOf(`- [ ] ${long}one\n- [ ] ${long}two\n`).items;
    expect(first!.key).not.toBe(second!.key);
    expect([...first!.key].length).toBeLessThanOrEqual(60);
  });
});

describe('a text that means harm', () => {
  const size = LONG_BYTES;
  const full = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
  const stairs = (end: string) =>
    Array.from({ length: 1000 }, (_, depth) => `${'  '.repeat(depth)}- [ ] ${end}`)
      .join('\n')
      .slice(0, size);

  it.each([
    ['boxes', full('  - [ ]\n')],
    ['criteria', `- [ ] a\n${full('  - [ ] b\n')}`],
    ['boxes in the plan’s criteria', `## Definition of Done\n${full('- [ ] b\n')}`],
    ['brackets that open', `- [ ] a ${full('(id: ')}`],
    ['brackets that open, in lines', `- [ ] a\n${full('  (executor: a, (b: c\n')}`],
    [
      'brackets in brackets',
      full(`- [ ] ${'(x: '.repeat(900)}${')'.repeat(900)}\n`).slice(0, size / 2),
    ],
    [
      'backticks',
      `- [ ] ${Array.from({ length: 1400 }, (_, n) => '`'.repeat(1400 - n)).join(' ')}`,
    ],
    ['commas', `- [ ] a (files: ${full('a,')})`],
    ['stars', `- [ ] ${full('*a _b ')}`],
    ['links', `- [ ] ${full('[a](')}`],
    ['words in one paragraph', `- [ ] a\n${full('  word\n')}`],
    ['fields', `- [ ] a\n${full('  **Files**: `a.md`, `b.md`\n')}`],
    ['labels', `- [ ] a\n${full('**Label** (x) y\n')}`],
    ['lists of files', `- [ ] a\n  **Files**:\n${full('  - `a.md`\n')}`],
    ['stairs', stairs('a')],
    [
      'stairs and blank lines',
      `${stairs('a').slice(0, size / 2)}\n${full('\n').slice(0, size / 2)}`,
    ],
    [
      'stairs and labels',
      `${stairs('a').slice(0, size / 2)}\n${full('a:\nverify:\n').slice(0, size / 2)}`,
    ],
    ['headings', full('###### a (squad: b)\n')],
    ['headings that go down', full('# a\n## b\n### c\n#### d\n##### e\n###### Wave 1\n')],
    ['waves', full('## Wave 1\n## Wave 2\n')],
    ['marks that are not known', full('- [?] a (b: c)\n').slice(0, size / 3)],
    ['fences', full('```\n- [ ] a\n')],
    ['comments', full('- [ ] a <!-- b\n')],
    ['rules', full('- - - - - - - - -')],
    ['blanks', `- [ ] a${full(' ')}(id: b)`],
    ['underscores', `- [ ] ${full('_')}`],
    ['one title for all', full('- [ ] a\n').slice(0, 8 * 4000)],
  ])('%s: is read in time', (_, text) => {
    const from = process.cpuUsage();
    parsePlan(text, 'plan.md');
    // What takes the square of its size takes minutes of any machine.
    expect(process.cpuUsage(from).user / 1000).toBeLessThan(size / 64);
  });
});
