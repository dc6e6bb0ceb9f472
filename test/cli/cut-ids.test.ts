import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutId, idCutter } from '../../src/cli/output/shorten-ids.ts';

test.each([
  ['build_20261121_login-endpoint_k3f9', 40, 'build_20261121_login-endpoint_k3f9'],
  ['build_20261121_login-endpoint_k3f9', 20, 'build…-endpoint_k3f9'],
  ['build_20261121_login-endpoint_k3f9', 2, 'b…'],
  ['build_20261121_login-endpoint_k3f9', 0, ''],
])('%s in %d cells', (id, cells, expected) => {
  expect(cutId(id, cells)).toBe(expected);
});

test('those that are alike at both ends show where they part', () => {
  const ids = ['build_one_the-very-same-end-of-it', 'build_two_the-very-same-end-of-it', 'short'];
  const cut = idCutter(ids, 16);
  expect(ids.map(cut)).toEqual(['…ild_one_the-ve…', '…ild_two_the-ve…', 'short']);
});

test('never wider than the room, and two that part at one place are told apart', () => {
  const part = fc.stringMatching(/^[a-z0-9_-]{0,25}$/);
  fc.assert(
    fc.property(part, part, fc.integer({ min: 4, max: 30 }), (start, end, cells) => {
      const ids = ['a', 'b', 'c'].map((one) => `x${start}${one}${end}`);
      const short = ids.map(idCutter(ids, cells));
      for (const one of short) expect(one.length).toBeLessThanOrEqual(cells);
      expect(new Set(short).size).toBe(3);
    }),
  );
});
