/**
 * Before the tests: says once, aloud, when the real agent clients are not installed and their tests
 * are therefore left out; where they must not be, nothing runs at all.
 */
import { clientsMissing } from './clients.ts';

export function setup(): void {
  const missing = clientsMissing();
  if (missing.length === 0) return;
  const names = missing.join(', ');
  process.stderr.write(
    `\nNot installed: ${names}. Their tests are skipped; node scripts/install-clients.mjs brings them.\n`,
  );
}
