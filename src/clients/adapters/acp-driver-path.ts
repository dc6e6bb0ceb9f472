/**
 * Where the driver of ACP agents lies: a program of its own beside the command, so that the command
 * carries nothing of the protocol. The bundled command has its own answer in place of this file
 * (scripts/bundle.mjs).
 */
import { fileURLToPath } from 'node:url';

export function acpProgram(): string {
  return fileURLToPath(new URL('../../../dist/bin/acp.cjs', import.meta.url));
}
