/**
 * A plan is a person's file: whatever people make of its text between two steps, with the worst
 * intentions, a step changes no byte outside of boxes, and boxes of tasks that exist agree with their
 * folders. What cannot be read as a plan is left as it is.
 */
import * as fs from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { PlanDocument, PlanItem } from '../../src/plans/core/plan-document.ts';
import { planIds, tasksOfItem } from '../../src/plans/core/plan-ids.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { step } from '../../src/engine/step/step.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { decodeText } from '../../src/task/text/yaml/front-matter.ts';
import { parsePlan } from '../../src/plans/text/plan.ts';
import { boxesWorld, FILE, type BoxesWorld } from './support/boxes-world.ts';
import * as fc from '../support/property.ts';

const KEYS = ['draft', 'check', 'ship', 'ship+@b', 'deep', 'more'];

let world: BoxesWorld;
beforeEach(() => void (world = boxesWorld()));

const bytes = (): Buffer => fs.readFileSync(world.at(FILE));

/** Numbers are taken modulo what there is. */
type Edit =
  | { readonly remove: number; readonly lines: number }
  | { readonly swap: readonly [number, number] }
  | { readonly twice: number; readonly at: number }
  | { readonly mark: number; readonly to: string }
  | { readonly insert: string; readonly at: number }
  | { readonly cut: number; readonly length: number }
  | { readonly eol: string }
  | { readonly garbage: Uint8Array; readonly at: number }
  | { readonly encoding: 'utf16le' | 'bom' | 'nothing' };
type Deed =
  | Edit
  | { readonly make: string; readonly in: string }
  | { readonly move: string; readonly to: string }
  | { readonly step: true };

const LINES = [
  '- [ ] More (id: more)',
  '- [x] Draft it (id: draft)',
  '     - [~] nested',
  '## Wave 2',
];
const WORDS =
  '\t|  |> |<!--|-->|# |**Wave 3**|- [?] |[x]|[ ]|(id: check)|(depends: draft)|1) |`|\\';
const STRANGE = ['\r', '\n\n', '\u2028', '\u0000', '\uFEFF', 'é🔥', '- [é] odd (id: more)\n'];
const BLOCKS = ['```', '---', '<div>', '<<<<<<< mine', '=======', '>>>>>>> theirs'];
const fragment = fc.constantFrom(
  ...[...LINES, ...BLOCKS].map((line) => `${line}\n`),
  ...WORDS.split('|'),
  ...STRANGE,
);
const n = fc.nat(400);
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ remove: n, lines: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ swap: fc.tuple(n, n) }),
  fc.record({ twice: n, at: n }),
  fc.record({ mark: n, to: fc.constantFrom(' ', 'x', 'X', '~', '-', '?', '') }),
  fc.record({ insert: fragment, at: n }),
  fc.record({ insert: fragment, at: n }),
  fc.record({ cut: n, length: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ eol: fc.constantFrom('\n', '\r\n', '\r') }),
);
/** After which the file is seldom a plan. */
const anyHarm: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ garbage: fc.uint8Array({ minLength: 1, maxLength: 6 }), at: n }),
  fc.record({ encoding: fc.constantFrom('utf16le', 'bom', 'nothing') }),
);
const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 10, arbitrary: anyEdit },
  { weight: 1, arbitrary: anyHarm },
  {
    weight: 4,
    arbitrary: fc.record({
      make: fc.constantFrom(...KEYS),
      in: fc.constantFrom('draft', 'done', 'blocked'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ move: fc.constantFrom(...KEYS), to: fc.constantFrom(...STATES) }),
  },
  { weight: 3, arbitrary: fc.constant({ step: true as const }) },
);

function edited(text: string, edit: Edit): string | Buffer {
  const lines = text.split(/(?<=\n)/);
  const line = (i: number): number => i % lines.length;
  const place = (i: number): number => i % (text.length + 1);
  if ('remove' in edit) lines.splice(line(edit.remove), edit.lines);
  else if ('swap' in edit) {
    const [a, b] = [line(edit.swap[0]), line(edit.swap[1])];
    [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  } else if ('twice' in edit) lines.splice(line(edit.at), 0, lines[line(edit.twice)] ?? '');
  else if ('mark' in edit) {
    let box = edit.mark % Math.max(1, text.match(BOX)?.length ?? 1);
    return text.replace(BOX, (was) => (box-- === 0 ? `[${edit.to}]` : was));
  } else if ('insert' in edit)
    return text.slice(0, place(edit.at)) + edit.insert + text.slice(place(edit.at));
  else if ('cut' in edit)
    return text.slice(0, place(edit.cut)) + text.slice(place(edit.cut) + edit.length);
  else if ('eol' in edit) return text.replace(/\r\n|\r|\n/g, edit.eol);
  else if ('garbage' in edit) {
    const whole = Buffer.from(text);
    const at = edit.at % (whole.length + 1);
    return Buffer.concat([whole.subarray(0, at), edit.garbage, whole.subarray(at)]);
  } else if (edit.encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  else return edit.encoding === 'bom' ? `\uFEFF${text}` : '';
  return lines.join('');
}

const BOX = /\[.?\]/g;

async function act(deed: Deed): Promise<void> {
  if ('step' in deed) await stepped();
  else if ('make' in deed) world.make(deed.make, deed.in);
  else if ('move' in deed) world.move(deed.move, deed.to);
  else world.write(FILE, edited(bytes().toString('utf8'), deed));
}

const AT_WORK = new Set<string | undefined>(['in_progress', 'review', 'questions']);

/** Who names nobody is for those of the item that it is nested in. */
function executorsAround(item: PlanItem, items: readonly PlanItem[]): readonly string[] {
  const outer = items.find(({ key }) => key === item.within);
  if (item.executors.length > 0 || outer === undefined) return item.executors;
  return executorsAround(outer, items);
}

/** What the box of an item is to say; undefined: whatever the person wrote. */
function wanted(item: PlanItem, items: readonly PlanItem[]): string | undefined {
  const executors = executorsAround(item, items);
  const states = tasksOfItem({ key: item.key, executors }, planIds('launch', sha256)).map(
    ({ id }) => STATES.find((state) => fs.existsSync(world.at(`active_tasks/${state}/${id}`))),
  );
  if (states.every((one) => one === undefined)) return undefined;
  if (states.every((one) => one === 'done')) return 'done';
  if (states.some((one) => AT_WORK.has(one))) return 'working';
  if (states.includes('aborted')) return 'dropped';
  return states.includes('done') ? 'working' : 'open';
}

function expectAgreed({ items }: PlanDocument): void {
  for (const item of items) {
    const below = items.filter(({ within }) => within === item.key).map(({ box }) => box.meaning);
    const meaning = item.kind === 'task' ? wanted(item, items) : undefined;
    if (meaning !== undefined) {
      expect([item.key, item.box.meaning]).toEqual([item.key, meaning]);
      const met = meaning === 'done' ? 'done' : 'open';
      expect(item.criteria.filter(({ box }) => box.meaning !== met)).toEqual([]);
    }
    const isDirectlyBegun = items.some(
      (one) => one.within === item.key && one.kind === 'task' && wanted(one, items) !== undefined,
    );
    if (item.kind === 'group' && isDirectlyBegun) {
      const closed = below.every((one) => one === 'done' || one === 'dropped');
      const isDone = closed && below.includes('done');
      expect([item.key, item.box.meaning === 'done']).toEqual([item.key, isDone]);
    }
  }
}

/** As a step reads it; whether it reads all that it should is a matter of the tests of text. */
function planIn(file: Buffer): PlanDocument | undefined {
  const text = decodeText(file, FILE);
  const read = text.ok ? parsePlan(text.value, FILE) : text;
  return read.ok ? read.value : undefined;
}

interface Stepped {
  /** How many boxes it marked. */
  readonly marks: number;
  /** Whether it moved a task. */
  readonly progressed: boolean;
}

/** A step, and what must be so of the file before and after it. */
async function stepped(): Promise<Stepped> {
  const before = bytes();
  const { faulted, progressed } = await step(world.open());
  expect(faulted).toEqual(new Set());
  const after = bytes();
  if (after.equals(before)) {
    const same = planIn(after);
    if (same !== undefined) expectAgreed(same);
    return { marks: 0, progressed };
  }
  const [was, now] = [before.toString('utf8'), after.toString('utf8')];
  expect(Buffer.from(was)).toEqual(before);
  expect(now).toHaveLength(was.length);
  const boxes = new Set(planIn(before)?.boxes.map(({ offset }) => offset));
  const marked = [...Array(was.length).keys()].filter((i) => was[i] !== now[i]);
  for (const i of marked) {
    expect([was[i - 1], was[i + 1], boxes.has(i)]).toEqual(['[', ']', true]);
    expect(' x~-').toContain(now[i]);
  }
  const read = planIn(after);
  if (read === undefined) throw new Error(`no plan any more: ${now}`);
  expectAgreed(read);
  return { marks: marked.length, progressed };
}

test('whatever a person makes of the text, only marks are changed, and they agree', async () => {
  let marked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyDeed, { minLength: 1, maxLength: 16 }), async (deeds) => {
      world.begin();
      for (const deed of deeds) await act(deed);
      marked += (await stepped()).marks;
      // A task is not begun in the step that opens a box which a person closed, but in the next.
      const again = await stepped();
      if (!again.progressed) expect(again.marks).toBe(0);
      expect((await stepped()).marks).toBe(0);
    }),
    { numRuns: 150 },
  );
  expect(marked).toBeGreaterThan(0);
});
