/**
 * Resolves `depends` and `context from` of items: numbers, keys, titles, headings, `wave 2`, `all
 * previous`, ids of tasks; a group means all tasks in it. Pure.
 */
import { addTo } from '../../task/core/base/groups.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { nearestId } from '../../task/core/base/nearest.ts';
import { report, type Expanding } from './plan-draft.ts';
import type { PlanItem } from './plan-document.ts';
import { aboveIn, type Above } from './plan-ids.ts';

const NOTHING = /^(?:none|nothing|no|n\/a|-|–|—)$/i;
const WAVE = /^wave\s*#?(\d{1,4})$/i;
const ALL =
  /^(?:all|everything)(?:\s+(?:of\s+)?(?:the\s+)?(?:(previous|above|before|earlier|prior)|others?))?(?:\s+(?:tasks?|items?|steps?))?$/i;
const COUNTED = /^(?:task|item|step|story|no\.?|nr\.?)?\s*#?\s*(\d[\d.]*)$/i;

export class Dependencies {
  readonly #items: readonly PlanItem[];
  readonly above: Above;
  readonly #byKey: ReadonlyMap<string, PlanItem>;
  readonly #below = new Map<string, PlanItem[]>();
  readonly #labelled = new Map<string, PlanItem[]>();
  readonly #titled = new Map<string, PlanItem[]>();
  readonly #headed = new Map<string, PlanItem[]>();
  readonly #expanding: Expanding;

  constructor(expanding: Expanding) {
    const { items } = expanding.document;
    this.#expanding = expanding;
    this.#items = items;
    this.above = aboveIn(items);
    this.#byKey = new Map(items.map((item) => [item.key, item]));
    for (const item of items) {
      if (item.within !== undefined) addTo(this.#below, item.within, item);
      if (item.label !== undefined) addTo(this.#labelled, item.label, item);
      addTo(this.#titled, plain(item.title), item);
      for (const name of headingNames(item)) addTo(this.#headed, name, item);
    }
  }

  /** `keys` of items of the plan, and `ids` of tasks outside of it. */
  of(item: PlanItem, key: 'depends' | 'context_from' = 'depends') {
    const keys = new Set<string>();
    const ids = new Set<string>();
    for (const text of item[key]) {
      const meant = this.#meant(text.trim(), item);
      if (meant === undefined) this.#reportUnknown(text, item);
      else if (typeof meant === 'string') ids.add(meant);
      else if ('several' in meant) this.#reportSeveral(text, item, meant);
      else for (const one of meant.flatMap((other) => this.#tasksOf(other))) keys.add(one.key);
    }
    return { keys: [...keys], ids: [...ids] };
  }

  #tasksOf(item: PlanItem): readonly PlanItem[] {
    const seen = new Set([item]);
    for (const one of seen) for (const below of this.#below.get(one.key) ?? []) seen.add(below);
    return [...seen].filter(({ kind }) => kind === 'task');
  }

  /** undefined: unknown. A string is the id of a task. */
  #meant(written: string, from: PlanItem): readonly PlanItem[] | Several | string | undefined {
    const text = written.replace(/^`([^`]*)`$/, '$1').trim();
    if (text === '' || NOTHING.test(text)) return [];
    const wave = WAVE.exec(text);
    if (wave !== null) {
      const found = this.#items.filter((one) => (one.wave ?? 1) === Number(wave[1]));
      return found.length === 0 ? undefined : found;
    }
    const item = this.#byKey.get(text) ?? this.#byKey.get(text.replace(/^@/, ''));
    if (item !== undefined) return [item];
    const labelled = this.#labelled.get(text);
    if (labelled !== undefined) return nearestTo(from, labelled);
    const number = COUNTED.exec(text)?.[1]?.replace(/\.$/, '');
    if (number !== undefined) return this.#numbered(number, from);
    const titled = this.#titled.get(plain(text)) ?? [];
    if (titled.length > 0) return nearestTo(from, titled);
    const many = this.#all(text, from) ?? this.#headed.get(plain(text));
    if (many !== undefined) return many.filter((one) => one !== from);
    return isTaskId(text) && this.#expanding.around.isTask(text) ? text : undefined;
  }

  #all(text: string, from: PlanItem): readonly PlanItem[] | undefined {
    const all = ALL.exec(text);
    if (all === null) return undefined;
    const wanted = this.#items.filter(({ number }) => all[1] === undefined || number < from.number);
    const own = (one: PlanItem): readonly PlanItem[] => [one, ...this.above(one)];
    return wanted.filter((one) => !own(one).includes(from) && !own(from).includes(one));
  }

  /** Written numbers count; the order of the file only where no item has a number. */
  #numbered(number: string, from: PlanItem): readonly PlanItem[] | Several | undefined {
    const labelled = this.#labelled.get(number);
    if (labelled !== undefined) return nearestTo(from, labelled);
    if (this.#labelled.size > 0) return undefined;
    const counted = this.#items.find((one) => `${one.number}` === number);
    return counted === undefined ? undefined : [counted];
  }

  #reportUnknown(text: string, { box }: PlanItem): void {
    const keys = this.#items.map(({ key }) => key);
    const words = this.#items.flatMap(({ key, label }) => [key, ...(label ? [label] : [])]);
    const near = nearestId(text, keys) ?? nearTitle(text, this.#items);
    report(this.#expanding, box.line, {
      code: 'unknown_dependency',
      message: 'this depends on something that does not exist',
      found: text,
      expected: `a number, a key, a title or a heading of this plan, wave N, all previous, or the id of a task: ${someOf(words)}`,
      fix:
        this.#otherWaves(text) ??
        (near === undefined ? (unparted(text) ?? 'Correct or remove it') : `Did you mean ${near}?`),
    });
  }

  #otherWaves(text: string): string | undefined {
    if (!WAVE.test(text.trim())) return undefined;
    const waves = [...new Set(this.#items.map(({ wave }) => wave ?? 1))].toSorted((a, b) => a - b);
    return `Name a wave that has items: ${someOf(waves)}`;
  }

  #reportSeveral(text: string, { box }: PlanItem, { several }: Several): void {
    const some = several.slice(0, SHOWN_MAX).map(({ key, box: at }) => `${key} (line ${at.line})`);
    report(this.#expanding, box.line, {
      code: 'unknown_dependency',
      message: 'this may mean several items',
      found: text,
      expected: some.join(', '),
      fix: `Name the one that you mean: depends: ${several[0]?.key ?? 'key'}, or give each its own number`,
    });
  }
}

/** Several items match, and none is closer than the others. */
interface Several {
  readonly several: readonly PlanItem[];
}

const KEY =
  /^(?:executors?|reviewers?|verify|files?|deliverables|skills?|squad|category|wave|id)(?=\s)/i;

export function unparted(text: string): string | undefined {
  const key = KEY.exec(text.trim())?.[0];
  if (key === undefined) return undefined;
  return `If it is a key, write a colon after it: ${key}: ${text.trim().slice(key.length).trim()}`;
}

const SHOWN_MAX = 8;

function someOf(words: readonly (string | number)[]): string {
  return words.slice(0, SHOWN_MAX).join(', ') + (words.length > SHOWN_MAX ? ', …' : '');
}

function nearTitle(text: string, items: readonly PlanItem[]): string | undefined {
  const words = plain(text);
  if (words.length < 3) return undefined;
  return items.find(({ title }) => plain(title).includes(words))?.key;
}

/** The closest one, where several waves or groups have the number or title. */
function nearestTo(from: PlanItem, found: readonly PlanItem[]): readonly PlanItem[] | Several {
  if (found.length === 1) return found;
  const others = found.filter((one) => one !== from);
  const beside = [
    others.filter((one) => one.within === from.within && one.wave === from.wave),
    others.filter((one) => one.wave === from.wave),
    others,
  ].find((some) => some.length > 0);
  return beside?.length === 1 ? beside : { several: beside ?? others };
}

/** The part before a colon or dash names a heading, too. */
function headingNames({ headings = [] }: PlanItem): ReadonlySet<string> {
  const names = headings.flatMap((title) => [title, title.split(/:|\s[-–—]\s/, 1)[0]!]);
  return new Set(names.map(plain));
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.:]+$/, '')
    .trim();
}
