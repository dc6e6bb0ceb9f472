/** doctor: what writers that died left below .contracts/ is found by its form, wherever it is. */
import { existsSync, readFileSync, utimesSync } from 'node:fs';
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
/** Of a person. */
const OTHERS = ['squads/legal/.tmp-mine', `plans/.newer-${FORM}`].map(
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

const EMPTY_OF_INIT = [
  '.contracts/config.yaml',
  '.contracts/archive/.gitignore',
  'active_tasks/.gitignore',
];
const EMPTY = [
  '.contracts/skills/a/SKILL.md',
  '.contracts/skills/b.md',
  '.contracts/squads/c/SQUAD.yaml',
  '.contracts/plans/d/plan.md',
  '.contracts/direction.md',
];

test.each(['', '\uFEFF', '\n \r\n'])(
  'files of ours without their text are named: %j',
  async (text) => {
    const root = sealedFolder('empty');
    const agent = '.contracts/agents/e.md';
    for (const file of [...EMPTY_OF_INIT, ...EMPTY, agent]) putFile(join(root, file), text);
    putFile(join(root, '.contracts/plans/d/notepad/x.md'), text);
    for (const verb of ['doctor', 'check']) {
      const { out, err } = await saidHere(['-C', root, verb], { env: sealedEnv() });
      const named = (out + err).split('\n').filter((line) => line.includes('file is empty'));
      const fix = (file: string) => (EMPTY_OF_INIT.includes(file) ? 'contracts init' : 'remove it');
      for (const file of [...EMPTY_OF_INIT, ...EMPTY, agent])
        expect(named, verb).toContainEqual(
          expect.stringMatching(new RegExp(`^${file}(?::1:1)?: warning: .*${fix(file)}$`)),
        );
      expect(named).toHaveLength(9);
    }
  },
);

test('an agent in an empty file is none', async () => {
  const root = sealedFolder('empty');
  putFile(join(root, '.contracts/agents/builder.md'), '\n');
  const argv = ['-C', root, 'agents', 'show', 'builder'];
  const { out, err, code } = await saidHere(argv, { env: sealedEnv() });
  expect([out + err, code]).toEqual([expect.stringContaining('this file is empty'), 1]);
});

test('init writes the text of blank files, and keeps what has one', async () => {
  const root = sealedFolder('blank');
  putFile(join(root, '.contracts/config.yaml'), '\uFEFF\n\n');
  putFile(join(root, 'active_tasks/.gitignore'), '# mine\n');
  await saidHere(['-C', root, 'init', '--yes'], { env: sealedEnv() });
  expect(readFileSync(join(root, '.contracts/config.yaml'), 'utf8')).toContain('adapter:');
  expect(readFileSync(join(root, 'active_tasks/.gitignore'), 'utf8')).toBe('# mine\n');
});

test.each(['active_tasks/ready', 'active_tasks/done', 'active_tasks/.desk', '.contracts/archive'])(
  'a file where a folder of ours belongs: %s',
  async (path) => {
    const root = sealedFolder('no-folder');
    putFile(join(root, '.contracts/config.yaml'), 'adapter: human\n');
    putFile(join(root, path), 'hello');
    for (const argv of [['doctor'], ['doctor', '--fix'], ['init', '--yes'], ['check']]) {
      const { out, err, code } = await saidHere(['-C', root, ...argv], { env: sealedEnv() });
      expect(out + err, argv.join(' ')).toMatch(
        new RegExp(`^${path}: error: .*Put a real folder there`, 'm'),
      );
      expect(code, argv.join(' ')).not.toBe(0);
    }
    expect(readFileSync(join(root, path), 'utf8')).toBe('hello');
  },
);
