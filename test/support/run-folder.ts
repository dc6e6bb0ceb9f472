/** One folder for all that a run of the tests puts on the disk; a repository, package or setting above it is not seen. */
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** What programs find in a folder above theirs, wherever git stops. A `.git` is not in it: that is sealed off. */
const FOUND_ABOVE =
  'node_modules package.json tsconfig.json pnpm-workspace.yaml pyproject.toml conftest.py .venv .npmrc .contracts active_tasks .claude .mcp.json CLAUDE.md AGENTS.md GEMINI.md opencode.json';

function isClean(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const hasNone = !FOUND_ABOVE.split(' ').some((name) => existsSync(join(folder, name)));
  return hasNone && (folder === dirname(folder) || isClean(dirname(folder)));
}

function cleanPlace(): string {
  const places = [tmpdir(), '/var/tmp', '/dev/shm'];
  const place = places.find((one) => isClean(realpathSync(one)));
  if (place !== undefined) return realpathSync(place);
  throw new Error(`tests need a TMPDIR with none of these above it: ${FOUND_ABOVE}`);
}

export const RUN_FOLDER = join(cleanPlace(), `contracts-run-${process.pid}`);

/** On a file system in memory where there is one, for a test of thousands of folders. */
export const RUN_FOLDER_IN_MEMORY = existsSync('/dev/shm')
  ? join('/dev/shm', basename(RUN_FOLDER))
  : RUN_FOLDER;

/** Other users pass, because some tests call the command as one of them. */
export function setup(): void {
  for (const folder of [RUN_FOLDER, RUN_FOLDER_IN_MEMORY]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
}

export function teardown(): void {
  for (const folder of [RUN_FOLDER, RUN_FOLDER_IN_MEMORY]) {
    rmSync(folder, { recursive: true, force: true });
  }
}
