/** Random names, also where the device of the kernel is missing or something else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nonce } from '../../src/process/nonce.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

test('all differ, however many are taken at once', () => {
  const made = Array.from({ length: 100 }, () => nonce());
  for (const one of made) expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(made).size).toBe(made.length);
});

test('all differ, whatever is in the place of the device', () => {
  const room = sealedFolder('nonce');
  const file = join(room, 'same');
  writeFileSync(file, 'a'.repeat(64));
  const devices = [undefined, '/dev/null', file, room, join(room, 'none')];
  const made = devices.flatMap((device) => [nonce(device), nonce(device)]);
  for (const one of made) expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(made).size).toBe(made.length);
  expect(made).not.toContain('0'.repeat(32));
});
