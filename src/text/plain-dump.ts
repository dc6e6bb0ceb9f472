/**
 * Front matter of short ASCII texts, whole numbers and lists of these, written as the yaml library
 * writes it, without the library: most of what `new` writes is of this kind. Declines (undefined)
 * whatever it is not sure of; a test holds both to the same bytes.
 */

const KEY = /^[a-z][a-z_]*$/;
const WORDS = /^(?:true|false|null|y|n|yes|no|on|off)$/i;
/** Printable ASCII that starts with a letter; neither quotes nor what quotes would escape. */
const TEXT = /^[A-Za-z][ !#$%&()*+,./0-9:;<=>?@A-Z[\]^_`a-z{|}~-]*$/;
/** It would be a mapping, a comment or cut off: the library puts it between double quotes. */
const QUOTED = /: | #|[ :]$/;
const DURATION = /^\d{1,9}(?:ms|s|m|h)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Beyond this the library may do things that nobody needs here. */
const CHARS_MAX = 500;

export function dumpPlain(entries: readonly (readonly [string, unknown])[]): string | undefined {
  let text = '';
  for (const [key, value] of entries) {
    if (!KEY.test(key) || WORDS.test(key)) return undefined;
    const dumped = Array.isArray(value) ? list(value) : one(value);
    if (dumped === undefined) return undefined;
    text += Array.isArray(value) ? `${key}:\n${dumped}` : `${key}: ${dumped}\n`;
  }
  return text;
}

function list(values: readonly unknown[]): string | undefined {
  let text = '';
  for (const value of values) {
    const dumped = one(value);
    if (dumped === undefined) return undefined;
    text += `  - ${dumped}\n`;
  }
  return text === '' ? undefined : text;
}

function one(value: unknown): string | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 1e15 && !Object.is(value, -0)
      ? String(value)
      : undefined;
  }
  if (typeof value !== 'string' || value.length > CHARS_MAX) return undefined;
  if (TIME.test(value) || DURATION.test(value)) return value;
  if (!TEXT.test(value) || WORDS.test(value)) return undefined;
  return QUOTED.test(value) ? `"${value}"` : value;
}
