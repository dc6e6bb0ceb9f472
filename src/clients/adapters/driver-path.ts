/** Our programs that stand between the runner and an agent. The bundled command has another answer (scripts/bundle.mjs). */
import { fileURLToPath } from 'node:url';

export function driverPath(name: 'acp' | 'relay'): string {
  return fileURLToPath(new URL(`../../../dist/bin/${name}.cjs`, import.meta.url));
}
