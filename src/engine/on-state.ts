/**
 * The person's own bell: `on_state` of the configuration, called after a move with the id ({{id}}
 * or {{task}}) and the {{state}} filled in. No shell; nobody waits for it, and its failure is nobody's failure.
 */
import { runDetached } from '../agent/detached.ts';
import type { State } from '../core/state.ts';
import type { Workspace } from './workspace.ts';

export function notifyState(ws: Workspace, id: string, state: State): void {
  const [program, ...rest] = ws.config.on_state ?? [];
  if (program === undefined) return;
  const fill = (text: string): string =>
    text.replace(/\{\{(id|task|state)\}\}/g, (_, name) => (name === 'state' ? state : id));
  runDetached([program, ...rest.map(fill)], ws.layout.root);
}
