/** A workspace that is made by hand, and trusted before it has settings. */
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { grantsOf } from '../../src/trust/grants.ts';
import { trust, whyUntrusted } from '../../src/trust/trust.ts';
import { openedAt } from '../support/opened.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const UID = 61_001;
const IS_ROOT = process.getuid?.() === 0;

test('the answer holds when the runner makes the folder of settings', () => {
  const root = join(sealedFolder('by-hand'), 'ws');
  const own = (folder: string): void => {
    mkdirSync(folder);
    // Of somebody whose number is not the one that stands for nobody.
    if (IS_ROOT) chownSync(folder, UID, UID);
  };
  own(root);
  own(join(root, 'active_tasks'));
  const env = { ...process.env, CONTRACTS_TRUST: '', ...(IS_ROOT && { SUDO_UID: String(UID) }) };
  const ws = openedAt(root, { env });
  expect(whyUntrusted(ws)).toBeDefined();
  trust(ws, grantsOf(ws));
  expect(whyUntrusted(ws)).toBeUndefined();
  own(join(root, '.contracts'));
  expect(whyUntrusted(ws)).toBeUndefined();
});
