/** Writes the code that V8 made of the loaded files when the call ends: then the functions that ran are in it. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Script } from 'node:vm';
import { isOwn } from '../../workspace/open/code-folder.ts';
import { sealed } from './code-cache-seal.ts';

/** About two builds of the package. */
const KEPT_MAX = 64;
/** At one start. */
const REMOVED_MAX = 32;

const fresh: { name: string; script: Script; starts: number }[] = [];

export function keepCode(folder: string, name: string, script: Script, starts: number): void {
  if (fresh.length === 0) {
    // Now, so that a sandbox of this call shows it, read-only.
    if (!tried(() => makeFolder(folder))) return;
    process.once('exit', () => {
      for (const one of fresh) tried(() => write(folder, one));
      tried(() => removeOld(folder));
    });
  }
  fresh.push({ name, script, starts });
}

/** Nothing is made in the home of another user, as with `sudo`. */
function makeFolder(folder: string): void {
  // `recursive` never ends in /proc.
  for (const one of [dirname(folder), folder]) {
    if (existsSync(one)) continue;
    if (statSync(dirname(one)).uid !== process.getuid?.())
      throw new Error('it belongs to another user');
    mkdirSync(one, 0o700);
  }
}

function write(folder: string, { name, script, starts }: (typeof fresh)[number]): void {
  const own = lstatSync(folder);
  if (!own.isDirectory() || !isOwn(own)) return;
  const whole = sealed({ code: script.createCachedData(), starts });
  const beside = `${folder}/${name}.${process.pid}`;
  try {
    writeFileSync(beside, whole, { flag: 'wx', mode: 0o600 });
    renameSync(beside, `${folder}/${name}`);
  } catch {
    unlinkSync(beside);
  }
}

/** The oldest, and what a killed start left. */
function removeOld(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= KEPT_MAX) return;
  const files = names.map((name) => `${folder}/${name}`);
  const aged = files.map((file) => ({ file, at: lstatSync(file).mtimeMs }));
  const old = aged.sort((a, b) => a.at - b.at).slice(0, names.length - KEPT_MAX);
  for (const { file } of old.slice(0, REMOVED_MAX)) tried(() => unlinkSync(file));
}

function tried(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
