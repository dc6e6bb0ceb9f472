/**
 * Loads the files of the built command that lie beside this one, each once, together with what V8 made
 * of them when the package was built (scripts/code-cache.mjs): then nothing is compiled again, which
 * is a third of a short call. V8 takes such a cache only from the same V8, with the same flags, for a
 * source of the same length. It does not look at the content, and dies of a damaged one: so it is
 * sealed. Its name holds the rest: Node, platform, processor, and which build it was. Where there is
 * none, or it is refused, the file is compiled as ever and nothing is said. Nothing is ever written.
 */
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { cacheName, unsealed } from './code-cache-seal.ts';

/** Made of all sources: a cache that was left over is never taken for another source. */
declare const BUILD: string;

const FOLDER = `${__dirname}/`;
const BEFORE = '(function(exports,require,module,__filename,__dirname){';

const loaded = new Map<string, { exports: unknown }>();

/** Like `require`, for a file of this folder. */
export function load(file: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const filename = FOLDER + file;
  const cachedData = cacheOf(file);
  // ASCII alone (scripts/bundle.mjs), and as such read in half the time.
  const source = readFileSync(filename).toString('latin1');
  const script = new Script(`${BEFORE}${source}\n})`, {
    filename,
    columnOffset: -BEFORE.length,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
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

function cacheOf(file: string): Buffer | undefined {
  try {
    return unsealed(readFileSync(FOLDER + cacheName(file, BUILD)));
  } catch {
    return undefined;
  }
}
