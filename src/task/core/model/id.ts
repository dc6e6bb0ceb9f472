/**
 * Task ids: `<workflow>_<yyyymmdd>_<slug>_<4 base32>` by our own making, and any name that matches
 * the pattern of docs/concepts.md#a-task-is-a-folder by a person's. An id is a folder name on every file system that we know:
 * lower case, no dot, no Windows device name, never starting with a dash.
 */

const ID_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const DEVICE_NAMES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
/** Words that would shadow something on JavaScript objects; refused so that no map can be fooled. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype', 'tostring', 'valueof']);
export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The same, for a JSON Schema. */
export const ID_META = {
  pattern: ID_PATTERN.source,
  not: { anyOf: [{ pattern: DEVICE_NAMES.source }, { enum: [...FORBIDDEN] }] },
};

/** No word that is refused is longer. */
const REFUSED_CHARS_MAX = 11;

export function isTaskId(text: string): boolean {
  if (!ID_PATTERN.test(text)) return false;
  return text.length > REFUSED_CHARS_MAX || (!DEVICE_NAMES.test(text) && !FORBIDDEN.has(text));
}

/** What a name that is no task id breaks: its letters, or that it is a word kept for other things. */
export function idRule(text: string): { readonly message: string; readonly expected: string } {
  return ID_PATTERN.test(text)
    ? {
        message: 'is not a task id: it is reserved',
        expected: 'another name, of a-z, 0-9, _ and -',
      }
    : {
        message: 'is not a task id',
        expected: 'a-z, 0-9, _ and -, starting with a letter or digit, at most 64',
      };
}

/** Behind it stands no id that is so long that it can be none of the words that are refused. */
const BEFORE_OTHER = /(?:^|\/)(?![a-z0-9][a-z0-9_-]{11,63}(?:\/|$))/;

/** Of names of files, all at once, as of thousands it is asked; false also where one is that short. */
export function areTaskIds(names: readonly string[]): boolean {
  return !BEFORE_OTHER.test(names.join('/'));
}

/** ASCII words of a title, joined by dashes, at most 32 characters; `task` when none is left. */
export function slugOf(title: string): string {
  const ascii = /^[ -~]*$/.test(title);
  const words = (ascii ? title : title.normalize('NFKD').replace(/\p{M}/gu, ''))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const next = slug === '' ? word : `${slug}-${word}`;
    if (next.length > 32) break;
    slug = next;
  }
  if (slug === '') slug = (words[0] ?? 'task').slice(0, 32);
  return slug;
}

/** `random` gives numbers in [0, 1); `date` is ISO 8601, its date part is taken as it is. */
export function newTaskId(
  workflow: string,
  title: string,
  date: string,
  random: () => number,
): string {
  const day = date.slice(0, 10).replaceAll('-', '');
  let tail = '';
  for (let i = 0; i < 4; i++) tail += BASE32[Math.floor(random() * 32)];
  const head = slugOf(workflow).replaceAll('-', '_').slice(0, 12);
  return `${head}_${day}_${slugOf(title)}_${tail}`;
}
