/** Without each capability, each alone, and without any: types, command and golden cases (scripts/take-out.mjs). */
import { expect, test } from 'vitest';
import { runAlone } from '../support/run-alone.ts';

test('each capability can be taken out, stands alone, and the engine stands without any', () => {
  expect(runAlone(['scripts/take-out.mjs', '--all'])).toBe(0);
});
