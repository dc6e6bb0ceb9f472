// Whether dist/ is what its sources make: the stamp of a build has the hash of all that it was made of, and
// that of all that it made. A build that was killed has no stamp or one that does not fit, and what is
// lost or strange in dist/ does not fit either.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A folder of builds in dist/, which is no part of the package: the stamp, the lock, what is being made. */
export const WORK = '.build';

/** What a build reads besides packages; the scripts are those that build.mjs imports. */
export const SOURCES = [
  'src',
  'templates',
  ...['build', 'bundle', 'fresh', 'load-source', 'lock', 'page', 'precompile'].map(
    (name) => `scripts/${name}.mjs`,
  ),
  'package.json',
  'package-lock.json',
  // The versions that are installed.
  'node_modules/.package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

export function sourcesHash(root) {
  const node = [process.version, process.platform, process.arch].join('-');
  return hashOf(
    root,
    SOURCES.flatMap((path) => filesIn(root, path)),
    node,
  );
}

/** Of all files of dist/ with their names, and whether they can be executed. */
export function productHash(root) {
  const dist = join(root, 'dist');
  return hashOf(
    dist,
    filesIn(dist, '.').filter((path) => !path.startsWith(`${WORK}/`)),
    '',
  );
}

export function isFresh(root, sources) {
  const stamp = textOf(stampOf(root))?.toString();
  return stamp !== undefined && stamp === stampText(sources, productHash(root));
}

export function stampOf(root) {
  return join(root, 'dist', WORK, 'stamp');
}

export function stampText(sources, product) {
  return `${sources} ${product}\n`;
}

/** Sorted; nothing where nothing is. */
export function filesIn(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
    .toSorted();
}

function hashOf(root, files, first) {
  const hash = createHash('sha256').update(first);
  for (const file of files) {
    const text = textOf(join(root, file));
    const mode = statSync(join(root, file), { throwIfNoEntry: false })?.mode ?? 0;
    hash.update(`\0${file}\0${mode & 0o100}\0${text?.length ?? -1}\0`).update(text ?? '');
  }
  return hash.digest('hex');
}

/** undefined where there is none: another build may have just taken it away. */
function textOf(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
