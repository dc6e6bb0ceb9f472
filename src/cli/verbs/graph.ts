/** graph: what depends on what, as text that other programs draw. */
import type { Command } from 'commander';
import { graphOf } from '../../engine/verbs/graph.ts';
import { dotGraph, mermaidGraph } from '../../text/graph.ts';
import { escapeText } from '../../text/terminal.ts';
import type { Frame } from '../frame.ts';
import { example, open } from '../verb.ts';

interface GraphFlags {
  readonly dot?: boolean;
  readonly linked?: boolean;
}

export function graph(command: Command, frame: Frame): void {
  command
    .option('--dot', 'for Graphviz, instead of Mermaid')
    .option('--linked', 'leave out tasks that stand alone')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts graph\ncontracts graph --dot | dot -Tsvg > tasks.svg'))
    .action((flags: GraphFlags, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const found = graphOf(verb.ws, { alone: flags.linked !== true });
      const { nodes, edges, cycles } = found;
      for (const problem of found.problems) verb.out.problem(problem);
      verb.out.data({ v: 1, event: 'graph', nodes, edges, cycles });
      verb.out.say(flags.dot === true ? dotGraph(found) : mermaidGraph(found));
      if (verb.out.json) return;
      // On stderr, because a program reads the graph.
      for (const path of cycles)
        frame.streams.err(`These wait for each other: ${escapeText(path.join(' → '))}\n`);
    });
}
