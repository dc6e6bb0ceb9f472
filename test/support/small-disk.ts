/** A disk of a few MiB for one folder, which a test fills: a tmpfs, which only root can mount. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const MIB = 24;

/** Why none can be made; undefined: it can. */
export const mountsMissing = whyNot();
if (mountsMissing !== undefined) console.log(`LEFT OUT: full disks, because ${mountsMissing}`);

function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount one';
  const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return tried.status === 0 ? undefined : 'this machine mounts none';
}

export function smallDisk(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MIB}m`, 'tmpfs', folder]);
  // Lazily: somebody may still be in it.
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
}

/** Fills it; returns the file that does, which gives the room back once it is removed. */
export function filledDisk(folder: string): string {
  const file = join(folder, 'full');
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return file;
}
