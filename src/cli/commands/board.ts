/**
 * board: the states side by side; graph: what depends on what, as a tree or for programs that draw; states: the
 * table of transitions, as Markdown, which docs/concepts.md has too.
 */
import { LIVE_STATES, STATES } from '../../task/core/model/state.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { boardLines, boardOf } from '../output/board-text.ts';
import { screenOf } from '../output/text-width.ts';
import { emptyMessage } from '../output/empty-list.ts';
import { bare, verb } from '../terminal/verb-context.ts';
import { graphOf } from '../../engine/queries/graph.ts';
import { dotGraph, mermaidGraph } from '../../task/text/markdown/mermaid.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { treeLines } from '../output/graph-tree.ts';
import { tableOf } from '../../workspace/tasks/kinds.ts';
import { tableRows } from '../../task/core/model/transitions.ts';

type GraphFlags = Partial<Record<'dot' | 'mermaid' | 'linked', boolean>>;

export const runs = {
  board: verb(({ ws, out, frame }, flags: { all?: boolean }) => {
    const states = flags.all === true ? STATES : LIVE_STATES;
    const listing = listTasks(ws, { states: new Set(states), sort: 'turn' });
    for (const problem of listing.problems) out.problem(problem);
    const columns = boardOf(listing.tasks, states);
    for (const { state, tasks } of columns)
      out.data({ v: 1, event: 'column', state, count: tasks.length, tasks });
    const nothing = (): string => emptyMessage(ws, states, 'board');
    const screen = screenOf(frame.streams);
    for (const line of boardLines(columns, screen, nothing, ws.machine.now())) out.print(line);
  }),
  graph: verb(({ ws, out, frame }, flags: GraphFlags) => {
    const found = graphOf(ws, { alone: flags.linked !== true });
    const { nodes, edges, cycles } = found;
    for (const problem of found.problems) out.problem(problem);
    out.data({ v: 1, event: 'graph', nodes, edges, cycles });
    if (flags.dot === true) out.print(dotGraph(found));
    else if (flags.mermaid === true) out.print(mermaidGraph(found));
    else if (!out.json) {
      const { tasks } = listTasks(ws, { sort: 'turn' });
      const lines = treeLines(found, tasks, screenOf(frame.streams).limit);
      for (const line of lines) out.print(line);
      if (lines.length === 0) out.print(emptyMessage(ws, LIVE_STATES, 'list'));
    }
    if (out.json) return;
    // On stderr, because a program reads the graph.
    for (const path of cycles)
      frame.streams.err(`These wait for each other: ${escapeText(path.join(' → '))}\n`);
  }),
  states: bare(({ out, frame }) => {
    out.print('| from | when | to |\n| --- | --- | --- |');
    for (const row of tableRows(tableOf(frame.capabilities))) {
      const from = row.from.length > 3 ? 'anything' : row.from.join(', ');
      out.print(`| ${from} | ${row.when} | ${row.to} |`);
      out.data({ v: 1, event: 'transition', ...row });
    }
  }),
};
