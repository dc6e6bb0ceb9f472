/** The lines of `list --problems`: of each task what is wrong, since when, why, and the next command. */
import type { ListedTask } from '../../engine/queries/listing.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { ageOf, ID, namesOf, withNames } from './task-cells.ts';
import { columns, wrap } from './text-width.ts';

export { problemTasks } from '../../engine/queries/problem-tasks.ts';

const HANGING = 4;

export function problemLines(tasks: readonly ListedTask[], limit: number, now: Date): string[] {
  const names = namesOf(tasks, limit);
  const rows = tasks.map((task) => [
    (task.trouble ?? '').replace('_', ' '),
    names.get(task.id) ?? task.id,
    ageOf(task, now),
  ]);
  const heads = columns(rows, [{}, ID, {}], limit);
  if (tasks.length === 0) return ['No task needs care.'];
  return tasks.flatMap(({ reason, fix }, i) => {
    const next = fix === '' ? '' : pc.dim(`  → ${escapeText(fix)}`);
    return wrap(`${heads[i]}  ${escapeText(withNames(reason, names))}${next}`, limit, HANGING);
  });
}
