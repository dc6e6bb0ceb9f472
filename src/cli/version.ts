/** The version of the package. The bundle holds it as a constant, so that it reads no file for it. */
import { readFileSync } from 'node:fs';

declare const CONTRACTS_VERSION: string | undefined;

export function packageVersion(): string {
  if (typeof CONTRACTS_VERSION === 'string') return CONTRACTS_VERSION;
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
