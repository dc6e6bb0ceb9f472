/** doctor: what writers that died left below .contracts/ is found by its form, wherever it is. */
import { existsSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { saidHere } from '../support/command-room.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const FORM = '0123456789abcdef0123456789abcdef';
const OURS = [
  `keys/.new-${FORM}`,
  `imported/.tmp-${FORM}`,
  `memory/insight/.tmp-${FORM}`,
  `assumptions/.tmp-${FORM}`,
  `handoffs/.tmp-${FORM}`,
  `archive/old/attempts/0001/.tmp-${FORM}`,
  `archive/old/attempts/.new-${FORM}/owner.md`,
  `cache/rows/.tmp-${FORM}`,
  `squads/legal/agents/.tmp-${FORM}`,
  `plans/.new-${FORM}`,
  `plans/one/runs/.tmp-${FORM}`,
  `a/folder/of/tomorrow/.tmp-${FORM}`,
].map((path) => `.contracts/${path}`);
/** Of a person, and of a tree of the project. */
const OTHERS = ['squads/legal/.tmp-mine', `worktrees/one/.tmp-${FORM}`, `plans/.newer-${FORM}`].map(
  (path) => `.contracts/${path}`,
);

test('temporaries below .contracts/ are named and removed, and nothing else', async () => {
  const root = sealedFolder('temporaries');
  const old = new Date(Date.now() - 3 * 3_600_000);
  for (const path of [...OURS, ...OTHERS]) {
    putFile(join(root, path), 'half');
    for (const one of [path, dirname(path)]) utimesSync(join(root, one), old, old);
  }
  const doctor = async (...argv: string[]): Promise<string> => {
    const { out, err } = await saidHere(['-C', root, 'doctor', ...argv], { env: sealedEnv() });
    return out + err;
  };
  const told = (await doctor()).split('\n').filter((line) => line.includes('left this behind'));
  const places = OURS.map((path) => path.replace('/owner.md', ''));
  expect(told.map((line) => line.split(':')[0]).toSorted()).toEqual(places.toSorted());
  expect(await doctor('--fix')).not.toContain('contracts doctor --fix removes it');
  const left = [...OURS, ...OTHERS].filter((path) => existsSync(join(root, path)));
  expect(left).toEqual(OTHERS);
});

test('files of ours without their text are named', async () => {
  const root = sealedFolder('empty');
  const files = [
    '.contracts/config.yaml',
    '.contracts/archive/.gitignore',
    'active_tasks/.gitignore',
  ];
  for (const file of files) putFile(join(root, file), '');
  const { out, err } = await saidHere(['-C', root, 'doctor'], { env: sealedEnv() });
  for (const file of files) expect(out + err).toContain(`${file}:1:1: warning: this file is empty`);
});
