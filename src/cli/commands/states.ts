/** states: the table of transitions, as Markdown, which docs/concepts.md has too. */
import { tableOf } from '../../workspace/tasks/kinds.ts';
import { tableRows } from '../../task/core/model/transitions.ts';
import { bare } from '../terminal/verb-context.ts';

export const runs = {
  states: bare(({ out, frame }) => {
    out.print('| from | when | to |\n| --- | --- | --- |');
    for (const row of tableRows(tableOf(frame.capabilities))) {
      const from = row.from.length > 3 ? 'anything' : row.from.join(', ');
      out.print(`| ${from} | ${row.when} | ${row.to} |`);
      out.data({ v: 1, event: 'transition', ...row });
    }
  }),
};
