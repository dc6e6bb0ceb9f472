// Leaves what V8 makes of each file of dist/bin beside it, so that no call compiles it again
// (src/cli/startup/load.ts, which also says what keeps a cache from being taken where it does not fit). Made by
// playing a few calls in an empty folder, because only functions that ran are in it: what is called all
// day is played, and no more, for all that is in a cache is unpacked at each start. A call that is
// played finds the cache of those before it and adds to it. Fails when a call does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const KEEPER = fileURLToPath(new URL('code-cache-keeper.cjs', import.meta.url));
const CALLS = [
  ['init'],
  ['help'],
  ['new', 'Hello', '--id', 'hello', '--run', 'true', '--sh', 'true'],
  ['list', '--by', 'state'],
  ['list', '--ids'],
  ['list'],
  ['show', 'hello'],
  ['confirm', 'hello'],
  ['show', 'hello'],
  ['step'],
  ['list', '--all'],
  ['states', '--help'],
  ['hook', 'pre-tool-use'],
];
/** A call of a client inside an attempt, for the hook. */
const ASKED = {
  input: JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'cd /w && git status > a' } }),
  env: {
    CONTRACTS_OUT: '/w/desk',
    CONTRACTS_RIGHTS: JSON.stringify({
      v: 1,
      root: '/w',
      desk: '/w/desk',
      git: [],
      strength: 'hard',
      write: ['**'],
      create: ['**'],
      delete: [],
      append: [],
    }),
  },
};

/** One that hangs fails. */
const CALL_MS = 60_000;

export async function makeCodeCache(root, buildName) {
  const room = mkdtempSync(join(tmpdir(), 'contracts-code-'));
  const bin = join(root, 'dist/bin');
  const { cacheName, sealed } = await sealing(root);
  try {
    const kept = join(room, 'kept');
    for (const call of CALLS) {
      mkdirSync(kept);
      play(room, kept, [join(bin, 'contracts.cjs'), ...call]);
      for (const file of readdirSync(kept)) {
        const cache = sealed(readFileSync(join(kept, file)));
        writeFileSync(join(bin, cacheName(file, buildName)), cache);
      }
      rmSync(kept, { recursive: true });
    }
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

function play(room, kept, call) {
  const asked = call[1] === 'hook' ? ASKED : { env: {} };
  const { status, stderr } = spawnSync(process.execPath, ['--require', KEEPER, ...call], {
    ...asked,
    cwd: room,
    env: { PATH: process.env.PATH, CONTRACTS_KEEP: kept, ...asked.env },
    encoding: 'utf8',
    timeout: CALL_MS,
  });
  // 1: a person is needed.
  if (status !== 0 && status !== 1) throw new Error(`code cache: ${call.join(' ')}: ${stderr}`);
}

/** From the source of the command, which reads them. */
async function sealing(root) {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/cli/startup/code-cache-seal.ts')],
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
