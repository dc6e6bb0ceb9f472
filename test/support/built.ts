/**
 * A build that is not of these sources would be tested in their place: binary.ts refuses it. Scripts that test with
 * another Node, or a copy without a part, say that theirs is meant.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Fresh {
  isFresh(root: string, sources: string): boolean;
  sourcesHash(root: string): string;
}

const FRESH = new URL('../../scripts/fresh.mjs', import.meta.url).href;

/** Once, before all workers, which inherit it. */
export async function setup(): Promise<void> {
  if (process.env['CONTRACTS_TEST_BUILD'] === 'theirs') return;
  const { isFresh, sourcesHash } = (await import(FRESH)) as Fresh;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const isOld = existsSync(join(root, 'dist')) && !isFresh(root, sourcesHash(root));
  process.env['CONTRACTS_TEST_BUILD'] = isOld ? 'old' : '';
}
