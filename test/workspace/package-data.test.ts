/** Files of the package have more names where a package manager links them, as pnpm does. */
import { expect, test } from 'vitest';
import { Fault } from '../../src/task/core/model/problem.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { ReadRefused } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { packageData, packageText } from '../../src/workspace/open/package-data.ts';

/** FAKE: each file of it has a second name. */
const linked: Disk = {
  ...realDisk,
  read: (path, bytes_max, options) => {
    if (options?.single_link) throw new ReadRefused('not_a_file', 'it has a second name');
    return realDisk.read(path, bytes_max, options);
  },
};

test.each(['templates/teams/teams.yaml', 'templates/router/words.yaml'])('%s is read', (file) => {
  const data = packageData<object>({ disk: linked }, file);
  expect(Object.keys(data).length).toBeGreaterThan(2);
  expect(data).toEqual(packageData({ disk: realDisk }, file));
});

test('a file that is not there, and one that is no YAML, are a fault with a cure', () => {
  const missing = () => packageText({ disk: linked }, 'templates/none.yaml');
  expect(missing).toThrow('templates/none.yaml of this package: there is no such file');
  expect(() => packageData({ disk: linked }, 'templates/brief.hbs')).toThrow(Fault);
});
