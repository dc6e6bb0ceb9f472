/** A task from a record with other names: which of its fields is which of ours is data (templates/exchange/tools.yaml). Pure. */
import { fields, type Fields } from '../../task/core/base/json.ts';
import type { ForeignTask } from '../core/foreign.ts';
import type { Words } from '../core/words.ts';

/** By our names, theirs, one or several with blanks between them. */
export type FieldNames = Readonly<Record<string, string>>;

/** The text of a value; of a list its texts, a line each. */
export function textIn(value: unknown): string {
  const plain = (Array.isArray(value) ? value.flat(2) : [value]).filter(isPlain);
  // What no text file can have.
  const text = plain.map((one) => String(one).trim()).join('\n');
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n');
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Texts, or names of things that have some. */
function listIn(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  const named = all.map((one) => {
    const { name, login, title } = fields(one);
    return textIn(one) || textIn(name) || textIn(login) || textIn(title);
  });
  return named.filter((one) => one !== '');
}

/** Without criteria, notes and parts, which have a form of their own in each tool. */
export function taskFrom(record: Fields, names: FieldNames, words: Words) {
  const theirs = (name: string): readonly string[] => (names[name] ?? '').split(' ');
  const text = (name: string): string =>
    theirs(name)
      .map((key) => textIn(record[key]))
      .filter(Boolean)
      .join('\n');
  const list = (name: string): readonly string[] =>
    theirs(name).flatMap((key) => listIn(record[key]));
  const known = new Set(Object.values(names).join(' ').split(' '));
  const others = Object.fromEntries(Object.entries(record).filter(([key]) => !known.has(key)));
  const [status, score, level] = [text('status'), Number(text('complexity')), text('priority')];
  const label =
    level === '' ? list('tags').find((tag) => words.priority(tag) !== undefined) : undefined;
  return {
    id: text('id'),
    title: text('title'),
    status,
    meaning: status === '' ? ('open' as const) : words.meaning(status),
    objective: text('objective'),
    instructions: text('instructions'),
    depends: list('depends'),
    parent: text('parent') || undefined,
    priority: level || label,
    complexity: score >= 8 ? 'high' : score >= 4 ? 'medium' : score >= 1 ? 'low' : undefined,
    people: list('people'),
    tags: list('tags').filter((tag) => tag !== label),
    created: text('created') || undefined,
    mentions: list('mentions'),
    criteria: [],
    commands: [],
    others,
  } satisfies Omit<ForeignTask, 'file' | 'line' | 'original'>;
}
