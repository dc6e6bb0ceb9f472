/** The table of transitions as Markdown, for `contracts states` and the README: one source. */
import { STORY_LIFECYCLE } from '../../plans/core/story.ts';
import { tableRows } from '../../task/core/model/transitions.ts';

export function statesTable(): string {
  const rows = tableRows().map(
    (row) =>
      `| ${row.from.length > 3 ? 'anything' : row.from.join(', ')} | ${row.when} | ${row.to} |`,
  );
  return ['| from | when | to |', '| --- | --- | --- |', ...rows].join('\n');
}

/** What the file of a story says, and who may bring it further. */
export function storiesTable(): string {
  const rows = STORY_LIFECYCLE.map(
    ({ from, to, by, when }) => `| ${from} | ${to} | ${by} | ${when} |`,
  );
  return ['| from | to | by | when |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
