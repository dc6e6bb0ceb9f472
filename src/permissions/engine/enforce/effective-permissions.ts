/** The permissions of a role in a contract, which only narrows. An invalid pattern allows nothing. */
import { relative } from 'node:path';
import {
  narrowed,
  OPEN,
  PROTECTED,
  type Permissions,
} from '../../../task/core/model/permissions.ts';
import { ofTask, rowOf } from '../../core/roles.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { writesOf } from '../../../task/core/base/glob-overlap.ts';
import { shellPattern } from '../../core/tools.ts';
import type { Layout } from '../../../task/store/tasks/layout.ts';
import { checkGlob } from '../../../task/text/documents/paths.ts';
import type { Role } from '../../../agents/engine/roles.ts';

type Named = Pick<Role, 'name' | 'definition'> & Partial<Pick<Role, 'adapter'>>;

export function permissionsFor(layout: Layout, role: Named, contract: Contract): Permissions {
  const listed = role.definition?.tools;
  const keeps = role.adapter?.by_shell === true && !listed?.some(shellPattern);
  const tools = listed && [...new Set([...listed, ...(keeps ? ['shell'] : [])])];
  const named = writesOf(contract.head);
  const all = ofTask(ownPermissions(layout, role), contract);
  const own = { ...all, named, ...(tools && { tools }) };
  const { write } = contract.head;
  return write === undefined ? own : narrowed(own, sound(write));
}

/** With the folder of tasks, wherever the configuration has it. */
export function ownPermissions({ root, tasks }: Layout, role: Named): Permissions {
  const kept = [...new Set<string>([...PROTECTED, relative(root, tasks)])];
  return { ...permissionsOf(role), kept };
}

function permissionsOf({ name, definition }: Named): Permissions {
  const row = rowOf({ name, definition })?.permissions;
  const base = row ?? OPEN;
  if (definition === undefined) return base;
  const { write, create = write, append, git, strength } = definition;
  // An agent with its own list of files may delete them; a row of the matrix decides for itself.
  const remove = definition.delete ?? row?.delete ?? write ?? base.delete;
  const grow = append ?? (row === undefined && write !== undefined ? [] : base.append);
  return {
    write: sound(write ?? base.write),
    create: sound(create ?? base.create),
    delete: sound(remove),
    append: sound(grow),
    git: git ?? base.git,
    strength: strength ?? base.strength,
  };
}

function sound(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => checkGlob(glob) === undefined);
}
