/** The parents of a child task, and contracts wherever their tasks are now. Reads. */
import type { Contract } from '../../task/core/model/contract.ts';
import { lastFolder } from '../../engine/board/archive.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const ANCESTORS_MAX = 100;

/** The nearest first. */
export function ancestors(ws: Workspace, contract: Contract): readonly string[] {
  const found: string[] = [];
  for (let at = contract.head.parent; at !== undefined && found.length < ANCESTORS_MAX;) {
    if (found.includes(at)) break;
    found.push(at);
    at = contractOf(ws, at)?.head.parent;
  }
  return found;
}

export function contractOf(ws: Workspace, id: string): Contract | undefined {
  const { contract } = readContract(ws, lastFolder(ws, id), id);
  return contract.ok ? contract.value : undefined;
}
