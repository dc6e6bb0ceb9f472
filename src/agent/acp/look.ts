/**
 * What the judge of tool calls must know of the disk: where a path really leads, what stands there,
 * and the text of a file that may only grow. Changes nothing; what cannot be read is not there.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Look } from '../../core/judge-tool.ts';

const TEXT_BYTES_MAX = 16 * 1024 * 1024;

export const diskLook: Look = {
  real: (path) => realAsFar(path, 0),
  kind: (path) => {
    try {
      const stat = lstatSync(path);
      return stat.isDirectory() ? 'folder' : 'file';
    } catch {
      return undefined;
    }
  },
  text: (path) => {
    try {
      const stat = statSync(path);
      if (!stat.isFile() || stat.size > TEXT_BYTES_MAX) return undefined;
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
};

/** A link to nothing keeps its own name: what is written there is refused when it is opened. */
function realAsFar(path: string, depth: number): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || depth > 200) return path;
    return join(realAsFar(parent, depth + 1), basename(path));
  }
}
