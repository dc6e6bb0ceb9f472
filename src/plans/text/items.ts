/** The items and criteria of a plan, from the boxes of its outline, with what they inherit. Never fails. */
import { CONTRACT_KEYS, type PlanCriterion, type PlanItem } from '../core/plan-document.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import type { Attributes } from './attributes.ts';
import { INLINE_CHARS_MAX, takeInline, type IsCalled } from './inline.ts';
import { labelOf } from './fields.ts';
import type { Draft } from './tree.ts';
import { isCriteria, remark, type Remark, type Section } from './sections.ts';
import { isPathLike, plainWords, slugOf, takeLabel } from './values.ts';
import { oneLine, visibleText } from '../../task/text/markdown/sections.ts';

export const ITEMS_MAX = 5000;
const PATHS_MAX = 100;
/** The rest of a longer line is text. */
const TITLE_CHARS_MAX = 300;

/** `criteria`: of the whole plan. `beyond`: line of the first item over the limit; then there are none. */
export function itemsOf(drafts: readonly Draft[]) {
  const remarks: Remark[] = [];
  const isCalled = namesIn(drafts);
  for (const draft of drafts) readWords(draft, remarks, isCalled);
  // Backwards, since nested boxes come later.
  for (const draft of drafts.toReversed()) draft.kind = kindOf(draft);
  const beyond = drafts.filter(isItem)[ITEMS_MAX];
  if (beyond !== undefined) return { items: [], criteria: [], remarks, beyond: beyond.box.line };
  const keys = keysOf(drafts.filter(isItem), remarks);
  const items = new Map<Draft | undefined, PlanItem>();
  const ofPlan: PlanCriterion[] = [];
  const criteria = new Map<Draft | undefined, PlanCriterion[]>([[undefined, ofPlan]]);
  for (const draft of drafts) {
    const key = keys.get(draft);
    if (key !== undefined) {
      const own: PlanCriterion[] = [];
      criteria.set(draft, own);
      const above = items.get(draft.parent);
      items.set(draft, itemOf(draft, { key, number: items.size + 1, above, own }));
    } else if (draft.kind === 'criterion') {
      const text = unescapeComments(oneLine(`${draft.written} ${draft.rest}`));
      criteria.get(ownerOf(draft))?.push({ text, box: draft.box });
    }
    if (draft.title === '') remarks.push(remark(draft.line, WORDLESS[draft.kind], ''));
  }
  return { items: [...items.values()], criteria: ofPlan, remarks };
}

const isItem = ({ kind }: Draft): boolean => kind === 'task' || kind === 'group';

/** undefined: a criterion of the plan. */
function ownerOf({ parent, criterionOf }: Draft): Draft | undefined {
  const near = parent ?? (criterionOf === 'plan' ? undefined : criterionOf);
  return near === undefined || isItem(near) ? near : ownerOf(near);
}

function namesIn(drafts: readonly Draft[]): IsCalled {
  const names = new Set<string>();
  for (const { paragraph, section } of drafts) {
    const words = (paragraph[0] ?? '').slice(0, TITLE_CHARS_MAX);
    const [title = ''] = words.split(/ [*_]?\(/, 1);
    names.add(slugOf(takeLabel(plainWords(title)).title));
    names.add(slugOf(/\bid:\s*([\w.-]+)/.exec(words)?.[1] ?? ''));
    for (const name of [section.title, section.title.split(':', 1)[0]!]) names.add(slugOf(name));
  }
  names.delete('');
  return (words) => names.has(slugOf(words));
}

function readWords(draft: Draft, remarks: Remark[], isCalled: IsCalled): void {
  const { attributes, paragraph, line } = draft;
  const { first, rest, wrong } = wordsOf(paragraph, attributes, isCalled);
  for (const message of wrong) remarks.push(remark(line, message, paragraph[0] ?? ''));
  const { label, title } = takeLabel(plainWords(unescapeComments(first)));
  const long = title.length > TITLE_CHARS_MAX;
  if (long)
    remarks.push(remark(line, `a title has more than ${TITLE_CHARS_MAX} characters`, title));
  draft.title = long ? `${title.slice(0, TITLE_CHARS_MAX - 1).trimEnd()}…` : title;
  draft.label = label ?? numberOf(draft);
  draft.written = first;
  draft.rest = long ? `${first}\n${rest}`.trim() : rest;
}

/** Ends a title: bold, the end of a sentence, or a blank where attributes were. */
const COMPLETE = /(?:\*\*|__|[.!?:…][)"'`*_\]]*|[ \t])$/;

/** A title continues over lines until it is complete; attributes may be on any of them. */
function wordsOf(paragraph: readonly string[], attributes: Attributes, isCalled: IsCalled) {
  const joined = paragraph.join('\n');
  if (joined.length <= INLINE_CHARS_MAX) {
    const { text, wrong } = takeInline(joined, attributes, isCalled);
    const lines = text.split('\n');
    const end = lines.findIndex((line) => COMPLETE.test(line)) + 1 || lines.length;
    const first = lines.slice(0, end).map((line) => line.trim());
    const rest = lines.slice(end).join('\n').trim();
    return { first: first.join(' ').trim(), rest, wrong };
  }
  const [head = '', ...rest] = paragraph;
  const { text, wrong } = takeInline(head, attributes);
  const last = rest.pop() ?? '';
  const end = takeInline(last, attributes);
  const long = `a paragraph has more than ${INLINE_CHARS_MAX} characters`;
  const below = [...rest, end.text].join('\n').trim();
  return { first: text, rest: below, wrong: [...wrong, ...end.wrong, long] };
}

/** The number of the bullet; nested below a labelled item: `2.3`. */
function numberOf({ bullet: { number }, parent }: Draft): string | undefined {
  if (number === undefined) return undefined;
  if (parent === undefined) return String(Number(number));
  return parent.label === undefined ? undefined : `${parent.label}.${Number(number)}`;
}

function kindOf({ parts, title, attributes, parent, criterionOf, section }: Draft): Draft['kind'] {
  const nested = parts.filter((part) => typeof part === 'object');
  if (nested.some(isItem)) return !attributes.worked && nested.every(isItem) ? 'group' : 'task';
  if (attributes.named) return 'task';
  if (title === '' && nested.length === 0) return 'empty';
  const measures = parent !== undefined || criterionOf !== undefined || section.criteria;
  return measures ? 'criterion' : 'task';
}

const WORDLESS = {
  empty: 'a box has no words, so no task is made from it',
  criterion: 'a criterion has no words',
  group: 'a group has no title',
  task: 'an item has no title',
};

const ID = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

/** Keys stay the same while other items change: ids first, then the first item of each title. */
function keysOf(items: readonly Draft[], remarks: Remark[]): Map<Draft, string> {
  const keys = new Map<Draft, string>();
  const taken = new Set<string>();
  const claim = (draft: Draft, key: string) => {
    // Files are named after keys, and some file systems ignore case.
    if (taken.has(key.toLowerCase())) return false;
    taken.add(key.toLowerCase());
    keys.set(draft, key);
    return true;
  };
  for (const draft of items) {
    const { id } = draft.attributes;
    if (id === undefined) continue;
    const key = ID.test(id) ? id : slugOf(id);
    if (key !== id) remarks.push(remark(draft.line, 'an id is not a plain word', id));
    if (key !== '' && !claim(draft, key))
      remarks.push(remark(draft.line, 'two items have the same id', id));
  }
  const left = items.filter((draft) => !keys.has(draft));
  const second = left.filter((draft) => !claim(draft, baseOf(draft)));
  const counts = new Map<string, number>();
  for (const draft of second) {
    const base = baseOf(draft);
    let count = counts.get(base) ?? 2;
    while (!claim(draft, `${base}-${count}`)) count += 1;
    counts.set(base, count + 1);
    const message = 'two items have the same title and differ only by their order: give one an id';
    remarks.push(remark(draft.line, message, draft.title));
  }
  return keys;
}

const baseOf = (draft: Draft): string => slugOf(draft.title) || 'untitled';

type Belonging = Pick<PlanItem, 'squad' | 'type' | 'category' | 'wave'>;

interface Place {
  readonly number: number;
  readonly key: string;
  readonly above: PlanItem | undefined;
  readonly own: readonly PlanCriterion[];
}

function itemOf(draft: Draft, { number, key, above, own }: Place): PlanItem {
  const { attributes, title, early } = draft;
  const text = textOf(draft);
  const sections = sectionsOf(draft);
  const inherited = sections.map((section) => section.attributes);
  const origins: readonly Belonging[] = [attributes, above ?? {}, ...inherited];
  const nearest = <Key extends keyof Belonging>(name: Key) =>
    origins.find((one) => one[name] !== undefined)?.[name];
  const keys = CONTRACT_KEYS.map((name) => {
    const above_keys = above?.keys[name];
    return [name, attributes[name] ?? above_keys ?? inherited.find((one) => one[name])?.[name]];
  });
  const lists = draft.kind === 'group' ? [attributes] : [attributes, ...inherited];
  const nearestList = (name: 'executors' | 'reviewers' | 'verify' | 'skills') =>
    lists.find((one) => one[name].length > 0)?.[name] ?? [];
  const ofAll = (name: 'tags' | 'context_files') => [
    ...new Set([attributes, ...inherited].flatMap((one) => one[name])),
  ];
  // A team's section may have its own waves; items before its first wave belong to that one.
  const wave = early?.waves === true ? undefined : draft.wave;
  const group = above?.kind === 'group' ? above.depends : [];
  const known = given({
    label: draft.label,
    within: above?.key,
    squad: nearest('squad'),
    type: nearest('type'),
    category: nearest('category'),
    wave: nearest('wave') ?? wave,
    write: attributes.write,
    section_text: sectionText(sections) || undefined,
  });
  return {
    key,
    number,
    ...known,
    keys: given(Object.fromEntries(keys)),
    kind: draft.kind === 'group' ? 'group' : 'task',
    title: title === '' ? 'Untitled' : title,
    box: draft.box,
    headings: sections.flatMap(({ level, title: words }) =>
      level > 1 ? [plainWords(unescapeComments(words))] : [],
    ),
    executors: nearestList('executors'),
    reviewers: nearestList('reviewers'),
    verify: nearestList('verify'),
    depends: [...new Set([...group, ...attributes.depends])],
    context_from: attributes.context_from,
    skills: nearestList('skills'),
    tags: ofAll('tags'),
    deliverables: attributes.deliverables,
    context_files: ofAll('context_files'),
    paths: pathsIn(`${draft.written}\n${text}`, attributes.context_files),
    criteria: own,
    text,
  };
}

/** Innermost first. */
function sectionsOf({ section }: Pick<Draft, 'section'>): readonly Section[] {
  return section.above ? [section, ...sectionsOf({ section: section.above })] : [section];
}

/** All items of a section have the same. */
const texts = new WeakMap<Section, string>();
function sectionText(sections: readonly Section[]): string {
  const known = texts.get(sections[0]!);
  if (known !== undefined) return known;
  const parts = sections.flatMap(({ title, words }) => {
    const text = visibleText([...words].flatMap(([line, late]) => (late ? [] : [line])));
    return text === '' ? [] : `${plainWords(title)}:\n\n${text}`;
  });
  const text = unescapeComments(parts.toReversed().join('\n\n'));
  texts.set(sections[0]!, text);
  return text;
}

/** Includes the text below its criteria. */
function textOf(draft: Draft): string {
  const lines: string[] = draft.rest === '' ? [] : [draft.rest, ''];
  const add = ({ parts }: Draft) => {
    let left = false;
    for (const [index, part] of parts.entries()) {
      const again = part === '' && left && lines.at(-1) === '';
      left = typeof part === 'object' || leadsToBoxes(parts, index);
      if (typeof part === 'string') {
        if (!left && !again) lines.push(part);
      } else if (!isItem(part)) add(part);
    }
  };
  add(draft);
  return unescapeComments(lines.join('\n').trim());
}

/** `**Acceptance Criteria**:` with only boxes below it. */
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
