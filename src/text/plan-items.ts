/**
 * What the boxes of an outline are: tasks, groups of tasks, or criteria; and what each item is told
 * by itself, its group and its section. Keys are made so that they stay while other items come, go,
 * move or are ticked. It cannot fail.
 */
import type { PlanCriterion, PlanItem, PlanItemKind } from '../core/plan-document.ts';
import { unescapeComments } from './block.ts';
import { takeInline, type Attributes } from './plan-attributes.ts';
import { isCriteria, labelOf } from './plan-labels.ts';
import type { Draft, Remark, Section } from './plan-outline.ts';
import { isPathLike, plainWords, slugOf, takeLabel } from './plan-values.ts';

/** Longer first lines are a title and a text. */
const TITLE_CHARS_MAX = 300;
/** Of what stands beside a box in one paragraph. */
const PARAGRAPH_CHARS_MAX = 8000;

export interface Items {
  readonly items: readonly PlanItem[];
  /** Of the plan as a whole. */
  readonly criteria: readonly PlanCriterion[];
  readonly remarks: readonly Remark[];
}

/** A draft with its own words apart from what they say of it. */
interface Entry {
  readonly draft: Draft;
  readonly title: string;
  readonly label: string | undefined;
  /** Words of its paragraph that are not its title. */
  readonly rest: string;
  readonly written: string;
  readonly nested: Entry[];
  kind: PlanItemKind | 'criterion' | 'empty';
}

export function itemsOf(drafts: readonly Draft[]): Items {
  const remarks: Remark[] = [];
  const entries = new Map<Draft, Entry>();
  for (const draft of drafts) {
    const entry = entryOf(draft, entries, remarks);
    entries.set(draft, entry);
    if (draft.parent !== undefined) entries.get(draft.parent)!.nested.push(entry);
  }
  const all = [...entries.values()];
  // What is nested comes behind what it is nested in.
  for (const entry of all.toReversed()) entry.kind = kindOf(entry);
  const { criteria, ofItem } = criteriaOf(all, entries);
  const own = all.filter(isItem);
  const keys = keysOf(own, remarks);
  const items: PlanItem[] = [];
  const known = new Map<Entry, PlanItem>();
  for (const entry of own) {
    const above = aboveOf(entry, entries);
    const group = above === undefined ? undefined : known.get(above);
    const item = itemOf(entry, entries, {
      number: items.length + 1,
      key: keys.get(entry)!,
      group,
      criteria: ofItem.get(entry) ?? [],
    });
    known.set(entry, item);
    items.push(item);
  }
  for (const { draft, kind } of all) {
    const line = draft.line.index + 1;
    if (kind === 'empty') remarks.push({ line, message: 'a box has no words', found: '' });
  }
  return { items, criteria, remarks };
}

function isItem(entry: Entry): boolean {
  return entry.kind === 'task' || entry.kind === 'group';
}

function entryOf(draft: Draft, entries: ReadonlyMap<Draft, Entry>, remarks: Remark[]): Entry {
  const { attributes } = draft;
  const line = draft.line.index + 1;
  const { first, rest } = wordsOf(draft, (message, found) =>
    remarks.push({ line, message, found: found.slice(0, 60) }),
  );
  for (const key of attributes.unknown)
    remarks.push({ line, message: `an item has a key that we do not know`, found: key });
  const { label, title } = takeLabel(plainWords(unescapeComments(first)));
  const long = title.length > TITLE_CHARS_MAX;
  return {
    draft,
    title: long ? `${title.slice(0, TITLE_CHARS_MAX - 1).trimEnd()}…` : title,
    label: label ?? numberOf(draft, entries),
    rest: long ? `${first}\n${rest}`.trim() : rest,
    written: first,
    nested: [],
    kind: 'task',
  };
}

/** The first line is the title, unless brackets that it opens are closed on a later one. */
function wordsOf(
  draft: Draft,
  wrong: (message: string, found: string) => void,
): { first: string; rest: string } {
  const [head = '', ...below] = draft.paragraph;
  const joined = draft.paragraph.join('\n').slice(0, PARAGRAPH_CHARS_MAX);
  if (below.length === 0 || joined.length < head.length) {
    const taken = takeInline(head, draft.attributes);
    for (const message of taken.wrong) wrong(message, head);
    return { first: taken.text, rest: '' };
  }
  const taken = takeInline(joined, draft.attributes);
  for (const message of taken.wrong) wrong(message, head);
  const [first = '', ...rest] = taken.text.split('\n');
  return { first: first.trim(), rest: rest.join('\n').trim() };
}

/** Of `3. [ ] Task`; nested in one with a label: `2.3`. */
function numberOf(draft: Draft, entries: ReadonlyMap<Draft, Entry>): string | undefined {
  const { number } = draft.bullet;
  if (number === undefined) return undefined;
  if (draft.parent === undefined) return String(Number(number));
  const above = entries.get(draft.parent)?.label;
  return above === undefined ? undefined : `${above}.${Number(number)}`;
}

function kindOf(entry: Entry): Entry['kind'] {
  const { draft, nested } = entry;
  const { named, worked } = draft.attributes;
  if (nested.some(isItem)) {
    return !worked && nested.every(isItem) ? 'group' : 'task';
  }
  if (named) return 'task';
  if (entry.title === '') return nested.length > 0 ? 'task' : 'empty';
  const measured = draft.parent !== undefined || draft.criterionOf !== undefined;
  return measured || draft.section.criteria ? 'criterion' : 'task';
}

/** The item that an entry is nested in, however deep. */
function aboveOf(entry: Entry, entries: ReadonlyMap<Draft, Entry>): Entry | undefined {
  const { parent } = entry.draft;
  return parent === undefined ? undefined : entries.get(parent);
}

function criteriaOf(all: readonly Entry[], entries: ReadonlyMap<Draft, Entry>) {
  const criteria: PlanCriterion[] = [];
  const ofItem = new Map<Entry, PlanCriterion[]>();
  const owners = new Map<Entry, Entry | undefined>();
  for (const entry of all) {
    const { draft } = entry;
    const above = aboveOf(entry, entries);
    const beside =
      typeof draft.criterionOf === 'object' ? entries.get(draft.criterionOf) : undefined;
    const near = above ?? beside;
    const owner = near === undefined || isItem(near) ? near : owners.get(near);
    owners.set(entry, owner);
    if (entry.kind !== 'criterion') continue;
    const text = [entry.label, plainWords(`${entry.written} ${entry.rest}`)];
    const criterion = { text: text.at(-1)!, box: draft.box };
    if (owner === undefined) criteria.push(criterion);
    else if (ofItem.has(owner)) ofItem.get(owner)!.push(criterion);
    else ofItem.set(owner, [criterion]);
  }
  return { criteria, ofItem };
}

function keysOf(own: readonly Entry[], remarks: Remark[]): Map<Entry, string> {
  const keys = new Map<Entry, string>();
  const taken = new Set<string>();
  const claim = (entry: Entry, key: string) => {
    if (taken.has(key)) return false;
    taken.add(key);
    keys.set(entry, key);
    return true;
  };
  // Ids first, then the first of each title: whoever comes second takes nobody's key.
  for (const entry of own) {
    const { id } = entry.draft.attributes;
    if (id !== undefined && !claim(entry, keyOf(id)))
      again(entry, 'two items have one id', remarks);
  }
  const second = own.filter((entry) => !keys.has(entry) && !claim(entry, baseOf(entry)));
  const counts = new Map<string, number>();
  for (const entry of second) {
    const base = baseOf(entry);
    let count = counts.get(base) ?? 2;
    while (!claim(entry, `${base}-${count}`)) count += 1;
    counts.set(base, count + 1);
    if (entry.draft.attributes.id === undefined)
      again(entry, 'two items have one title, and are told apart by their order alone', remarks);
  }
  return keys;
}

function again(entry: Entry, message: string, remarks: Remark[]): void {
  remarks.push({ line: entry.draft.line.index + 1, message, found: entry.title.slice(0, 60) });
}

function baseOf(entry: Entry): string {
  return slugOf(entry.title) || 'item';
}

function keyOf(id: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u.test(id) ? id : slugOf(id) || 'item';
}

interface Place {
  readonly number: number;
  readonly key: string;
  readonly group: PlanItem | undefined;
  readonly criteria: readonly PlanCriterion[];
}

function itemOf(entry: Entry, entries: ReadonlyMap<Draft, Entry>, place: Place): PlanItem {
  const { draft, title, label } = entry;
  const { attributes } = draft;
  const { group } = place;
  const text = textOf(entry, entries);
  const said = {
    squad: attributes.squad ?? group?.squad ?? inherited(draft.section, 'squad'),
    type: attributes.type ?? group?.type ?? inherited(draft.section, 'type'),
    category: attributes.category ?? group?.category ?? inherited(draft.section, 'category'),
    wave: attributes.wave ?? group?.wave ?? inherited(draft.section, 'wave') ?? waveOf(draft),
  };
  const above = group?.kind === 'group' ? group.depends : [];
  return {
    key: place.key,
    number: place.number,
    ...(label === undefined ? {} : { label }),
    kind: entry.kind === 'group' ? 'group' : 'task',
    title,
    box: draft.box,
    ...(group === undefined ? {} : { within: group.key }),
    ...defined(said),
    executors: attributes.executors,
    reviewers: attributes.reviewers,
    verify: attributes.verify,
    depends: [...new Set([...above, ...attributes.depends])],
    skills: attributes.skills,
    deliverables: attributes.deliverables,
    context_files: attributes.context_files,
    paths: pathsIn(`${entry.written}\n${text}`, attributes.context_files),
    ...(attributes.write === undefined ? {} : { write: attributes.write }),
    criteria: place.criteria,
    text,
    unknown: attributes.unknown,
  };
}

/** A team's section may begin its waves anew; what stands before its first one belongs to that. */
function waveOf({ early, wave }: Draft): number | undefined {
  return early?.waves === true ? undefined : wave;
}

type Inherited = Pick<Attributes, 'squad' | 'type' | 'category' | 'wave'>;

function defined(said: { readonly [K in keyof Inherited]: Inherited[K] | undefined }): Inherited {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function inherited<K extends keyof Inherited>(section: Section, key: K): Inherited[K] | undefined {
  for (let at: Section | undefined = section; at !== undefined; at = at.above) {
    if (at.attributes[key] !== undefined) return at.attributes[key];
  }
  return undefined;
}

/** All below it that is nothing else; what stands below its criteria, too. */
function textOf(entry: Entry, entries: ReadonlyMap<Draft, Entry>): string {
  const lines: string[] = entry.rest === '' ? [] : [entry.rest, ''];
  const add = (draft: Draft) => {
    for (const [index, part] of draft.parts.entries()) {
      if (typeof part === 'string') {
        if (!isBareLabel(part, draft.parts, index)) lines.push(part);
      } else if (!isItem(entries.get(part)!)) add(part);
    }
  };
  add(entry.draft);
  return unescapeComments(
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  );
}

/** `**Acceptance Criteria**:` with nothing below it but boxes. */
function isBareLabel(part: string, parts: Draft['parts'], index: number): boolean {
  const label = part.length > 60 ? undefined : labelOf(part);
  if (label === undefined || label.value !== '' || !isCriteria(label.key)) return false;
  const next = parts[index + 1] === '' ? parts[index + 2] : parts[index + 1];
  return typeof next !== 'string' || next === '';
}

function pathsIn(text: string, references: readonly string[]): string[] {
  const found = [...text.matchAll(/`([^`\n]{1,200})`/g)].map((match) => match[1] ?? '');
  const paths = found.filter((path) => isPathLike(path) && !references.includes(path));
  return [...new Set(paths)].slice(0, 100);
}
