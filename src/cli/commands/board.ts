/** `list --board`: the states side by side. `list --graph`: what depends on what, as a tree or for programs that draw. */
import type { State } from '../../task/core/model/state.ts';
import { listTasks, type Listing } from '../../engine/queries/list.ts';
import { boardLines, boardOf } from '../output/board-text.ts';
import { screenOf } from '../output/text-width.ts';
import { emptyMessage } from '../output/empty-list.ts';
import type { Verb } from '../terminal/verb-context.ts';
import { graphOf } from '../../engine/queries/graph.ts';
import { dotGraph, mermaidGraph } from '../../task/text/markdown/mermaid.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { treeLines } from '../output/graph-tree.ts';

/** `narrowed`: only some tasks were asked for. */
export function printBoard(
  { ws, out, frame }: Verb,
  listing: Listing,
  states: readonly State[],
  narrowed: boolean,
): void {
  for (const problem of listing.problems) out.problem(problem);
  const columns = boardOf(listing.tasks, states);
  for (const { state, tasks } of columns)
    out.data({ v: 1, event: 'column', state, count: tasks.length, tasks });
  const nothing = (): string =>
    narrowed
      ? 'No task matches. See them all: contracts list'
      : emptyMessage(ws, states, '--board ');
  const screen = screenOf(frame.streams);
  for (const line of boardLines(columns, screen, nothing, ws.machine.now())) out.print(line);
}

export function printGraph({ ws, out, frame }: Verb, form: string | true): void {
  const found = graphOf(ws);
  const { nodes, edges, cycles } = found;
  for (const problem of found.problems) out.problem(problem);
  out.data({ v: 1, event: 'graph', nodes, edges, cycles });
  if (out.json) return;
  if (form === 'dot') out.print(dotGraph(found));
  else if (form === 'mermaid') out.print(mermaidGraph(found));
  else {
    const { tasks } = listTasks(ws, { sort: 'turn' });
    const lines = treeLines(found, tasks, screenOf(frame.streams).limit);
    for (const line of lines) out.print(line);
    if (lines.length === 0)
      out.print('No live task waits for another. See them all: contracts list');
  }
  // On stderr, because a program reads the graph.
  for (const path of cycles)
    frame.streams.err(`These wait for each other: ${escapeText(path.join(' → '))}\n`);
}
