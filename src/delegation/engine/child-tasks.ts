/** The children of a task: each round of delegation is an attempt whose kept desk names them. */
import { childTaskId } from '../core/child-rules.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { lastFolder } from '../../engine/board/archive.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { keptDesk, readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export const CHILDREN = 'children';
/** On the desk of a child. */
const NOTE = 'note.md';
const NOTE_CHARS_MAX = 1_000;

export function rounds(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ lost, outcome }) => !lost && outcome?.outcome === 'delegated');
}

export function childrenOf(
  ws: Workspace,
  folder: string,
  id: string,
  attempts: readonly Attempt[],
) {
  return rounds(attempts).flatMap((attempt, i) =>
    childNames(ws, keptDesk(folder, attempt)).map((name) => ({
      id: childTaskId(id, i + 1, name, sha256),
      /** The file on the desk, without `.md`. */
      name,
    })),
  );
}

/** The names of the files on a desk that can be children. */
export function childNames(ws: Workspace, desk: string): readonly string[] {
  const folder = `${desk}/${CHILDREN}`;
  if ([desk, folder].some((one) => ws.disk.stat(one)?.kind !== 'folder')) return [];
  return listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    const stem = name.endsWith('.md') ? name.slice(0, -'.md'.length) : '';
    return kind === 'file' && isTaskId(stem) ? [stem] : [];
  });
}

/** Lines for the task that had it made, from the desks of all its attempts, the newest last. They are an agent's words. */
export function noteFrom(ws: Workspace, id: string): string {
  const folder = lastFolder(ws, id);
  const desks = readAttempts(ws, folder, id).attempts.map((one) => keptDesk(folder, one));
  const texts = [...new Set(desks)].map((desk) =>
    ws.disk.stat(desk)?.kind === 'folder' ? textIfThere(ws.disk, `${desk}/${NOTE}`)?.trim() : '',
  );
  const all = texts.filter(Boolean).join('\n\n');
  return all.length <= NOTE_CHARS_MAX ? all : `… ${all.slice(-NOTE_CHARS_MAX)}`;
}

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
