/** A folder of hooks of git, each of which is the same script. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../task/core/base/shell-quote.ts';

/** All that git runs from such a folder, which replaces that of the repository. */
const NAMES = (
  'applypatch-msg commit-msg p4-changelist p4-post-changelist p4-pre-submit p4-prepare-changelist ' +
  'post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite ' +
  'post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive ' +
  'prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update'
).split(' ');

/** `values` are variables of the script, a file whose first line stays. Returns what removes the folder. */
export function makeHooks(
  folder: string,
  script: string,
  values: Readonly<Record<string, string>>,
): () => void {
  const [first = '', ...rest] = readFileSync(script, 'utf8').split('\n');
  const set = Object.entries(values).map(([name, one]) => `${name}=${shellWord(one)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'hook'), [first, ...set, ...rest].join('\n'), { mode: 0o555 });
  for (const name of NAMES) symlinkSync('hook', join(folder, name));
  // An installer of hooks that asks git for its folder finds one that it cannot write.
  chmodSync(folder, 0o555);
  return () => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  };
}
