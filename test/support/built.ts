/**
 * A build that is not of these sources would be tested in their place. That there is none is said by each test
 * that needs it. Scripts that test with another Node, or a copy without a part, say that they know.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Fresh {
  isFresh(root: string, sources: string): boolean;
  sourcesHash(root: string): string;
}

const FRESH = new URL('../../scripts/fresh.mjs', import.meta.url).href;

export async function setup(): Promise<void> {
  if (process.env['CONTRACTS_TEST_BUILD'] === 'theirs') return;
  const { isFresh, sourcesHash } = (await import(FRESH)) as Fresh;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (!existsSync(join(root, 'dist')) || isFresh(root, sourcesHash(root))) return;
  throw new Error('dist/ is not what these sources make: npm run build');
}
