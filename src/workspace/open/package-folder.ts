/**
 * Where the files of the package lie that are no code: schemas/. The bundled command, which lies
 * elsewhere, has its own answer in place of this file (scripts/bundle.mjs).
 */
import { fileURLToPath } from 'node:url';

export function packageFolder(): string {
  return fileURLToPath(new URL('../../../', import.meta.url));
}
