/** What the judge of tool calls must know of the disk. Changes nothing; what cannot be read is not there. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Look } from '../../permissions/core/judge-tool.ts';
import { orNothing, realOf } from '../../process/path-kind.ts';

const TEXT_BYTES_MAX = 16 * 1024 * 1024;

export const diskLook: Look = {
  real: (path) => realAsFar(path, 0),
  kind: (path) => orNothing(() => (lstatSync(path).isDirectory() ? 'folder' : 'file')),
  text: (path) =>
    orNothing(() => {
      const stat = statSync(path);
      return stat.isFile() && stat.size <= TEXT_BYTES_MAX ? readFileSync(path, 'utf8') : undefined;
    }),
};

/** A link to nothing keeps its own name: what is written there is refused when it is opened. */
function realAsFar(path: string, depth: number): string {
  const real = realOf(path);
  const parent = dirname(path);
  if (real !== undefined || parent === path || depth > 200) return real ?? path;
  return join(realAsFar(parent, depth + 1), basename(path));
}
