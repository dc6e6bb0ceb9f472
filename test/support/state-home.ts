/** Where tests keep worktrees in place of the home of whoever runs them; removed after the run. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const STATE_HOME = join(tmpdir(), `contracts-state-${process.pid}`);

export function teardown(): void {
  rmSync(STATE_HOME, { recursive: true, force: true });
}
