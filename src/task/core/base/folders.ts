/**
 * Which folders must be open to writing so that some globs can be written: a sandbox knows folders, no
 * globs. Paths are relative with forward slashes; `.` is the whole workdir. A glob that is not a folder
 * opens the nearest one and is named, so that the report can say what the sandbox did not hold.
 * Pure; never opens what is the runner's own or git's.
 */
export interface OpenFolders {
  /** Sorted, none inside another. */
  readonly folders: readonly string[];
  /** Globs for which more is open than they name. */
  readonly wider: readonly string[];
}

export function openFolders(globs: readonly string[], guarded: readonly string[]): OpenFolders {
  const opened = [...new Set(globs)].sort().flatMap((glob) => {
    const folder = folderOf(glob);
    if (folder === undefined || guarded.some((one) => isWithin(one, folder))) return [];
    return { glob, folder, exact: glob === (folder === '.' ? '**' : `${folder}/**`) };
  });
  const whole = opened.filter(({ exact }) => exact);
  const folders = [...new Set(opened.map(({ folder }) => folder))].sort();
  return {
    folders: folders.filter((one) => !folders.some((up) => up !== one && isWithin(up, one))),
    wider: opened
      .filter(({ folder }) => !whole.some((one) => isWithin(one.folder, folder)))
      .map(({ glob }) => glob),
  };
}

/** The folder in which everything that a glob can mean lies; undefined for one that leads out. */
function folderOf(glob: string): string | undefined {
  const segments = glob.split('/');
  if (glob.startsWith('/') || segments.includes('..')) return undefined;
  const fixed = segments.slice(0, -1).filter((segment) => segment !== '' && segment !== '.');
  const meta = fixed.findIndex((segment) => /[*?[\]{}!\\]/.test(segment));
  const folder = (meta === -1 ? fixed : fixed.slice(0, meta)).join('/');
  return folder === '' ? '.' : folder;
}

/** `inner` is `outer` or lies in it. */
export function isWithin(outer: string, inner: string): boolean {
  if (outer === '.' || outer === inner) return true;
  return inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
