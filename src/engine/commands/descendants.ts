/**
 * The live tasks below a task, deepest first, so that an abort that is interrupted can be repeated with
 * the same words.
 */
import { isTerminal } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { partsOf } from '../../workspace/tasks/capability.ts';
import { readBoard } from '../board/board.ts';
import { neighboursOf } from '../board/relations.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function withAllBelow(ws: Workspace, ids: readonly string[]): readonly string[] {
  const board = readBoard(ws, { quick: true });
  const { children } = neighboursOf(ws, board);
  const found = new Set<string>();
  const walk = (id: string, above: ReadonlySet<string>): void => {
    if (above.has(id)) return;
    const named = (children.get(id) ?? []).map((task) => task.id);
    for (const one of new Set([...named, ...ownChildren(ws, id)])) {
      if (isLive(ws, one)) walk(one, new Set([...above, id]));
    }
    found.add(id);
  };
  for (const id of ids) walk(id, new Set());
  return [...found];
}

/** Also of one whose contract nobody can read any more. */
function ownChildren(ws: Workspace, id: string): readonly string[] {
  const [state] = locate(ws.disk, ws.layout, id);
  if (state === undefined) return [];
  const folder = taskFolder(ws.layout, state, id);
  const { attempts } = readAttempts(ws, folder, id);
  return partsOf(ws, { id, folder, attempts });
}

function isLive(ws: Workspace, id: string): boolean {
  return locate(ws.disk, ws.layout, id).some((state) => !isTerminal(state));
}
