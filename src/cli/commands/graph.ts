/** graph: what depends on what, as text that other programs draw. */
import { graphOf } from '../../engine/queries/graph.ts';
import { dotGraph, mermaidGraph } from '../../task/text/markdown/mermaid.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { verb } from '../terminal/verb-context.ts';

interface GraphFlags {
  readonly dot?: boolean;
  readonly linked?: boolean;
}

export const runs = {
  graph: verb(({ ws, out, frame }, flags: GraphFlags) => {
    const found = graphOf(ws, { alone: flags.linked !== true });
    const { nodes, edges, cycles } = found;
    for (const problem of found.problems) out.problem(problem);
    out.data({ v: 1, event: 'graph', nodes, edges, cycles });
    out.print(flags.dot === true ? dotGraph(found) : mermaidGraph(found));
    if (out.json) return;
    // On stderr, because a program reads the graph.
    for (const path of cycles)
      frame.streams.err(`These wait for each other: ${escapeText(path.join(' → '))}\n`);
  }),
};
