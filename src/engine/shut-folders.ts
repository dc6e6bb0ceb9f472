/**
 * Folders that are made empty so that a sandbox can lay itself over them: what is not there could be
 * made by whoever is inside. They go again with the last sandbox over them, because the kernel takes the
 * mounts of all with the folder; while a desk lies there another process may have one too.
 */
import { desksFolder } from '../store/layout.ts';
import { entriesOf } from '../store/sight.ts';
import type { Workspace } from './workspace.ts';

/** Made by this process -> how many of its sandboxes lie over it. */
const made = new Map<string, number>();
/** Of the attempts that this process confined. */
const own_desks = new Set<string>();

export interface Shut {
  /** Those that were not there: nothing is in them, and nothing of what is written there is kept. */
  readonly over: readonly string[];
  readonly letGo: () => void;
}

/**
 * `folders` are absolute; what is there already is left alone, whatever it is. `desk` is that of the
 * attempt, where it has one. `letGo` is called once the program has ended.
 */
export function shutFolders(
  ws: Workspace,
  folders: readonly string[],
  desk: string | undefined,
): Shut {
  if (desk !== undefined) own_desks.add(desk);
  const over = folders.filter((folder) => {
    if (ws.disk.stat(folder) === undefined) {
      ws.disk.mkdir(folder);
      made.set(folder, 0);
    }
    const count = made.get(folder);
    if (count !== undefined) made.set(folder, count + 1);
    return count !== undefined;
  });
  const letGo = (): void => {
    for (const folder of over) made.set(folder, (made.get(folder) ?? 1) - 1);
    takeAway(ws);
  };
  return { over, letGo };
}

/** What others put into one is theirs, and so is the folder then. */
function takeAway(ws: Workspace): void {
  if (made.size === 0) return;
  const desks = desksFolder(ws.layout);
  if (entriesOf(ws.disk, desks).some(({ name }) => !own_desks.has(`${desks}/${name}`))) return;
  for (const [folder, count] of made) {
    if (count > 0) continue;
    made.delete(folder);
    try {
      ws.disk.remove(folder);
    } catch {
      // Something stands in it, or it is gone: then it is not ours any more.
    }
  }
}
