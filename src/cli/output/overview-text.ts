/** The lines of `status`. */
import type { Overview } from '../../engine/queries/overview.ts';
import type { ListedTask } from '../../engine/queries/listing.ts';
import { whoAt } from '../../task/core/attempts/counters.ts';
import { shortNames } from '../../task/core/model/id.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { isUnfound, unfoundWords } from './ending.ts';
import { stepWords, took } from './live.ts';
import { colourState } from './output.ts';
import { markOf, titleOf, withNames } from './task-cells.ts';
import { columns, cut, wrap, type Column } from './text-width.ts';

const SHOWN_MAX = 5;

export function overviewLines(found: Overview, limit: number): string[] {
  const { paused, counts, running, needs_person, for_host, next } = found;
  const unfound = found.problems.filter(isUnfound).length;
  const names = shortNames([...running, ...needs_person, ...for_host].map(({ id }) => id));
  const named = (text: string): string => escapeText(withNames(text, names));
  const part = (title: string, rows: string[][], shapes: Column[], all = ''): string[] => {
    const shown = rows.slice(0, SHOWN_MAX);
    const whole = columns(shown, shapes, limit - 2);
    // The last cell says what to do: what is cut has lines of its own.
    const below = shown.map((row, i) => (whole[i]?.endsWith(row.at(-1) ?? '') ? '' : row.at(-1)));
    const above = shown.map((row, i) => (below[i] ? row.slice(0, -1) : row));
    const lines = columns(above, shapes, limit - 2).flatMap((line, i) => [
      line,
      ...(below[i] ? wrap(`   ${below[i]}`, limit - 2, 3) : []),
    ]);
    const more = rows.length - shown.length;
    const left = more > 0 ? [`and ${more} more: contracts list --waits-for ${all}`] : [];
    return [pc.bold(title), ...[...lines, ...left].map((line) => `  ${line}`), ''];
  };
  const count = counts.map(({ state, tasks }) => `${tasks} ${colourState(state)}`).join(', ');
  const working = running.map(({ id, agent, machine, attempt, seconds, ...task }) => [
    named(id),
    escapeText(`${whoAt(agent, machine)} #${attempt}`),
    took(seconds * 1000),
    stepWords(task),
  ]);
  const rowOf = (task: ListedTask): string[] => [
    markOf(task),
    colourState(task.state),
    titleOf(task),
    // The command that checks it would only say the same.
    named(task.code === 'problem' ? task.reason : task.fix),
  ];
  const asked = needs_person.map(rowOf);
  const shapes = [{}, {}, { least: 20, most: 48 }, { least: 28 }];
  const taken = `For the session of an agent (${for_host.length})`;
  const none = unfound > 0 ? unfoundWords(unfound) : 'Nothing needs you';
  const need = asked.length === 0 ? none : `Needs you (${asked.length})`;
  return [
    ...(paused === undefined
      ? []
      : [pc.bold(cut(escapeText(`Everything is paused${paused && `: ${paused}`}`), limit)), '']),
    pc.bold('Tasks'),
    ...wrap(`  ${count === '' ? 'none yet' : count}`, limit, 2),
    '',
    ...(working.length === 0 ? [] : part('At work', working, [{}, {}, {}, { least: 8 }], 'agent')),
    ...part(need, asked, shapes, 'me'),
    ...(for_host.length === 0 ? [] : part(taken, for_host.map(rowOf), shapes, 'host')),
    pc.bold('Next'),
    ...next.map((one) => `  ${cut(named(one), limit - 2)}`),
  ];
}
