/** What a sandbox shows of the folders of a client. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientFolders } from '../../src/clients/adapters/client-folders.ts';
import { clientPlaces } from '../../src/sandbox/engine/client-mounts.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

test('the key to the server of the person is hidden from OpenCode, and all its folders can be written', () => {
  const HOME = sealedFolder('home');
  for (const [folder, file] of [
    ['.config/opencode', 'service.json'],
    ['.config/opencode', 'opencode.json'],
    ['.local/state/opencode', 'service.json'],
    ['.local/state/opencode', 'service-beta.json'],
    ['.local/state/opencode', 'other.json'],
  ] as const) {
    mkdirSync(join(HOME, folder), { recursive: true });
    writeFileSync(join(HOME, folder, file), '{}');
  }
  const all = clientFolders('opencode')({ HOME });
  const places = all.flatMap((folder) => clientPlaces(folder, '/w', '').places);
  const as = (path: string) => places.find((one) => one.path === join(HOME, path))?.as;
  // Not shown in a folder that is empty for each call, and veiled in one that is the person's.
  expect(as('.config/opencode/service.json')).toBeUndefined();
  expect(as('.config/opencode/opencode.json')).toBe('read');
  expect(as('.local/state/opencode/service.json')).toBe('veiled');
  expect(as('.local/state/opencode/service-beta.json')).toBe('veiled');
  expect(as('.local/state/opencode/other.json')).toBe('read');
  // The sixth is in the folder for temporary files, which each sandbox has.
  const folders = all.map(({ path }) => as(path.slice(HOME.length + 1)));
  expect(folders).toEqual(['empty', 'write', 'write', 'empty']);
});
