/**
 * Reports that something changed below the task folders, without facts: the caller looks at the disk. A
 * lost report only costs time. Desks, attempts and finished tasks are not watched.
 */
import { basename, relative } from 'node:path';
import { TEMPORARY } from './put.ts';

export interface Watcher {
  close(): Promise<void>;
}

/**
 * `broken` is called once, such as with too few watches (ENOSPC, EMFILE); after that, nothing is
 * reported. undefined when it could not even begin.
 */
export async function watchFolder(
  folder: string,
  changed: () => void,
  broken: (error: unknown) => void,
): Promise<Watcher | undefined> {
  const { watch } = await import('chokidar');
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) => stats?.isFile() === true || isQuiet(relative(folder, path)),
  });
  let isBroken = false;
  watcher.on('error', (error) => {
    if (isBroken) return;
    isBroken = true;
    void watcher.close();
    broken(error);
  });
  watcher.on('all', changed);
  // Chokidar reports the files that it watches, the system all files of a watched folder.
  watcher.on('raw', (_event, path) => {
    if (!isOurs(basename(String(path ?? '')))) changed();
  });
  await new Promise<void>((ready) => {
    watcher.once('ready', () => ready());
    watcher.once('error', () => ready());
  });
  return isBroken ? undefined : { close: () => watcher.close() };
}

/** `state/id/attempts/…` is the runner's, and so is what begins with a dot. */
export function isQuiet(path: string): boolean {
  const [state = '', , third] = path.split('/');
  if (state.startsWith('.') && path !== '') return true;
  return third === 'attempts' || (/^(?:done|aborted)$/.test(state) && path.includes('/'));
}

function isOurs(name: string): boolean {
  return name.startsWith(TEMPORARY) || name === 'attempts' || name === '.desk';
}
