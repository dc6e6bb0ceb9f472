/**
 * For a verb that looks once at thousands of tasks and ends: V8 compiles what is called often once
 * more, optimised, beside the work. In half a second that costs more than it gives back, so it is told
 * to wait longer before it does. Only where the heads of contracts are known already (what parses them
 * all anew is better for it), and only in the version of Node that knows the flag.
 */
import { setFlagsFromString } from 'node:v8';
import { hasKnownContracts } from '../engine/contract-cache.ts';
import type { Workspace } from '../engine/workspace.ts';

/** Node 22 and 24 do not know it, and say so on stderr. */
const KNOWN_BY = '20';

export function shortRun(ws: Workspace): void {
  const [major = ''] = process.versions.node.split('.');
  if (major === KNOWN_BY && hasKnownContracts(ws)) setFlagsFromString('--interrupt-budget=5000000');
}
