/** Tasks for other places: a board in Markdown, and rows of a spreadsheet. Pure. */
import { csvText } from '../../task/core/base/csv.ts';
import { STATES } from '../../task/core/model/state.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import type { ListedTask } from '../../engine/queries/listing.ts';

const BEGIN = '<!-- contracts:begin -->';
const END = '<!-- contracts:end -->';

/** Between markers, a table of each state that has tasks. */
export function boardText(tasks: readonly ListedTask[]): string {
  const parts = STATES.flatMap((state) => {
    const rows = tasks
      .filter((task) => task.state === state)
      .map(({ id, title, agent, reason }) => {
        const cells = [`\`${id}\``, ...[title, agent, reason].map(cell)];
        return `| ${cells.join(' | ')} |`;
      });
    return rows.length === 0
      ? []
      : [
          `### ${state} (${rows.length})`,
          ['| task | title | agent | what is next |', '| --- | --- | --- | --- |', ...rows].join(
            '\n',
          ),
        ];
  });
  return [BEGIN, ...(parts.length === 0 ? ['No tasks.'] : parts), END].join('\n\n');
}

function cell(text: string): string {
  return oneLine(text).replace(/[\\|`*_<>[\]]/g, '\\$&');
}

/** With this board in the place of the one between its markers, else at its end; undefined: a marker is missing. */
export function withBoard(text: string, board: string): string | undefined {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from === -1 && to === -1)
    return `${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}${board}\n`;
  if (from === -1 || to < from) return undefined;
  return text.slice(0, from) + board + text.slice(to + END.length);
}

const COLUMNS = [
  'id',
  'state',
  'title',
  'agent',
  'priority',
  'plan',
  'phase',
  'tags',
  'since',
  'waits_for',
  'reason',
] as const;

export function rowsText(tasks: readonly ListedTask[]): string {
  const rows = tasks.map((task) => COLUMNS.map((key) => [task[key] ?? ''].flat().join(' ')));
  return csvText([COLUMNS, ...rows]);
}
