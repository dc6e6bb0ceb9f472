/**
 * How `init` adds what is missing. Nothing is ever replaced but what stands between our own markers: what
 * cannot be added without a guess is given back as text, for a person to put there by hand.
 */
import type { LineData } from '../core/events/command-lines.ts';
import { dirname, join } from 'node:path';
import { fields, isFields, parsedJson, type Fields } from '../../task/core/base/json.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { errorCode, type Disk } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Finding } from '../../git/find-git.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { putIfUnchanged, type Putting } from '../../task/store/disk/put.ts';
import { makeFolders } from '../../task/store/tasks/tasks.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { commentedJson } from '../../task/text/yaml/commented-json.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { linkOn } from '../../workspace/open/workspace.ts';

export interface Place {
  readonly putting: Putting;
  readonly env: Finding['env'];
  readonly root: string;
  /** The folder of tasks, relative. */
  readonly tasks: string;
  /** Names of those that are installed. */
  readonly clients?: readonly string[];
}

export interface Addition {
  /** Relative. */
  readonly file: string;
  /** The whole of a new file. */
  readonly text: string;
  /** The text with what it lacks, or why a person must add it; a file stays as it is where left out. */
  readonly grow?: (held: string) => string | Left;
  /** Text that a person puts into a file that is left alone; `text` where left out. */
  readonly by_hand?: string;
  /** Nothing is created where this is missing. */
  readonly needs?: string;
  readonly executable?: true;
}

/** Why a file was left alone; empty where that is plain. */
interface Left {
  readonly why: string;
}

/** Relative paths. */
export type CarriedOut = Pick<LineData<'initialised'>, 'made' | 'added_to' | 'by_hand'>;

const NOTHING: CarriedOut = { made: [], added_to: [], by_hand: [] };

type At = Pick<Place, 'putting' | 'root'>;

export function addAll(place: At, additions: readonly Addition[]): CarriedOut {
  const parts = additions.map((one) => add(place, one));
  return {
    made: parts.flatMap((part) => part.made),
    added_to: parts.flatMap((part) => part.added_to),
    by_hand: parts.flatMap((part) => part.by_hand),
  };
}

function add({ putting, root }: At, addition: Addition): CarriedOut {
  const { disk } = putting;
  const { file, text, grow, by_hand = text, needs = '' } = addition;
  const left = ({ why }: Left): CarriedOut => {
    return { ...NOTHING, by_hand: [{ file, text: by_hand, ...(why === '' ? {} : { why }) }] };
  };
  // A link of a folder may lead out of the workspace: nothing is made behind it.
  const link = dirname(file) === '.' ? undefined : linkOn(disk, root, dirname(file));
  if (link !== undefined) return left({ why: `${link.file} is not a folder` });
  const path = join(root, file);
  const held = textAt(disk, path);
  const write = (more: string, done: Partial<CarriedOut>, mode?: number): CarriedOut => {
    const seen = typeof held === 'string' ? sha256(bytesOf(held)) : undefined;
    return putIfUnchanged(putting, path, seen, bytesOf(more), mode) === 'put'
      ? { ...NOTHING, ...done }
      : left({ why: 'another program changed it just now' });
  };
  if (isMissing(held, text)) {
    if (disk.stat(join(root, needs)) === undefined) return left({ why: '' });
    makeFolders(disk, dirname(path));
    return write(text, { made: [file] }, addition.executable && 0o755);
  }
  if (grow === undefined) return NOTHING;
  const grown = typeof held === 'object' ? held : grow(held ?? '');
  if (typeof grown !== 'string') return left(grown);
  return grown === held ? NOTHING : write(grown, { added_to: [file] });
}

/** A file without its text counts as missing: a crash leaves such files. */
function isMissing(held: string | Left | undefined, text: string): boolean {
  return held === undefined || (typeof held === 'string' && held.trim() === '' && text !== '');
}

/** The file holds all of it already. Writes nothing. */
export function isThere(disk: Disk, root: string, { file, text, grow }: Addition): boolean {
  const held = textAt(disk, join(root, file));
  if (isMissing(held, text) || grow === undefined) return !isMissing(held, text);
  return typeof held === 'string' && grow(held) === held;
}

/** Adds the lines that are missing at the end. */
export function lines(file: string, text: string): Addition {
  const wanted = text.trimEnd().split('\n');
  const grow = (held: string): string => {
    const missing = wanted.filter((line) => !held.split(/\r?\n/).includes(line));
    if (missing.length === 0) return held;
    const end = held.includes('\r\n') ? '\r\n' : '\n';
    const gap = held === '' || held.endsWith('\n') ? '' : end;
    return `${held}${gap}${missing.join(end)}${end}`;
  };
  return { file, text, grow, by_hand: text.trimEnd() };
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
    const [begins, ends] = [BEGIN, END].map((mark) => placesOf(held, mark));
    const [from = -1, to = -1] = [begins?.[0], ends?.[0]];
    const isOnce = begins?.length === ends?.length && (begins?.length ?? 0) <= 1;
    if (!isOnce || from > to) return { why: `it needs ${BEGIN} and ${END} once each, or neither` };
    const end = held.includes('\r\n') ? '\r\n' : '\n';
    const block = whole.replaceAll('\n', end);
    if (from >= 0) return held.slice(0, from) + block + held.slice(to + END.length);
    const gap = held === '' ? '' : held.endsWith('\n') ? end : end + end;
    const grown = `${held}${gap}${block}${end}`;
    // Inside a fence that is not closed it would be code.
    return placesOf(grown, BEGIN).length === 1
      ? grown
      : { why: 'a code fence in it is not closed' };
  };
  return { file, text: `${whole}\n`, grow, by_hand: whole };
}

const [BEGIN, END] = ['<!-- contracts:begin -->', '<!-- contracts:end -->'];

/** Adds entries to the lists that this JSON holds, where that is plain JSON of the same form. `first`: to one. */
export function entries(file: string, text: string, first = false): Addition {
  const lists = listsIn(JSON.parse(text) as Fields).slice(0, first ? 1 : undefined);
  const by_hand = lists.map(([keys, list]) => `${keys.join('.')}: ${JSON.stringify(list)}`);
  const grow = (held: string): string | Left => {
    const data = commentedJson(held);
    if (!isFields(data)) return { why: 'it does not parse as a JSON object' };
    let more = data;
    for (const [keys, list] of lists) {
      const next = merged(more, keys, list);
      if (next === undefined) return { why: `its ${keys.join('.')} is not a list` };
      more = next;
    }
    if (more === data) return held;
    if (parsedJson(held) === undefined) {
      return { why: 'it has comments or trailing commas, which writing it would lose' };
    }
    return withIndent(held, more);
  };
  return { file, text, grow, by_hand: by_hand.join('\n') };
}

/** Adds a value at these keys of a JSON file, where nothing stands there. */
export function keyed(file: string, keys: readonly string[], value: Fields): Addition {
  const whole = keys.reduceRight<Fields>((inner, key) => ({ [key]: inner }), value);
  const text = `${JSON.stringify(whole, null, 2)}\n`;
  const grow = (held: string): string | Left => {
    const data = commentedJson(held);
    if (!isFields(data)) return { why: 'it does not parse as a JSON object' };
    const found = keys.reduce<unknown>((at, key) => fields(at)[key], data);
    if (found !== undefined) return held;
    if (parsedJson(held) === undefined) {
      return { why: 'it has comments or trailing commas, which writing it would lose' };
    }
    return withIndent(held, below(data, whole));
  };
  return { file, text, grow };
}

function below(data: Fields, more: Fields): Fields {
  const inner = Object.entries(more).map(([key, value]) => {
    const held = data[key];
    return [key, isFields(held) && isFields(value) ? below(held, value) : value];
  });
  return { ...data, ...Object.fromEntries(inner) };
}

/** JSON as the file has it: with its indent, and its last line end. */
function withIndent(held: string, data: Fields): string {
  const indent = /\n([ \t]+)"/.exec(held)?.[1] ?? '  ';
  return `${JSON.stringify(data, null, indent)}${held.endsWith('\n') ? '\n' : ''}`;
}

/** Adds a table at the end of a TOML file that has none of this name. */
export function tabled(file: string, name: string, lines: readonly string[]): Addition {
  const head = `[${name}]`;
  const text = `${[head, ...lines].join('\n')}\n`;
  const grow = (held: string): string => {
    if (held.split(/\r?\n/).some((line) => line.trim() === head)) return held;
    const gap = held === '' ? '' : held.endsWith('\n') ? '\n' : '\n\n';
    return `${held}${gap}${text}`;
  };
  return { file, text, grow };
}

function listsIn(data: Fields): readonly (readonly [readonly string[], readonly unknown[]])[] {
  return Object.entries(data).flatMap(([key, value]) => {
    if (Array.isArray(value)) return [[[key], value]];
    return isFields(value) ? listsIn(value).map(([keys, list]) => [[key, ...keys], list]) : [];
  });
}

/** Marks of an entry that a person has changed otherwise. */
const MARK = /hook [a-z]+-[a-z-]+|opencode-plugin\.js|"label":"[^"]+"/;

/** Returns the same value when all is there; undefined where something else is in the list's place. */
function merged(
  data: Fields,
  [key = '', ...rest]: readonly string[],
  list: readonly unknown[],
): Fields | undefined {
  const held = data[key];
  if (rest.length > 0) {
    const inner = held === undefined ? {} : held;
    const more = isFields(inner) ? merged(inner, rest, list) : undefined;
    if (more === undefined) return undefined;
    return more === held ? data : { ...data, [key]: more };
  }
  if (held !== undefined && !Array.isArray(held)) return undefined;
  const known: readonly unknown[] = held ?? [];
  const missing = list.filter((wanted) => {
    const [mark = ''] = MARK.exec(JSON.stringify(wanted)) ?? [];
    return !known.some((one) => JSON.stringify(one).includes(mark));
  });
  return missing.length === 0 ? data : { ...data, [key]: [...known, ...missing] };
}

/** Undefined where nothing is there; why not where it cannot be read. */
function textAt(disk: Disk, path: string): string | Left | undefined {
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  if (stat.kind !== 'file') return { why: 'it is not a regular file' };
  try {
    const bytes = Buffer.from(disk.read(path, TEXT_BYTES_MAX));
    const text = bytes.toString('utf8');
    return Buffer.from(text, 'utf8').equals(bytes) ? text : { why: 'it is not UTF-8' };
  } catch (error) {
    return { why: `it cannot be read: ${errorCode(error) ?? 'too large'}` };
  }
}

/** A file of the package; `folders` fill the names in capitals that are in it. */
export function fromPackage(
  disk: Disk,
  file: string,
  folders: Readonly<Record<string, string>> = {},
): string {
  const text = Buffer.from(disk.read(join(packageFolder(), file), TEXT_BYTES_MAX)).toString('utf8');
  return Object.entries(folders).reduce(
    (all, [name, path]) => all.replaceAll(name, () => path),
    text,
  );
}

/** Names in a folder of the package. */
export function namesInPackage(disk: Disk, folder: string): readonly string[] {
  const from = join(packageFolder(), folder);
  try {
    return disk.list(from).map(({ name }) => name);
  } catch (cause) {
    throw new Fault('template', `the ${folder} of the package are not in ${from}`, {
      cause,
      fix: 'Install the package again',
    });
  }
}
