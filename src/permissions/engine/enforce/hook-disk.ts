/** The disk as a hook sees it. It throws where it cannot look, and the hook denies. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Look } from '../../core/judge-tool.ts';
import { unlessGone } from '../../../task/store/disk/disk.ts';
import { TEXT_BYTES_MAX } from '../../../task/store/tasks/layout.ts';

const LOG_BYTES_MAX = 1024 * 1024;

export const hookLook: Look = {
  real,
  kind: (path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isDirectory() ? 'folder' : 'file';
  },
  text: (path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > TEXT_BYTES_MAX) return undefined;
    return readFileSync(path, 'utf8');
  },
};

/** Milliseconds since 1970; what is not there is still to be born. */
export function bornAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? Infinity;
}

/** Follows links as far as the path exists. */
function real(path: string, depth = 0): string {
  const found = unlessGone(() => realpathSync(path), undefined);
  if (found !== undefined) return found;
  const parent = dirname(path);
  if (parent === path || depth > 200) return path;
  const above = real(parent, depth + 1);
  const here = join(above, basename(path));
  const dangling = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (dangling) throw new Error(`${path} is a link that leads nowhere`);
  return here;
}

/** Nothing is added to a full log. */
export function addLine(path: string, line: string): void {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    if (fstatSync(fd).size < LOG_BYTES_MAX) writeSync(fd, `${line}\n`);
  } finally {
    closeSync(fd);
  }
}
