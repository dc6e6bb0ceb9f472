/** The one file that must be run by others: a hook of git. Everything else is plain. */
import { chmodSync } from 'node:fs';

export function makeExecutable(path: string): void {
  chmodSync(path, 0o755);
}
