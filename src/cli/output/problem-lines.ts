/** The lines of `list --problems`: of each task what is wrong, since when, why, and the next command. */
import type { ListedTask } from '../../engine/queries/listing.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { ageOf, ID, namesOf, withNames } from './task-cells.ts';
import { columns, wrap } from './text-width.ts';

export { problemTasks } from '../../engine/queries/problem-tasks.ts';

export function problemLines(tasks: readonly ListedTask[], limit: number, now: Date): string[] {
  const names = namesOf(tasks, limit);
  const rows = tasks.map((task) => {
    const { id, trouble = '' } = task;
    return [trouble.replace('_', ' '), names.get(id) ?? id, ageOf(task, now)];
  });
  return columns(rows, [{}, ID, {}], limit).flatMap((head, i) => {
    const { reason = '', fix = '' } = tasks[i] ?? {};
    const next = fix === '' ? '' : pc.dim(`  → ${escapeText(fix)}`);
    return wrap(`${head}  ${escapeText(withNames(reason, names))}${next}`, limit, 4);
  });
}
