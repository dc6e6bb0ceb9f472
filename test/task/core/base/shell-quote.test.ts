/** Words of a command line, as a real shell reads them. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../../../src/task/core/base/shell-quote.ts';

const PLAIN = ['a', 'src/a.ts', '/tmp/x_1', 'KEY=a,b:c@d%e+f-g'];
const ODD = ['', 'a b', 'é', "it's", '"x"', '$HOME', '`id`', 'a\\b', '*', '~', 'a;b', '\n', '#'];

test('each word comes back, and is quoted only where it must be', () => {
  expect(PLAIN.map(shellWord)).toEqual(PLAIN);
  const words = [...PLAIN, ...ODD];
  const line = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
  const { stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(words);
});
