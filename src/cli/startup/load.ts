/**
 * Loads the files of the built command that are beside this one, each once, with the code that V8 made of
 * them at earlier starts (keep-code.ts): then nothing is compiled again, which is a third of a short
 * call. V8 takes such code only from the same V8, with the same flags, for a source of the same length,
 * and does not look at what it does. So it is taken only from a folder and a file that this user alone
 * can write; whoever can write there can do all that this user can, as an agent without a sandbox. Where
 * there is none, or it does not fit, the file is compiled as ever and nothing is reported.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { codeFolder, isOwn } from '../../workspace/open/code-folder.ts';
import { unsealed, type Kept } from './code-cache-seal.ts';
import { keepCode } from './keep-code.ts';

/** The sha-256 of all sources: code that was left over is never taken for another source. */
declare const BUILD: string;

const FOLDER = `${__dirname}/`;
const BEFORE = '(function(exports,require,module,__filename,__dirname){';
/** Functions that the first start did not call are in the code of the next ones. */
const STARTS = 3;

const folder = codeFolder(process.env);
const loaded = new Map<string, { exports: unknown }>();

/** Like `require`, for a file of this folder. */
export function load(file: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
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
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run.call(module.exports, module.exports, requireFrom, module, filename, __dirname);
  return module.exports;
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
