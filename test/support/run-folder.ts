/** One folder for all that a run of the tests puts on the disk; a repository, package or setting above it is not seen. */
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export const RUN_FOLDER = join(realpathSync(tmpdir()), `contracts-run-${process.pid}`);

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
