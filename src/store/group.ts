/**
 * Group commit: the same disk, whose syncs of folders are put together until `flush`. For many moves
 * of one command: all renames, then each parent once. Nothing may be told as done before `flush`.
 */
import type { Disk } from './disk.ts';

export interface GroupedDisk {
  readonly disk: Disk;
  /** Syncs each folder once, in the order in which they were first asked for. */
  flush(): void;
}

export function groupSyncs(disk: Disk): GroupedDisk {
  const folders = new Set<string>();
  const grouped: Disk = {
    list: (folder) => disk.list(folder),
    names: (folder) => disk.names(folder),
    stat: (path) => disk.stat(path),
    read: (path, bytes_max, options) => disk.read(path, bytes_max, options),
    create: (path, bytes, options) => disk.create(path, bytes, options),
    rename: (from, to) => disk.rename(from, to),
    mkdir: (path) => disk.mkdir(path),
    remove: (path) => disk.remove(path),
    sync: (folder) => void folders.add(folder),
  };
  return {
    disk: grouped,
    flush: () => {
      for (const folder of folders) disk.sync(folder);
      folders.clear();
    },
  };
}
