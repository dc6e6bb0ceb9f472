/** Deliverables that the agent may not write, found before a call that could only fail. */
import {
  refuseChange,
  type Permissions,
  type Change,
  type Refusal,
} from '../../../task/core/model/permissions.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import type { Report } from '../../../task/core/model/problem.ts';
import { inside } from '../../../task/store/tasks/tasks.ts';
import { agentsOf } from '../../../agents/engine/registry.ts';
import { permissionsFor } from './effective-permissions.ts';
import { executorOf, type Role } from '../../../agents/engine/roles.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export function checkPermissions(ws: Workspace, contract: Contract, report: Report): void {
  // The files of a pattern are not known yet.
  const paths = contract.head.deliverables.filter((path) => !/[*?[]/.test(path));
  for (const { name, path, refusal, fix = NO_AGENT } of refusedOf(ws, contract, paths)) {
    report(
      'beyond_permissions',
      `${name} has no permission for this deliverable: ${refusal.why}`,
      fix,
      {
        ...(refusal.strength === 'hard' ? {} : { severity: 'warning' }),
        found: path,
        keys: [`deliverables/${path}`, 'deliverables', 'agent'],
      },
    );
  }
}

/** How to permit that path; undefined where its agent may write it. */
export function permissionFor(ws: Workspace, contract: Contract, path: string): string | undefined {
  return refusedOf(ws, contract, [path])[0]?.fix;
}

interface Refused {
  readonly name: string;
  readonly path: string;
  readonly refusal: Refusal;
  /** undefined: no agent may write it. */
  readonly fix: string | undefined;
}

function refusedOf(
  ws: Workspace,
  contract: Contract,
  paths: readonly string[],
): readonly Refused[] {
  if (paths.length === 0) return [];
  const role = executorOf(ws, contract);
  const { name } = role;
  // A person has the permissions of the tree's owner.
  if (role.adapter?.mode === 'human') return [];
  // A packaged agent sets no permissions, so it is not read.
  const named = agentsOf(ws).isPlain(name) ? { name, definition: undefined } : role;
  const permissions = permissionsFor(ws.layout, named, contract);
  return paths.flatMap((path) => {
    const kind = inside(ws.disk, ws.layout.root, path).ok ? 'write' : 'create';
    const refusal = refuseChange(permissions, { kind, path });
    if (refusal === undefined) return [];
    return [{ name, path, refusal, fix: fixFor(contract, role, permissions, { kind, path }) }];
  });
}

const NO_AGENT = 'Take it out: no agent may write it';

/** A contract only narrows: a line there helps where it does; else the agent needs the line. */
function fixFor(
  contract: Contract,
  role: Role,
  permissions: Permissions,
  change: Change,
): string | undefined {
  const { within: _, ...own } = permissions;
  const { definition } = role;
  const { file, client } = definition ?? {};
  const plain = (glob: string) => (/^[\w.]/.test(glob) ? glob : `"${glob}"`);
  const line = (globs: readonly string[], key = 'write') =>
    `${key}: [${[...globs, change.path].map(plain).join(', ')}]`;
  if (refuseChange(own, change) === undefined)
    return `Write under write: of the contract: ${line(contract.head.write ?? [])}`;
  const given = { ...own, write: [change.path], create: [change.path] };
  if (refuseChange(given, change) !== undefined) return undefined;
  const isOurs = file !== undefined && client === undefined && !file.startsWith('templates/');
  const where = isOurs ? file : `.contracts/config.yaml, under agents: ${role.name}:`;
  const key = own.write.join() === own.create.join() ? 'write' : change.kind;
  return `Name an agent that may, or add to ${where} ${line(definition?.[key] ?? own[key], key)}`;
}

export function checkReviewer(
  ws: Workspace,
  executor: Role,
  reviewer: Role,
  keys: readonly string[],
  report: Report,
): void {
  if (ws.config.reviewer_client !== 'other') return;
  if (clientOf(executor) !== clientOf(reviewer)) return;
  report(
    'same_client',
    `the reviewer ${reviewer.name} uses the client that does the work, and reviewer_client is other`,
    'Give the reviewer another adapter in .contracts/config.yaml, or name person',
    { found: reviewer.adapter_name, keys },
  );
}

/** By program: two adapters may use the same one. */
function clientOf({ adapter, adapter_name }: Role): string {
  return adapter?.client?.program ?? adapter?.program ?? adapter_name;
}
