/**
 * A home for one call of Gemini, which reads its settings from its home alone: links to the person's folder, with
 * other settings. A token that is renewed by a rename is put into the person's folder at the end.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const SETTINGS = 'settings.json';
const PASSING = /\.(lock|tmp)$/;
const FOLDERS = ['tmp', 'history'];
/** Linked even where they are not there yet. */
const FILES = ['installation_id', 'google_accounts.json', 'oauth_creds.json', 'GEMINI.md'];

/** Login and names of sessions: no settings come back from a call. */
const RETURNED =
  /^(?:(?:a2a|mcp)-oauth-tokens.*|oauth_creds|google_accounts|gemini-credentials|projects|state)\.json$|^(?:installation|user)_id$/;

export interface GeminiHome {
  readonly env: { readonly GEMINI_CLI_HOME: string };
  remove(): void;
}

/** `folder` is Gemini's in the person's home; `merged` makes the settings from theirs; `begins` is how its path does. */
export function makeGeminiHome(
  folder: string,
  begins: string,
  merged: (text: string, file: string) => string,
): GeminiHome {
  const file = join(folder, SETTINGS);
  const text = merged(existsSync(file) ? readFileSync(file, 'utf8') : '{}', file);
  for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  // For this user alone: settings may hold keys.
  const home = mkdtempSync(begins);
  const own = join(home, '.gemini');
  mkdirSync(own);
  const names = [...readdirSync(folder), ...FILES].filter((one) => !PASSING.test(one));
  for (const name of new Set(names)) {
    if (name !== SETTINGS) symlinkSync(join(folder, name), join(own, name));
  }
  writeFileSync(join(own, SETTINGS), text);
  const remove = (): void => {
    for (const entry of existsSync(own) ? readdirSync(own, { withFileTypes: true }) : []) {
      if (!entry.isFile() || !RETURNED.test(entry.name)) continue;
      const beside = join(folder, `${entry.name}.${basename(home)}`);
      copyFileSync(join(own, entry.name), beside);
      renameSync(beside, join(folder, entry.name));
    }
    rmSync(home, { recursive: true, force: true });
  };
  return { env: { GEMINI_CLI_HOME: home }, remove };
}
