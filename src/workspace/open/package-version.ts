/** The version of the package. The bundled command has it built in (scripts/bundle.mjs). */
import { join } from 'node:path';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { packageFolder } from './package-folder.ts';

const BYTES_MAX = 64 * 1024;
let known: string | undefined;

export function packageVersion(): string {
  if (known !== undefined) return known;
  const bytes = realDisk.read(join(packageFolder(), 'package.json'), BYTES_MAX);
  const { version } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { version: string };
  return (known = version);
}
