/**
 * Loads each file of the built command once, with the code that V8 made of it at earlier starts: a third of a
 * short call. V8 runs such code without looking at it, so it is taken only from a folder and a file that this
 * user alone can write. Where there is none, the file is compiled and nothing is reported.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { codeFolder, isOwn } from '../../workspace/open/code-folder.ts';
import { unsealed, type Kept } from './code-cache-seal.ts';
import { keepCode } from './keep-code.ts';

/** The sha-256 of all sources: V8 itself compares no more than their length. */
declare const BUILD: string;

const FOLDER = `${__dirname}/`;
const BEFORE = '(function(exports,require,module,__filename,__dirname){';
/** Later starts add the functions that the first did not call. */
const STARTS = 3;

const folder = codeFolder(process.env);
const loaded = new Map<string, { exports: unknown }>();

/** Like `require`, for a file of this folder. */
export function load(file: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  try {
    run(file, module);
  } catch (error) {
    // Half a file is none: it is read again, or fails again, when it is next needed.
    loaded.delete(file);
    throw error;
  }
  return module.exports;
}

function run(file: string, module: { readonly exports: object }): void {
  const filename = FOLDER + file;
  const name = `${file}-${process.version}-${process.platform}-${process.arch}-${BUILD}`;
  const kept = folder === undefined ? undefined : keptCode(folder, name);
  // ASCII alone (scripts/bundle.mjs), and as such read in half the time.
  const source = readFileSync(filename).toString('latin1');
  const script = new Script(`${BEFORE}${source}\n})`, {
    filename,
    columnOffset: -BEFORE.length,
    ...(kept && { cachedData: kept.code }),
  });
  const starts = kept === undefined || script.cachedDataRejected ? 0 : kept.starts;
  if (folder !== undefined && starts < STARTS) keepCode(folder, name, script, starts + 1);
  const start = script.runInThisContext() as (...given: unknown[]) => void;
  start.call(module.exports, module.exports, requireFrom, module, filename, __dirname);
}

function requireFrom(id: string): unknown {
  return id.startsWith('./') ? load(id.slice(2)) : require(id);
}

/** undefined where there is none. */
export function textBeside(file: string): string | undefined {
  try {
    return readFileSync(FOLDER + file, 'utf8');
  } catch {
    return undefined;
  }
}

function keptCode(inFolder: string, name: string): Kept | undefined {
  let fd: number | undefined;
  try {
    const own = lstatSync(inFolder);
    if (!own.isDirectory() || !isOwn(own)) return undefined;
    fd = openSync(`${inFolder}/${name}`, constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return isOwn(fstatSync(fd)) ? unsealed(readFileSync(fd)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
