/**
 * Where a task stands among those that were made of others: its contract wherever it is by now, and who
 * is above it. Looks at the disk; bounded.
 */
import type { Contract } from '../../task/core/model/contract.ts';
import { lastFolder } from '../../engine/board/archive.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const ANCESTORS_MAX = 100;

/** From the nearest up. */
export function ancestors(ws: Workspace, contract: Contract): readonly string[] {
  const found: string[] = [];
  for (let at = contract.head.parent; at !== undefined && found.length < ANCESTORS_MAX;) {
    if (found.includes(at)) break;
    found.push(at);
    at = contractOf(ws, at)?.head.parent;
  }
  return found;
}

/** Undefined where there is none that can be read. */
export function contractOf(ws: Workspace, id: string): Contract | undefined {
  const { contract } = readContract(ws, lastFolder(ws, id), id);
  return contract.ok ? contract.value : undefined;
}
