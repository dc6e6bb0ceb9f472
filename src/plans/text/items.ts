/**
 * Items and criteria of a plan, from the boxes of its outline: each with what is said of it by itself,
 * by its group and by its section. It cannot fail.
 */
import type { PlanCriterion, PlanItem } from '../core/plan-document.ts';
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import { entriesOf, isItem, type Entry } from './entries.ts';
import { isCriteria, labelOf } from './labels.ts';
import type { Draft } from './tree.ts';
import { remark, type Remark, type Section } from './sections.ts';
import { isPathLike, plainWords, slugOf } from './values.ts';
import { oneLine, visibleText } from '../../task/text/markdown/sections.ts';

export const ITEMS_MAX = 5000;
const PATHS_MAX = 100;

export interface Items {
  readonly items: readonly PlanItem[];
  /** Of the plan as a whole. */
  readonly criteria: readonly PlanCriterion[];
  readonly remarks: readonly Remark[];
  /** Line of the first item that is one too many; the others are none then. */
  readonly beyond?: number;
}

type Entries = ReadonlyMap<Draft, Entry>;

export function itemsOf(drafts: readonly Draft[]): Items {
  const remarks: Remark[] = [];
  const entries = entriesOf(drafts, remarks);
  const beyond = [...entries.values()].filter(isItem)[ITEMS_MAX];
  if (beyond !== undefined)
    return { items: [], criteria: [], remarks, beyond: beyond.draft.box.line };
  const criteria = criteriaOf(entries);
  const items = new Map<Entry, PlanItem>();
  const keys = keysOf(entries.values(), remarks);
  for (const entry of entries.values()) {
    const key = keys.get(entry);
    if (key === undefined) continue;
    const above = entry.above === undefined ? undefined : items.get(entry.above);
    const own = criteria.get(entry) ?? [];
    items.set(entry, itemOf(entry, entries, { key, number: items.size + 1, above, own }));
  }
  for (const { draft, kind, title } of entries.values()) {
    if (title === '') remarks.push(remark(draft.line, WORDLESS[kind], ''));
  }
  return { items: [...items.values()], criteria: criteria.get(undefined) ?? [], remarks };
}

const WORDLESS = {
  empty: 'a box has no words, so nothing is made of it',
  criterion: 'a criterion has no words',
  group: 'a group has no title',
  task: 'an item has no title',
};

const ID = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

/**
 * Each is unique in its plan and stays what it was while other items come, go, move or are ticked. Ids
 * first, then the first of each title: whoever comes second takes nobody's key.
 */
function keysOf(all: Iterable<Entry>, remarks: Remark[]): Map<Entry, string> {
  const keys = new Map<Entry, string>();
  const taken = new Set<string>();
  const claim = (entry: Entry, key: string) => {
    // Files are named for keys, and not all file systems tell case apart.
    if (taken.has(key.toLowerCase())) return false;
    taken.add(key.toLowerCase());
    keys.set(entry, key);
    return true;
  };
  const items = [...all].filter(isItem);
  for (const entry of items) {
    const { id } = entry.attributes;
    if (id === undefined) continue;
    const key = ID.test(id) ? id : slugOf(id);
    if (key !== id) remarks.push(remark(entry.draft.line, 'an id is no plain word', id));
    if (key !== '' && !claim(entry, key))
      remarks.push(remark(entry.draft.line, 'two items have one id', id));
  }
  const left = items.filter((entry) => !keys.has(entry));
  const second = left.filter((entry) => !claim(entry, baseOf(entry)));
  const counts = new Map<string, number>();
  for (const entry of second) {
    const base = baseOf(entry);
    let count = counts.get(base) ?? 2;
    while (!claim(entry, `${base}-${count}`)) count += 1;
    counts.set(base, count + 1);
    const message =
      'two items have one title, and only their order tells them apart: give one an id';
    remarks.push(remark(entry.draft.line, message, entry.title));
  }
  return keys;
}

function baseOf(entry: Entry): string {
  return slugOf(entry.title) || 'untitled';
}

/** By the item that they measure: the nearest that they are nested in, or stand beside. */
function criteriaOf(entries: Entries): Map<Entry | undefined, PlanCriterion[]> {
  const criteria = new Map<Entry | undefined, PlanCriterion[]>();
  const owners = new Map<Entry, Entry | undefined>();
  for (const entry of entries.values()) {
    const { draft, above } = entry;
    const beside =
      typeof draft.criterionOf === 'object' ? entries.get(draft.criterionOf) : undefined;
    const near = above ?? beside;
    const owner = near === undefined || isItem(near) ? near : owners.get(near);
    owners.set(entry, owner);
    if (entry.kind !== 'criterion') continue;
    const text = unescapeComments(oneLine(`${entry.written} ${entry.rest}`));
    const list = criteria.get(owner) ?? [];
    list.push({ text, box: draft.box });
    criteria.set(owner, list);
  }
  return criteria;
}

interface Place {
  readonly number: number;
  readonly key: string;
  /** The item that it is nested in. */
  readonly above: PlanItem | undefined;
  readonly own: readonly PlanCriterion[];
}

function itemOf(entry: Entry, entries: Entries, { number, key, above, own }: Place): PlanItem {
  const { draft, title, label, attributes } = entry;
  const text = textOf(entry, entries);
  const group = above?.kind === 'group' ? above.depends : [];
  const around = sectionText(draft);
  return {
    key,
    number,
    ...(label === undefined ? {} : { label }),
    kind: entry.kind === 'group' ? 'group' : 'task',
    title: title === '' ? 'Untitled' : title,
    box: draft.box,
    ...(above === undefined ? {} : { within: above.key }),
    ...belonging(entry, above),
    headings: sectionsOf(draft).flatMap(({ level, title: words }) =>
      level > 1 ? [plainWords(unescapeComments(words))] : [],
    ),
    executors: inherited(entry, 'executors'),
    reviewers: inherited(entry, 'reviewers'),
    verify: inherited(entry, 'verify'),
    depends: [...new Set([...group, ...attributes.depends])],
    context_from: attributes.context_from,
    skills: inherited(entry, 'skills'),
    deliverables: attributes.deliverables,
    context_files: attributes.context_files,
    paths: pathsIn(`${entry.written}\n${text}`, attributes.context_files),
    ...(attributes.write === undefined ? {} : { write: attributes.write }),
    criteria: own,
    text,
    ...(around === '' ? {} : { section_text: around }),
  };
}

function sectionText(draft: Draft): string {
  const parts = sectionsOf(draft).flatMap(({ title, words }) => {
    const text = visibleText([...words].flatMap(([line, late]) => (late ? [] : [line])));
    return text === '' ? [] : `${plainWords(title)}:\n\n${text}`;
  });
  return unescapeComments(parts.toReversed().join('\n\n'));
}

/** Its own lists, or those of the nearest section that has any. */
function inherited(
  { attributes, draft, kind }: Entry,
  key: 'executors' | 'reviewers' | 'verify' | 'skills',
): readonly string[] {
  if (attributes[key].length > 0 || kind === 'group') return attributes[key];
  const lists = sectionsOf(draft).map((section) => section.attributes[key]);
  return lists.find(({ length }) => length > 0) ?? [];
}

/** Those that it stands in, the innermost first. */
function sectionsOf({ section }: Draft): readonly Section[] {
  const found: Section[] = [];
  for (let at: Section | undefined = section; at !== undefined; at = at.above) found.push(at);
  return found;
}

type Belonging = Pick<PlanItem, 'squad' | 'type' | 'category' | 'wave'>;

function belonging({ attributes, draft }: Entry, above: PlanItem | undefined): Belonging {
  const said = (key: keyof Belonging) =>
    attributes[key] ??
    above?.[key] ??
    sectionsOf(draft).find((section) => section.attributes[key] !== undefined)?.attributes[key];
  // A team's section may begin its waves anew; what stands before its first belongs to that one.
  const wave = draft.early?.waves === true ? undefined : draft.wave;
  const all = {
    squad: said('squad'),
    type: said('type'),
    category: said('category'),
    wave: said('wave') ?? wave,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** All below it that is nothing else; what stands below its criteria, too. */
function textOf(entry: Entry, entries: Entries): string {
  const lines: string[] = entry.rest === '' ? [] : [entry.rest, ''];
  const add = ({ parts }: Draft) => {
    let left = false;
    for (const [index, part] of parts.entries()) {
      const again = part === '' && left && lines.at(-1) === '';
      left = typeof part === 'object' || leadsToBoxes(parts, index);
      if (typeof part === 'string') {
        if (!left && !again) lines.push(part);
      } else if (!isItem(entries.get(part)!)) add(part);
    }
  };
  add(entry.draft);
  return unescapeComments(lines.join('\n').trim());
}

/** `**Acceptance Criteria**:` with nothing below it but boxes. */
function leadsToBoxes(parts: Draft['parts'], index: number): boolean {
  const part = parts[index];
  const label = typeof part === 'string' ? labelOf(part) : undefined;
  if (label === undefined || label.value !== '' || !isCriteria(label.key)) return false;
  const next = parts[index + 1] === '' ? parts[index + 2] : parts[index + 1];
  return typeof next !== 'string';
}

function pathsIn(text: string, references: readonly string[]): string[] {
  const found = new Set<string>();
  for (const [, path = ''] of text.matchAll(/`([^`\n]{1,200})`/g)) {
    if (found.size < PATHS_MAX && isPathLike(path) && !references.includes(path)) found.add(path);
  }
  return [...found];
}
