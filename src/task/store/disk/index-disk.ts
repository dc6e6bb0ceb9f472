/** A Disk on which some folders are as git's index has them, from a list of entries. Read only. */
import { type Disk, type Entry, type Stat, ReadRefused } from './disk.ts';

export interface IndexEntry {
  /** A link, a submodule: no regular file. */
  readonly odd: boolean;
  readonly bytes: () => Uint8Array;
}

/** `entries` by absolute path; `covered` are the folders that are as the index has them. */
export function indexDisk(
  below: Disk,
  entries: ReadonlyMap<string, IndexEntry>,
  covered: readonly string[],
): Disk {
  const folders = new Map<string, Map<string, Entry['kind']>>();
  for (const [path, entry] of entries) addTo(folders, path, entry.odd ? 'other' : 'file');
  const covers = (path: string): boolean =>
    covered.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const refuse = (): never => {
    throw error('EROFS', 'the index of git is only read');
  };
  return {
    list: (folder) => {
      if (!covers(folder)) return below.list(folder);
      const names = folders.get(folder);
      if (names === undefined) throw error('ENOENT', `no such folder in the index: ${folder}`);
      return [...names]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, kind]) => ({ name, kind }));
    },
    names: (folder) => {
      if (!covers(folder)) return below.names(folder);
      return [...(folders.get(folder)?.keys() ?? [])];
    },
    stat: (path) => {
      if (!covers(path)) return below.stat(path);
      const entry = entries.get(path);
      if (entry !== undefined) {
        return entry.odd ? statOf('other', 0) : statOf('file', entry.bytes().length);
      }
      return folders.has(path) ? statOf('folder', 0) : undefined;
    },
    read: (path, bytes_max, options) => {
      if (!covers(path)) return below.read(path, bytes_max, options);
      const entry = entries.get(path);
      if (entry === undefined) throw error('ENOENT', `no such file in the index: ${path}`);
      if (entry.odd) throw new ReadRefused('not_a_file', 'a link or a submodule');
      const bytes = entry.bytes();
      if (bytes.length > bytes_max) {
        throw new ReadRefused('too_large', `more than ${bytes_max} bytes`);
      }
      return bytes;
    },
    create: refuse,
    rename: refuse,
    mkdir: refuse,
    remove: refuse,
    sync: refuse,
  };
}

function addTo(
  folders: Map<string, Map<string, Entry['kind']>>,
  path: string,
  kind: Entry['kind'],
): void {
  const at = path.lastIndexOf('/');
  if (at <= 0) return;
  const folder = path.slice(0, at);
  const names = folders.get(folder);
  if (names === undefined) addTo(folders, folder, 'folder');
  folders.set(folder, (names ?? new Map()).set(path.slice(at + 1), kind));
}

function statOf(kind: Stat['kind'], bytes: number): Stat {
  return { kind, bytes, mtime_ms: 0, ctime_ms: 0, inode: 0, device: 0, links: 1 };
}

function error(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
