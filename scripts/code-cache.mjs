// Leaves what V8 made of each file of dist/bin beside it (show.cjs.v20.20.2-linux-x64.v8), so that no
// call compiles it again: that is a third of a short one. Made by playing a few calls in an empty folder,
// because only functions that ran are in it. Another Node, platform or processor looks for another name
// and compiles as ever, and V8 itself refuses what does not fit. Fails when a call does.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KEEPER = fileURLToPath(new URL('code-cache-keeper.cjs', import.meta.url));
const CALLS = [
  'init',
  '--help',
  'new --id hello --adapter human --run true Hello',
  'new --id other --adapter human Other',
  'list',
  'list --state draft',
  'list --ids',
  'list --by state',
  'show hello',
  'confirm hello',
  'show hello',
  'states',
  'step',
  'board',
];

export function makeCodeCache(root) {
  const room = mkdtempSync(join(tmpdir(), 'contracts-code-'));
  try {
    for (const call of CALLS) {
      const argv = ['--require', KEEPER, join(root, 'dist/bin/contracts.cjs'), ...call.split(' ')];
      const env = { PATH: process.env.PATH };
      const options = { cwd: room, env, encoding: 'utf8' };
      const { status, stderr } = spawnSync(process.execPath, argv, options);
      // 1: a person is needed.
      if (status !== 0 && status !== 1) throw new Error(`code cache: ${call}: ${stderr}`);
    }
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}
