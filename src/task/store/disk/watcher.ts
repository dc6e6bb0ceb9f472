/**
 * Rings when something changes below the task folders. It carries no facts: who hears it looks at the
 * disk. Folders are watched, not files, and neither desks, attempts nor what is done: that is what
 * agents and the runner write. A lost ring costs time only; too few watches (ENOSPC, EMFILE) is reported
 * once, and from then on nothing rings.
 */
import { basename, relative } from 'node:path';
import { TEMPORARY } from './put.ts';

export interface Watcher {
  close(): Promise<void>;
}

/** undefined, and `broken` told why, when it could not even begin. */
export async function watchFolder(
  folder: string,
  ring: () => void,
  broken: (error: unknown) => void,
): Promise<Watcher | undefined> {
  const { watch } = await import('chokidar');
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) => stats?.isFile() === true || isQuiet(relative(folder, path)),
  });
  let told = false;
  watcher.on('error', (error) => {
    if (told) return;
    told = true;
    void watcher.close();
    broken(error);
  });
  watcher.on('all', ring);
  // A file in a watched folder: chokidar tells of those that it watches, the system of all.
  watcher.on('raw', (_event, path) => {
    if (!isOurs(basename(String(path ?? '')))) ring();
  });
  await new Promise<void>((ready) => {
    watcher.once('ready', () => ready());
    watcher.once('error', () => ready());
  });
  return told ? undefined : { close: () => watcher.close() };
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
