import { expect, test } from 'vitest';
import { expandPath } from '../../../src/task/core/base/expand-path.ts';

const env = { HOME: '/home/me', TOOLS: '/opt/tools', EMPTY: '', COST: '$5 $HOME' };

test.each([
  ['~', '/home/me'],
  ['~/bin/agent', '/home/me/bin/agent'],
  ['$TOOLS/agent', '/opt/tools/agent'],
  ['${TOOLS}s/agent', '/opt/toolss/agent'],
  ['a$EMPTY/b', 'a/b'],
  ['$COST', '$5 $HOME'],
  ['$NOPE/${NOPE}', '$NOPE/${NOPE}'],
  ['~other/x', '~other/x'],
  ['a/~', 'a/~'],
  ['{{root}}/agent', '{{root}}/agent'],
  ['$', '$'],
])('%s is %s', (path, expanded) => {
  expect(expandPath(path, env)).toBe(expanded);
});

test('without a home ~ stays', () => {
  expect(expandPath('~/x', {})).toBe('~/x');
});
