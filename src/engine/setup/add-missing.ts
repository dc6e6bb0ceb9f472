/**
 * How `init` adds what is missing: a file that is not there is made; lines, or entries of a list in JSON,
 * come into one that lacks them. Nothing is ever replaced: what cannot be added without a guess is given
 * back as a text to be put there by hand.
 */
import { dirname, join } from 'node:path';
import { isFields, parsedJson, type Fields } from '../../task/core/base/json.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { errorCode, type Disk } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { putIfUnchanged, type Putting } from '../../task/store/disk/put.ts';
import { makeFolders } from '../../task/store/tasks/tasks.ts';
import { commentedJson } from '../../task/text/yaml/commented-json.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { linkOn } from '../../workspace/open/workspace.ts';

/** By hand: where it belongs and what. */
export interface ByHand {
  readonly file: string;
  readonly text: string;
  /** Why it was left, where that is known. */
  readonly why?: string;
}

export interface CarriedOut {
  /** Relative paths of what was made. */
  readonly made: readonly string[];
  /** And of files that were there and have lines more now. */
  readonly added_to: readonly string[];
  readonly by_hand: readonly ByHand[];
}

export interface Place {
  readonly putting: Putting;
  readonly root: string;
  /** The folder of tasks, relative. */
  readonly tasks: string;
}

export const NOTHING: CarriedOut = { made: [], added_to: [], by_hand: [] };

export function together(parts: readonly CarriedOut[]): CarriedOut {
  return {
    made: parts.flatMap((part) => part.made),
    added_to: parts.flatMap((part) => part.added_to),
    by_hand: parts.flatMap((part) => part.by_hand),
  };
}

/** What is offered, as it stands in the package. */
export function fromPackage(disk: Disk, file: string): string {
  return Buffer.from(disk.read(join(packageFolder(), file), TEXT_BYTES_MAX)).toString('utf8');
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

/** A link of a folder may lead out of the workspace: nothing is made behind it. */
export function shutAbove(disk: Disk, root: string, file: string): string | undefined {
  const folder = dirname(file);
  const link = folder === '.' ? undefined : linkOn(disk, root, folder);
  return link === undefined ? undefined : `${link.file} is no folder`;
}

/** One that is there already stays as it is. */
export function addFile(
  { putting: { disk }, root }: Place,
  file: string,
  text: string,
): CarriedOut {
  const path = join(root, file);
  const why = shutAbove(disk, root, file);
  if (why !== undefined) return { ...NOTHING, by_hand: [{ file, text, why }] };
  if (disk.stat(path) !== undefined) return NOTHING;
  makeFolders(disk, dirname(path));
  disk.create(path, bytesOf(text));
  return { ...NOTHING, made: [file] };
}

/** Adds the lines that are missing at the end; a file that is none is left alone. */
export function addLines(place: Place, file: string, wanted: readonly string[]): CarriedOut {
  const text = textAt(place.putting.disk, join(place.root, file));
  if (text === undefined) return addFile(place, file, `${wanted.join('\n')}\n`);
  const by_hand = [{ file, text: wanted.join('\n') }];
  if (typeof text !== 'string') return { ...NOTHING, by_hand };
  const missing = wanted.filter((line) => !text.split(/\r?\n/).includes(line));
  if (missing.length === 0) return NOTHING;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  const added = `${text}${gap}${missing.join(end)}${end}`;
  return replace(place, file, text, added)
    ? { ...NOTHING, added_to: [file] }
    : { ...NOTHING, by_hand };
}

/** A list in a file of JSON, and what belongs into it. */
export interface ListIn {
  readonly file: string;
  /** The path to the list. */
  readonly keys: readonly string[];
  readonly entries: readonly Entry[];
  /** What else the file has where it is made. */
  readonly beside?: Fields;
}

interface Entry {
  readonly value: unknown;
  /** An entry of the list that has this in its JSON is the same. */
  readonly mark: string;
}

/** `by_hand` says how it is put there, when the file is left. */
export function addEntries(place: Place, list: ListIn, by_hand: string): CarriedOut {
  const { file, keys, entries, beside = {} } = list;
  const { disk } = place.putting;
  const left = (why: string): CarriedOut => {
    return { ...NOTHING, by_hand: [{ file, text: by_hand, why }] };
  };
  const shut = shutAbove(disk, place.root, file);
  if (shut !== undefined) return left(shut);
  const text = textAt(disk, join(place.root, file));
  if (text === undefined) {
    return addFile(place, file, `${JSON.stringify(merged(beside, keys, entries), null, 2)}\n`);
  }
  if (typeof text !== 'string') return left(text.why);
  const data = commentedJson(text);
  if (!isFields(data)) return left('it does not parse as a JSON object');
  const more = merged(data, keys, entries);
  if (more === undefined) return left(`its ${keys.join('.')} is no list`);
  if (more === data) return NOTHING;
  if (parsedJson(text) === undefined) {
    return left('it has comments or trailing commas, which writing it would lose');
  }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const end = text.endsWith('\n') ? '\n' : '';
  return replace(place, file, text, `${JSON.stringify(more, null, indent)}${end}`)
    ? { ...NOTHING, added_to: [file] }
    : left('somebody else changed it just now');
}

/** Nothing is written. */
export function holdsEntries(disk: Disk, root: string, list: ListIn): boolean {
  const text = textAt(disk, join(root, list.file));
  const data = typeof text === 'string' ? commentedJson(text) : undefined;
  return isFields(data) && merged(data, list.keys, list.entries) === data;
}

/** The same value when all is there already; undefined where something else stands in the list's place. */
function merged(
  data: Fields,
  keys: readonly string[],
  entries: readonly Entry[],
): Fields | undefined {
  const [key = '', ...rest] = keys;
  const held = data[key];
  if (rest.length > 0) {
    const inner = held === undefined ? {} : held;
    const more = isFields(inner) ? merged(inner, rest, entries) : undefined;
    if (more === undefined) return undefined;
    return more === held ? data : { ...data, [key]: more };
  }
  if (held !== undefined && !Array.isArray(held)) return undefined;
  const list: readonly unknown[] = held ?? [];
  const missing = entries.filter(
    ({ mark }) => !list.some((one) => JSON.stringify(one).includes(mark)),
  );
  const values = missing.map(({ value }) => value);
  return missing.length === 0 ? data : { ...data, [key]: [...list, ...values] };
}

function replace(place: Place, file: string, before: string, after: string): boolean {
  const seen = sha256(bytesOf(before));
  return putIfUnchanged(place.putting, join(place.root, file), seen, bytesOf(after)) === 'put';
}

/** Undefined where there is none; why not where it cannot be read, and is left alone. */
export function textAt(disk: Disk, path: string): string | { readonly why: string } | undefined {
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  if (stat.kind !== 'file') return { why: 'it is no plain file' };
  try {
    const bytes = Buffer.from(disk.read(path, TEXT_BYTES_MAX));
    const text = bytes.toString('utf8');
    return Buffer.from(text, 'utf8').equals(bytes) ? text : { why: 'it is not UTF-8' };
  } catch (error) {
    return { why: `it cannot be read: ${errorCode(error) ?? 'too large'}` };
  }
}
