/**
 * The boxes of an outline with their own words apart from what is said of them, and what each is: a
 * task, a group of tasks, a criterion, or nothing yet. It cannot fail.
 */
import type { PlanItemKind } from '../core/plan-document.ts';
import { unescapeComments } from '../../task/text/markdown/escape.ts';
import type { Attributes } from './attributes.ts';
import { INLINE_CHARS_MAX, takeInline, type IsCalled } from './inline.ts';
import type { Draft } from './tree.ts';
import { remark, type Remark } from './sections.ts';
import { plainWords, slugOf, takeLabel } from './values.ts';

/** Longer first lines are a title and a text. */
const TITLE_CHARS_MAX = 300;

export interface Entry {
  readonly draft: Draft;
  /** The entry that it is nested in. */
  readonly above: Entry | undefined;
  readonly attributes: Attributes;
  readonly title: string;
  readonly label: string | undefined;
  /** Its title as written, without attributes. */
  readonly written: string;
  /** Words of its paragraph that are not its title. */
  readonly rest: string;
  readonly nested: Entry[];
  kind: PlanItemKind | 'criterion' | 'empty';
}

export function isItem({ kind }: Entry): boolean {
  return kind === 'task' || kind === 'group';
}

export function entriesOf(drafts: readonly Draft[], remarks: Remark[]): Map<Draft, Entry> {
  const entries = new Map<Draft, Entry>();
  const isCalled = namesIn(drafts);
  for (const draft of drafts) {
    const above = draft.parent === undefined ? undefined : entries.get(draft.parent);
    const entry = entryOf(draft, above, remarks, isCalled);
    above?.nested.push(entry);
    entries.set(draft, entry);
  }
  // What is nested comes behind what it is nested in.
  for (const entry of [...entries.values()].toReversed()) entry.kind = kindOf(entry);
  return entries;
}

/** By their titles, ids and headings, before anything else is read. */
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

function entryOf(
  draft: Draft,
  above: Entry | undefined,
  remarks: Remark[],
  isCalled: IsCalled,
): Entry {
  const { attributes, paragraph, line } = draft;
  const { first, rest, wrong } = wordsOf(paragraph, attributes, isCalled);
  for (const message of wrong) remarks.push(remark(line, message, paragraph[0] ?? ''));
  const { label, title } = takeLabel(plainWords(unescapeComments(first)));
  const long = title.length > TITLE_CHARS_MAX;
  if (long)
    remarks.push(remark(line, `a title has more than ${TITLE_CHARS_MAX} characters`, title));
  return {
    draft,
    above,
    attributes,
    title: long ? `${title.slice(0, TITLE_CHARS_MAX - 1).trimEnd()}…` : title,
    label: label ?? numberOf(draft, above),
    written: first,
    rest: long ? `${first}\n${rest}`.trim() : rest,
    nested: [],
    kind: 'task',
  };
}

/** Ends a title: bold, a sentence, or attributes, of which a blank is left. */
const COMPLETE = /(?:\*\*|__|[.!?:…][)"'`*_\]]*|[ \t])$/;

/** A title goes on over lines up to one that is complete; the attributes may stand in any line. */
function wordsOf(
  paragraph: readonly string[],
  attributes: Attributes,
  isCalled: IsCalled,
): { first: string; rest: string; wrong: readonly string[] } {
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

/** Of `3. [ ] Task`; nested in one with a label: `2.3`. */
function numberOf(draft: Draft, above: Entry | undefined): string | undefined {
  const { number } = draft.bullet;
  if (number === undefined) return undefined;
  if (above === undefined) return String(Number(number));
  return above.label === undefined ? undefined : `${above.label}.${Number(number)}`;
}

function kindOf({ draft, nested, title, attributes }: Entry): Entry['kind'] {
  const { named, worked } = attributes;
  if (nested.some(isItem)) return !worked && nested.every(isItem) ? 'group' : 'task';
  if (named) return 'task';
  if (title === '' && nested.length === 0) return 'empty';
  const measured = draft.parent !== undefined || draft.criterionOf !== undefined;
  return measured || draft.section.criteria ? 'criterion' : 'task';
}
