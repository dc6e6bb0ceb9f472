/**
 * How `init` adds what is missing. Nothing is ever replaced but what stands between our own markers: what
 * cannot be added without a guess is given back as text, for a person to put there by hand.
 */
import type { LineData } from '../core/events/command-lines.ts';
import { dirname, join, normalize } from 'node:path';
import { Fault } from '../../task/core/model/problem.ts';
import { errorCode, type Disk } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Finding } from '../../git/find-git.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { putIfUnchanged, type Putting } from '../../task/store/disk/put.ts';
import { makeFolders } from '../../task/store/tasks/tasks.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { linkOn } from '../../workspace/open/workspace.ts';
import type { Addition, Left } from './additions.ts';

export interface Place {
  readonly putting: Putting;
  readonly env: Finding['env'];
  readonly root: string;
  /** The folder of tasks, relative. */
  readonly tasks: string;
  /** Names of those that are installed. */
  readonly clients?: readonly string[];
  /** Names of those that have our plugin, and so need no other entry of ours. */
  readonly plugged?: readonly string[];
}

/** Relative paths. */
export type CarriedOut = Pick<LineData<'initialised'>, 'made' | 'added_to' | 'by_hand'>;

const NOTHING: CarriedOut = { made: [], added_to: [], by_hand: [] };

type At = Pick<Place, 'putting' | 'root'>;

export function addAll(place: At, additions: readonly Addition[]): CarriedOut {
  return allOf(additions.map((one) => add(place, one)));
}

/** Joins what was done in parts. */
export function allOf(parts: readonly CarriedOut[]): CarriedOut {
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
    if (isOutside(file) || disk.stat(join(root, needs)) === undefined) return left({ why: '' });
    makeFolders(disk, dirname(path));
    return write(text, { made: [file] }, addition.executable && 0o755);
  }
  if (grow === undefined) return NOTHING;
  const grown = typeof held === 'object' ? held : grow(held ?? '');
  if (typeof grown !== 'string') return left(grown);
  return grown === held ? NOTHING : write(grown, { added_to: [file] });
}

/** Others may share it: nothing is made there, nor taken from there. */
export function isOutside(file: string): boolean {
  return /^(?:[/~]|\.\.(?:\/|$))/.test(normalize(file));
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

/** Undefined where nothing is there; why not where it cannot be read. */
export function textAt(disk: Disk, path: string): string | Left | undefined {
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
