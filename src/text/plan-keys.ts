/**
 * Keys of items, such that each is unique in its plan and stays what it was while other items come,
 * go, move or are ticked. Pure.
 */
import { isItem, type Entry } from './plan-entries.ts';
import { remark, type Remark } from './plan-sections.ts';
import { slugOf } from './plan-values.ts';

const ID = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

export function keysOf(all: Iterable<Entry>, remarks: Remark[]): Map<Entry, string> {
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
  // Ids first, then the first of each title: whoever comes second takes nobody's key.
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
