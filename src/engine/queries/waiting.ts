/** What waits for a person, in the order in which it is best looked at. */
import { join } from 'node:path';
import type { ResultDocument } from '../../task/core/model/documents.ts';
import type { State } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { STATE_ORDER } from './list.ts';

export function byUrgency<T extends { readonly state: State }>(waiting: readonly T[]): T[] {
  return STATE_ORDER.flatMap((state) => waiting.filter((one) => one.state === state));
}

/** A current file of the task as text; undefined when it is not there or cannot be read. */
export function currentText(ws: Workspace, state: State, id: string, name: string) {
  return textIfThere(ws.disk, join(taskFolder(ws.layout, state, id), name));
}

export function resultOf(ws: Workspace, state: State, id: string): ResultDocument | undefined {
  const text = currentText(ws, state, id, 'result.md');
  return text === undefined ? undefined : parseResult(text);
}
