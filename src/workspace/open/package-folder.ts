/** The package's own folder. The bundled command has another answer (scripts/bundle.mjs). */
import { fileURLToPath } from 'node:url';

export function packageFolder(): string {
  return fileURLToPath(new URL('../../../', import.meta.url));
}
