/**
 * The block form: lines below an item that say something of it, `**Executor**: @x`, and lists below
 * such lines. It knows one item at a time, and cannot fail: what says nothing is words.
 */
import {
  addAttribute,
  attributeKey,
  mistypedLine,
  pathOf,
  type AttributeKey,
  type Attributes,
} from './attributes.ts';
import { fieldValues, INLINE_CHARS_MAX } from './inline.ts';
import { labelOf, type Label } from './labels.ts';
import { unreadWait } from './typos.ts';
import { isPathLike, nothing } from './values.ts';

/** What a line was. */
export interface FieldRead {
  /** The first of its keys; undefined when the line is words. */
  readonly key: AttributeKey | undefined;
  /** The key whose values are listed in the lines below. */
  readonly listing: AttributeKey | undefined;
  /** The line is to be kept among the words of the item as well. */
  readonly kept: boolean;
  readonly wrong: readonly string[];
}

export const WORDS: FieldRead = { key: undefined, listing: undefined, kept: true, wrong: [] };

export function keyOf(label: Label): AttributeKey | undefined {
  return attributeKey(label.key, label.bold ? 'bold' : 'plain', label.value);
}

/** What is said of a key that nobody knows and that is near one that items have, or has no value of its kind. */
export function mistyped({ key, value, bold }: Label): string[] {
  if (bold && value !== '' && /^(?:write|gate|agent|check|requires|prerequisites?)$/i.test(key))
    return [`${key} is read as words: its value is none of ${attributeKey(key, 'inline', 'T1')}`];
  return bold || value !== '' ? mistypedLine(key, bold) : [];
}

/** `plain: false` where only bold labels count, since the words around have labels of their own. */
export function readField(words: string, attributes: Attributes, plain: boolean): FieldRead {
  const labels = labelsOf(words);
  const [first] = labels;
  const key = first === undefined ? undefined : keyOf(first);
  if (first === undefined) return { ...WORDS, wrong: unreadWait(words) };
  if (!(first.bold || plain)) return WORDS;
  if (key === undefined) return { ...WORDS, wrong: mistyped(first) };
  if (isFiles(key) && first.value !== '' && !nothing(first.value) && !arePaths(first.value))
    return { ...WORDS, wrong: mistyped(first) };
  const wrong = labels.flatMap((label) => {
    const own = keyOf(label);
    if (own === undefined) return mistyped(label);
    return addAttribute(attributes, own, fieldValues(label.value));
  });
  const listing = first.value === '' ? key : undefined;
  return { key, listing, kept: listing === 'context_files', wrong };
}

/** An entry of a list below a field; references stay words, too, for what is said about them. */
export function readListed(words: string, key: AttributeKey, attributes: Attributes): FieldRead {
  if (isFiles(key) && !isPathLike(pathOf(words))) return WORDS;
  const values = isFiles(key) ? [words] : fieldValues(words);
  const wrong = addAttribute(attributes, key, values);
  return { key, listing: key, kept: key === 'context_files', wrong };
}

function isFiles(key: AttributeKey): boolean {
  return key === 'deliverables' || key === 'context_files' || key === 'write';
}

function arePaths(value: string): boolean {
  return fieldValues(value).every((part) => {
    const path = pathOf(part);
    return isPathLike(path) || (part.startsWith('`') && !/\s/.test(path));
  });
}

const BESIDE = /\s{0,4}[|·;,]?\s{1,4}(?=\*\*[A-Za-z][A-Za-z _-]{0,24}(?::\*\*|\*\*:))/;

/** `**Executor**: @x | **Verify**: y`: more than one on a line. */
function labelsOf(words: string): Label[] {
  if (words.length > INLINE_CHARS_MAX) return [];
  const parts = words.startsWith('**') ? words.split(BESIDE) : [words];
  return parts.map(labelOf).filter((label) => label !== undefined);
}
