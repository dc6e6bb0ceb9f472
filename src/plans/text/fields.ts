/** Lines such as `**Executor**: @x`, and the lists below them. Never fails: any other line is text. */
import {
  addAttribute,
  attributeKey,
  isReference,
  mistypedLine,
  pathOf,
  type AttributeKey,
  type Attributes,
} from './attributes.ts';
import { fieldValues, INLINE_CHARS_MAX } from './inline.ts';
import { unreadWait } from './typos.ts';
import { isPathLike, nothing } from './values.ts';

export interface Label {
  readonly key: string;
  readonly value: string;
  readonly bold: boolean;
}

const BOLD =
  /^(?:\*\*|__)([^*_:]{1,60})(?:(?::(?:\*\*|__))|(?:(?:\*\*|__)[ \t]{0,4}(?:\([^()]{0,120}\))?[ \t]{0,4}:))(.*)$/s;
const PLAIN = /^`?([A-Za-z][A-Za-z0-9 _-]{0,40})`?:(?=\s|$)(.*)$/s;

/** Without a colon, before a reference: `**Depends on** T012`, `Blocked by 2.1.` */
const WAITS =
  /^(\*\*|__)?((?:D|(?<=[*_])d)epends on|(?:B|(?<=[*_])b)locked (?:by|on))(?:\1)?[ \t]+([^\s.](?:.{0,200}[^\s.])?)\.?$/;

/** Longer lines are text. */
export const LABEL_CHARS_MAX = 8000;

/** undefined: plain text. */
export function labelOf(words: string): Label | undefined {
  if (words.length > LABEL_CHARS_MAX) return undefined;
  const text = words.trim();
  const bold = BOLD.exec(text);
  if (bold !== null) return { key: bold[1]!.trim(), value: bold[2]!.trim(), bold: true };
  const plain = PLAIN.exec(text);
  if (plain !== null) return { key: plain[1]!.trim(), value: plain[2]!.trim(), bold: false };
  const [, mark, key = '', value = ''] = WAITS.exec(text) ?? [];
  return isReference(value) ? { key, value, bold: mark !== undefined } : undefined;
}

/** Without a key the line is text. */
export interface FieldRead {
  readonly key?: AttributeKey;
  /** The lines below list its values. */
  readonly listing?: boolean;
  readonly wrong: readonly string[];
}

export function keyOf(label: Label): AttributeKey | undefined {
  return attributeKey(label.key, label.bold ? 'bold' : 'plain', label.value);
}

/** For a key that is close to a known one, or whose value does not fit. */
export function mistyped({ key, value, bold }: Label): string[] {
  if (bold && value !== '' && /^(?:write|gate|agent|check|requires|prerequisites?)$/i.test(key))
    return [`${key} is read as words: its value is none of ${attributeKey(key, 'inline', 'T1')}`];
  return bold || value !== '' ? mistypedLine(key, bold) : [];
}

/** `plain: false`: only bold labels count, since the item has other labels. */
export function readField(words: string, attributes: Attributes, plain: boolean): FieldRead {
  const labels = labelsOf(words);
  const [first] = labels;
  if (first === undefined) return { wrong: unreadWait(words) };
  if (!(first.bold || plain)) return { wrong: [] };
  const key = keyOf(first);
  const isNoPath =
    isFiles(key) && first.value !== '' && !nothing(first.value) && !arePaths(first.value);
  if (key === undefined || isNoPath) return { wrong: mistyped(first) };
  const wrong = labels.flatMap((label) => {
    const own = keyOf(label);
    if (own === undefined) return mistyped(label);
    return addAttribute(attributes, own, fieldValues(label.value));
  });
  return { key, listing: first.value === '', wrong };
}

export function readListed(words: string, key: AttributeKey, attributes: Attributes): FieldRead {
  if (isFiles(key) && !isPathLike(pathOf(words))) return { wrong: [] };
  const values = isFiles(key) ? [words] : fieldValues(words);
  return { key, listing: true, wrong: addAttribute(attributes, key, values) };
}

function isFiles(key: AttributeKey | undefined): boolean {
  return key === 'deliverables' || key === 'context_files' || key === 'write';
}

function arePaths(value: string): boolean {
  return fieldValues(value).every((part) => {
    const path = pathOf(part);
    return isPathLike(path) || (part.startsWith('`') && !/\s/.test(path));
  });
}

const BESIDE = /\s{0,4}[|·;,]?\s{1,4}(?=\*\*[A-Za-z][A-Za-z _-]{0,24}(?::\*\*|\*\*:))/;

/** Several on one line: `**Executor**: @x | **Verify**: y`. */
function labelsOf(words: string): Label[] {
  if (words.length > INLINE_CHARS_MAX) return [];
  const parts = words.startsWith('**') ? words.split(BESIDE) : [words];
  return parts.map(labelOf).filter((label) => label !== undefined);
}
