/** The table of transitions as Markdown, for `contracts states` and the README: one source. */
import { tableRows } from '../../task/core/model/transitions.ts';

export function statesTable(): string {
  const rows = tableRows().map(
    (row) =>
      `| ${row.from.length > 3 ? 'anything' : row.from.join(', ')} | ${row.when} | ${row.to} |`,
  );
  return ['| from | when | to |', '| --- | --- | --- |', ...rows].join('\n');
}
