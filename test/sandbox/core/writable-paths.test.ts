/** What a sandbox let a program write: the nearest place above decides, of two for one path the later. */
import { expect, test } from 'vitest';
import { reaches, reachOf } from '../../../src/sandbox/core/writable-paths.ts';

const reach = reachOf([
  { path: '/home', as: 'empty' },
  { path: '/home/ws', as: 'read' },
  { path: '/home/ws/src', as: 'write' },
  { path: '/home/ws/src/.git', as: 'read' },
  { path: '/home/ws/src/.git/objects', as: 'write' },
  { path: '/home/ws/docs', as: 'write' },
  { path: '/home/ws/docs', as: 'read' },
]);

test('is kept as what is open and what is shut in it', () => {
  expect(reach).toEqual({
    writes: ['/home/ws/src', '/home/ws/src/.git/objects'],
    shut: ['/home/ws/src/.git'],
  });
});

test.each([
  ['/home/ws/src', true],
  ['/home/ws/src/a.ts', true],
  ['/home/ws/srcs/a.ts', false],
  ['/home/ws/src/.git/config', false],
  ['/home/ws/src/.git/objects/a', true],
  ['/home/ws/docs/a.md', false],
  ['/elsewhere', false],
])('%s: %s', (path, open) => {
  expect(reaches(reach, path)).toBe(open);
});
