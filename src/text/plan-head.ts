/**
 * What a plan says of itself: front matter, and lines such as `Squad: marketing` outside of its
 * items. What is not said is left out; values that cannot be meant are remarks, never a guess.
 */
import type { PlanDocument } from '../core/plan-document.ts';
import { bare, nothing, plainWords } from './plan-values.ts';
import { addAttribute } from './plan-attributes.ts';
import type { Field, Outline, Remark } from './plan-outline.ts';
import { plainTitle } from './sections.ts';

export type PlanHead = Pick<
  PlanDocument,
  'squad' | 'contract_type' | 'checkpoint' | 'one_at_a_time'
> & { readonly title?: string };

type HeadKey = keyof PlanHead;

const KEYS: ReadonlyMap<string, HeadKey> = new Map([
  ['title', 'title'],
  ['plan', 'title'],
  ['squad', 'squad'],
  ['contract type', 'contract_type'],
  ['checkpoint', 'checkpoint'],
  ['checkpoints', 'checkpoint'],
  ['checkpoint mode', 'checkpoint'],
  ['one at a time', 'one_at_a_time'],
]);

const KNOWN = 'title, squad, contract_type, checkpoint, one_at_a_time';

/** Front matter wins over lines, and the first line over others. */
export function headOf(
  front: { readonly head: Record<string, unknown>; readonly keyLines: ReadonlyMap<string, number> },
  outline: Outline,
): { head: PlanHead; remarks: readonly Remark[] } {
  const head: { -readonly [K in HeadKey]?: PlanHead[K] } = {};
  const remarks: Remark[] = [];
  const say = (key: HeadKey, value: string, line: number) => {
    if (head[key] !== undefined || nothing(value)) return;
    const wrong = take(head, key, value);
    if (wrong !== undefined) remarks.push({ line, message: wrong, found: value.slice(0, 60) });
  };
  for (const name of Object.keys(front.head)) {
    const value = front.head[name];
    const line = front.keyLines.get(name) ?? 1;
    const key = KEYS.get(plainTitle(name));
    if (key === undefined) {
      const message = `the front matter has a key that plans do not have (they have ${KNOWN})`;
      remarks.push({ line, message, found: name });
    } else if (['string', 'number', 'boolean'].includes(typeof value))
      say(key, String(value), line);
    else if (value !== null && value !== undefined)
      remarks.push({ line, message: `${name} is not one value`, found: typeof value });
  }
  for (const field of outline.fields) {
    const key = KEYS.get(field.key);
    if (key === undefined || key === 'title') continue;
    const ofSection = (key === 'squad' || key === 'contract_type') && isOfSection(field);
    if (!ofSection) say(key, field.value, field.line.index + 1);
  }
  const title = outline.sections.find((section) => section.level === 1)?.attributes;
  if (title?.squad !== undefined) say('squad', title.squad, 1);
  if (title?.type !== undefined) say('contract_type', title.type, 1);
  return { head, remarks };
}

/** Below a heading with boxes in it that is not the plan's title. */
function isOfSection(field: Field): boolean {
  return field.section.level > 1 && field.section.boxes > 0;
}

/** Says of the sections what lines in them say, before their items are read. */
export function tellSections(outline: Outline): void {
  for (const field of outline.fields) {
    const key = KEYS.get(field.key);
    const { attributes } = field.section;
    if (!isOfSection(field) || nothing(field.value)) continue;
    if (key === 'squad' && attributes.squad === undefined)
      addAttribute(attributes, 'squad', [field.value]);
    if (key === 'contract_type' && attributes.type === undefined)
      addAttribute(attributes, 'type', [field.value]);
  }
}

function take(
  head: { -readonly [K in HeadKey]?: PlanHead[K] },
  key: HeadKey,
  value: string,
): string | undefined {
  const words = plainWords(value);
  switch (key) {
    case 'one_at_a_time': {
      const said = /^(?:(yes|true|on)|no|false|off)$/i.exec(words);
      if (said === null) return 'one at a time is neither yes nor no';
      head.one_at_a_time = said[1] !== undefined;
      return undefined;
    }
    case 'checkpoint':
      head.checkpoint = checkpointOf(words);
      return undefined;
    case 'title':
      head.title = words;
      return undefined;
    default: {
      const word = bare(words.split(/\s[(—–-]/)[0] ?? '').replace(/^@/, '');
      if (word === '' || /\s/.test(word)) return `${key} is not one word`;
      head[key] = word;
      return undefined;
    }
  }
}

function checkpointOf(words: string): string {
  const word = (words.split(/\s/)[0] ?? '').toLowerCase();
  if (['auto', 'none', 'no', 'off', 'never', 'false'].includes(word)) return 'auto';
  const people = ['interactive', 'person', 'human', 'manual', 'yes', 'on', 'true', 'user'];
  return people.includes(word) ? 'interactive' : word.replace(/^@/, '');
}
