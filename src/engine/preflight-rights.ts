/**
 * What of a contract its agent has no right to: deliverables that it may not make. Told before
 * anything is called, as warnings: the rules themselves hold at the call. And a reviewer that is
 * called by the very client of the executor, where another one is wanted.
 */
import { refuseChange } from '../core/authority.ts';
import type { Contract } from '../core/contract.ts';
import type { ProblemCode } from '../core/problem.ts';
import { inside } from '../store/tasks.ts';
import { agentsOf } from './agent-book.ts';
import { authorityFor } from './attempt/authority.ts';
import { executorOf, type Role } from './roles.ts';
import type { Workspace } from './workspace.ts';

/** Of pre-flight: a problem with the keys of the contract that are to blame. */
type Say = (
  code: ProblemCode,
  message: string,
  fix: string,
  extra?: { severity?: 'warning'; found?: string; expected?: string; keys?: readonly string[] },
) => void;

export function checkRights(ws: Workspace, contract: Contract, say: Say): void {
  const { deliverables } = contract.head;
  if (deliverables.length === 0) return;
  const role = executorOf(ws, contract);
  // A person has the rights of the tree's owner, by whatever name.
  if (role.adapter?.mode === 'human') return;
  // What comes with the package says nothing of rights, and is not read for that.
  const isPlain = agentsOf(ws).isPlain(role.name);
  const named = isPlain ? { name: role.name, definition: undefined } : role;
  const authority = authorityFor(ws.layout, named, contract);
  for (const path of deliverables) {
    // What a pattern will match is not known before it is made.
    if (/[*?[]/.test(path)) continue;
    const kind = inside(ws.disk, ws.layout.root, path).ok ? 'write' : 'create';
    const refusal = refuseChange(authority, { kind, path });
    if (refusal === undefined) continue;
    const { within: _, ...own } = authority;
    const narrowed = refuseChange(own, { kind, path }) === undefined;
    const fix = narrowed ? WIDEN : OTHERS;
    say('beyond_rights', `${role.name} has no right to this deliverable: ${refusal.why}`, fix, {
      severity: 'warning',
      found: path,
      keys: [`deliverables/${path}`, 'deliverables', 'agent'],
    });
  }
}

/** The contract itself keeps it from that; else it only narrows, and no key of it helps. */
const WIDEN = 'Name it under write: of the contract too';
const OTHERS = 'Name an agent who may, or give this one more in its file or in config.yaml';

/** `reviewer_client: other` */
export function checkReviewer(
  ws: Workspace,
  executor: Role,
  reviewer: Role,
  keys: readonly string[],
  say: Say,
): void {
  if (ws.config.reviewer_client !== 'other') return;
  if (clientOf(executor) !== clientOf(reviewer)) return;
  say(
    'same_client',
    `the reviewer ${reviewer.name} is called by the client that does the work, and reviewer_client is other`,
    'Give the reviewer another adapter in .contracts/config.yaml, or name person',
    { found: reviewer.adapter_name, keys },
  );
}

/** Two names for one program are one client. */
function clientOf({ adapter, adapter_name }: Role): string {
  return adapter?.client?.program ?? adapter?.program ?? adapter_name;
}
