/**
 * Kinds of additions of `init` to files that may be there: each adds what is missing and can take it back. Nothing is
 * ever replaced but what stands between our own markers. Pure.
 */
import { isFields, type Fields } from '../../task/core/base/json.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { valueIn, withoutValue, withValue } from './json-edit.ts';

export interface Addition {
  /** Relative. */
  readonly file: string;
  /** The whole of a new file. */
  readonly text: string;
  /** The text with what it lacks, or why a person must add it; a file stays as it is where left out. */
  readonly grow?: (held: string) => string | Left;
  /** The text without what was added; a file of which nothing is left goes. Only the very text goes where left out. */
  readonly shrink?: (held: string) => string | Left;
  /** Text that a person puts into a file that is left alone; `text` where left out. */
  readonly by_hand?: string;
  /** Words for what is added, in short; its number of lines where left out. */
  readonly shows?: string;
  /** Nothing is created where this is missing. */
  readonly needs?: string;
  readonly executable?: true;
}

/** Why a file was left alone; empty where that is plain. */
export interface Left {
  readonly why: string;
}

const isEnded = (text: string): boolean => text === '' || text.endsWith('\n');
const withoutEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** Adds the lines that are missing at the end. */
export function lines(file: string, text: string): Addition {
  const wanted = text.trimEnd().split('\n');
  const grow = (held: string): string => {
    const missing = wanted.filter((line) => !held.split(/\r?\n/).includes(line));
    if (missing.length === 0) return held;
    const end = held.includes('\r\n') ? '\r\n' : '\n';
    // A last line without its end has none afterwards.
    const [before, after] = isEnded(held) ? ['', end] : [end, ''];
    return `${held}${before}${missing.join(end)}${after}`;
  };
  const shrink = (held: string): string => {
    const kept: string[] = [];
    let run: string[] = [];
    // A single line of several may be the person's own.
    const close = (): void => {
      if (run.length < Math.min(2, wanted.length)) kept.push(...run);
      run = [];
    };
    for (const line of held.split(/(?<=\n)/))
      if (wanted.includes(line.trimEnd())) run.push(line);
      else {
        close();
        kept.push(line);
      }
    close();
    return isEnded(held) ? kept.join('') : withoutEnd(kept.join(''));
  };
  return { file, text, grow, shrink, by_hand: text.trimEnd() };
}

/** Places where it is alone on its line, outside code: in a sentence it is no end of a block. */
function placesOf(text: string, mark: string): readonly number[] {
  return scanMarkdown(text)
    .filter(({ kind, raw }) => kind !== 'code' && raw.trimEnd() === mark)
    .map(({ start }) => start);
}

/** Puts the text between its markers, in place of what is there between them, or at the end. */
export function block(file: string, text: string): Addition {
  const whole = `${BEGIN}\n${text.trimEnd()}\n${END}`;
  const grow = (held: string): string | Left => {
    const found = placeOf(held);
    if ('why' in found) return found;
    const { from, to } = found;
    const end = held.includes('\r\n') ? '\r\n' : '\n';
    const block = whole.replaceAll('\n', end);
    if (from >= 0) return held.slice(0, from) + block + held.slice(to + END.length);
    const gap = held === '' ? '' : isEnded(held) ? end : end + end;
    const grown = `${held}${gap}${block}${isEnded(held) ? end : ''}`;
    // Inside a fence that is not closed it would be code.
    return placesOf(grown, BEGIN).length === 1
      ? grown
      : { why: 'a code fence in it is not closed' };
  };
  const shrink = (held: string): string | Left => {
    const found = placeOf(held);
    if ('why' in found) return found;
    const { from, to } = found;
    if (from < 0) return held;
    const between = held.slice(from, to + END.length);
    if (between.replaceAll('\r\n', '\n') !== whole) return CHANGED;
    const before = held.slice(0, from).replace(/(\r?\n)\r?\n$/, '$1');
    const rest = held.slice(to + END.length).replace(/^\r?\n/, '');
    return isEnded(held) ? before + rest : withoutEnd(before) + rest;
  };
  return { file, text: `${whole}\n`, grow, shrink, by_hand: whole };
}

/** The only place of both markers; -1 where there are none. */
function placeOf(held: string): { readonly from: number; readonly to: number } | Left {
  const [[from = -1, ...begins] = [], [to = -1, ...ends] = []] = [BEGIN, END].map((mark) =>
    placesOf(held, mark),
  );
  const isOnce = begins.length + ends.length === 0 && from < 0 === to < 0 && from <= to;
  return isOnce ? { from, to } : { why: `it needs ${BEGIN} and ${END} once each, or neither` };
}

const [BEGIN, END] = ['<!-- contracts:begin -->', '<!-- contracts:end -->'];

/** Adds entries to the lists that this JSON holds. `first`: to one. */
export function entries(file: string, text: string, first = false): Addition {
  const lists = listsIn(JSON.parse(text) as Fields).slice(0, first ? 1 : undefined);
  const by_hand = lists.map(([keys, list]) => `${keys.join('.')}: ${JSON.stringify(list)}`);
  const grow = (held: string): string | Left => {
    if (!isFields(valueIn(held))) return NO_OBJECT;
    let more = held;
    for (const [keys, list] of lists) {
      const known = valueIn(more, keys) ?? [];
      if (!Array.isArray(known)) return { why: `its ${keys.join('.')} is not a list` };
      const missing = list.filter((wanted) => !known.some((one) => isOurs(one, wanted)));
      for (const [i, one] of missing.entries()) {
        const next = withValue(more, [...keys, known.length + i], one);
        if (next === undefined) return { why: `its ${keys.join('.')} has no place` };
        more = next;
      }
    }
    return more;
  };
  const shrink = (held: string): string | Left => {
    let less = held;
    for (const [keys, list] of lists.toReversed()) {
      const known = valueIn(less, keys);
      for (const [i, one] of Array.isArray(known) ? [...known.entries()].toReversed() : [])
        if (list.some((wanted) => isSame(one, wanted))) less = withoutValue(less, [...keys, i]);
        else if (list.some((wanted) => isOurs(one, wanted))) return CHANGED;
    }
    return less;
  };
  const shows = lists.map(([keys]) => keys.join('.')).join(', ');
  return { file, text, grow, shrink, shows, by_hand: by_hand.join('\n') };
}

/** Why what was added is not taken back. */
export const CHANGED: Left = { why: 'it was changed since, or is of another version' };

const NO_OBJECT: Left = { why: 'it does not parse as a JSON object' };

/** Marks of an entry, which a person may have changed otherwise. */
const MARK = /hook [a-z]+-[a-z-]+|opencode-plugin\.js|"label":"[^"]+"/;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function isOurs(one: unknown, wanted: unknown): boolean {
  const [mark = ''] = MARK.exec(JSON.stringify(wanted)) ?? [];
  return JSON.stringify(one).includes(mark);
}

/** Adds a value at these keys of a JSON file, where nothing stands there. */
export function keyed(file: string, keys: readonly string[], value: Fields): Addition {
  const text = `${JSON.stringify(
    keys.reduceRight<Fields>((inner, key) => ({ [key]: inner }), value),
    null,
    2,
  )}\n`;
  const grow = (held: string): string | Left => {
    if (!isFields(valueIn(held))) return NO_OBJECT;
    if (valueIn(held, keys) !== undefined) return held;
    return withValue(held, keys, value) ?? { why: `its ${keys[0]} is not an object` };
  };
  const shrink = (held: string): string | Left => {
    const found = valueIn(held, keys);
    if (found === undefined) return held;
    return isSame(found, value) ? withoutValue(held, keys) : CHANGED;
  };
  const by_hand = `${keys.join('.')}: ${JSON.stringify(value)}`;
  return { file, text, grow, shrink, by_hand, shows: by_hand };
}

/** Adds a table at the end of a TOML file that has none of this name. */
export function tabled(file: string, name: string, lines: readonly string[]): Addition {
  const head = `[${name}]`;
  const text = `${[head, ...lines].join('\n')}\n`;
  const grow = (held: string): string => {
    if (held.split(/\r?\n/).some((line) => line.trim() === head)) return held;
    const gap = held === '' ? '' : isEnded(held) ? '\n' : '\n\n';
    return `${held}${gap}${isEnded(held) ? text : withoutEnd(text)}`;
  };
  const shrink = (held: string): string | Left => {
    if (!held.split(/\r?\n/).some((line) => line.trim() === head)) return held;
    const own = isEnded(held) ? text : withoutEnd(text);
    const from = `\n${held}`.lastIndexOf(`\n${own}`);
    const rest = held.slice(from + own.length);
    // Keys below it would go to the table before.
    if (from < 0 || /^\s*[^\s[#]/.test(rest)) return CHANGED;
    const before = held.slice(0, from).replace(/\n\n$/, '\n');
    return isEnded(held) ? before + rest : withoutEnd(before) + rest;
  };
  return { file, text, grow, shrink, shows: [head, ...lines].join(' ') };
}

function listsIn(data: Fields): readonly (readonly [readonly string[], readonly unknown[]])[] {
  return Object.entries(data).flatMap(([key, value]) => {
    if (Array.isArray(value)) return [[[key], value]];
    return isFields(value) ? listsIn(value).map(([keys, list]) => [[key, ...keys], list]) : [];
  });
}
