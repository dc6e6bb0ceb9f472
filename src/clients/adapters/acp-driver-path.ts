/** The driver of ACP agents, a program of its own. The bundled command has another answer (scripts/bundle.mjs). */
import { fileURLToPath } from 'node:url';

export function acpProgram(): string {
  return fileURLToPath(new URL('../../../dist/bin/acp.cjs', import.meta.url));
}
