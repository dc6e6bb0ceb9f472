/**
 * Files that are no files: FIFO, device, socket, folder, link, a gigabyte. In every place where the
 * runner reads one; a naive read of a FIFO hangs for ever, and so would the test.
 */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { afterEach } from 'vitest';
import type { House } from './house.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Maker = (path: string, house: House) => void | Promise<void>;

/** What a harmless file of that name would say is in `twin.md`: a link to it must not count. */
const MAKERS: Readonly<Record<string, Maker>> = {
  FIFO: (path) => void spawnSync('mkfifo', [path]),
  socket: (path) =>
    new Promise((resolve) => {
      // By a short relative name: a socket's path has little room.
      const server = createServer();
      servers.push(server);
      const here = process.cwd();
      process.chdir(dirname(path));
      server.listen(`./${basename(path)}`, () => resolve());
      process.chdir(here);
    }),
  folder: (path) => void mkdirSync(path),
  'symbolic link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'symbolic link to a good file': (path, house) => symlinkSync(house.path('twin.md'), path),
  'hard link to a good file': (path, house) => linkSync(house.path('twin.md'), path),
  '1 GB file': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 1_000_000_000);
  },
};
const MAY_MAKE_DEVICES =
  spawnSync('sh', ['-c', 'f=$(mktemp -u); mknod $f c 1 5 && rm $f']).status === 0;
export const ALL = { ...MAKERS, ...(MAY_MAKE_DEVICES ? { 'device /dev/zero': device } : {}) };
function device(path: string): void {
  spawnSync('mknod', [path, 'c', '1', '5']);
}

export const KINDS = Object.entries(ALL);
export const refusalOf = (kind: string) =>
  kind === '1 GB file'
    ? ({ code: 'too_large', says: 'it has 1000000000 bytes' } as const)
    : ({ code: 'not_a_file', says: /regular file|symbolic link|hard link/ } as const);

export async function put(house: House, file: string, make: Maker, twin: string): Promise<void> {
  house.write('twin.md', twin);
  rmSync(house.path(file), { force: true });
  await make(house.path(file), house);
}
