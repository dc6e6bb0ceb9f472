/**
 * The children of a task, read from its folder alone: each round of delegation is an attempt whose kept
 * desk names them.
 */
import { childTaskId } from '../core/child-rules.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { keptDesk } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export const CHILDREN = 'children';

export interface Child {
  readonly id: string;
  /** The file on the desk, without `.md`. */
  readonly name: string;
  /** From 1. */
  readonly round: number;
}

export function rounds(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ lost, outcome }) => !lost && outcome?.outcome === 'delegated');
}

export function childrenOf(
  ws: Workspace,
  folder: string,
  id: string,
  attempts: readonly Attempt[],
): readonly Child[] {
  return rounds(attempts).flatMap((attempt, i) =>
    childNames(ws, keptDesk(folder, attempt)).map((name) => ({
      id: childTaskId(id, i + 1, name, sha256),
      name,
      round: i + 1,
    })),
  );
}

/** The names of the files on a desk that can be children. */
export function childNames(ws: Workspace, desk: string): readonly string[] {
  if (ws.disk.stat(desk)?.kind !== 'folder') return [];
  const folder = `${desk}/${CHILDREN}`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return [];
  return listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    const stem = name.endsWith('.md') ? name.slice(0, -'.md'.length) : '';
    return kind === 'file' && isTaskId(stem) ? [stem] : [];
  });
}
