/** The lines of `status`. */
import type { Overview } from '../../engine/queries/overview.ts';
import { shortNames } from '../../task/core/model/id.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { stepWords, took } from './live.ts';
import { colourState } from './output.ts';
import { markOf, titleOf, withNames } from './task-cells.ts';
import { columns, cut, type Column } from './text-width.ts';

const SHOWN_MAX = 5;

export function overviewLines(found: Overview, limit: number): string[] {
  const { counts, running, needs_person, next } = found;
  const names = shortNames([...running, ...needs_person].map(({ id }) => id));
  const named = (text: string): string => escapeText(withNames(text, names));
  const part = (title: string, rows: string[][], shapes: Column[], all = ''): string[] => {
    const lines = columns(rows.slice(0, SHOWN_MAX), shapes, limit - 2);
    const more = rows.length - lines.length;
    const left = more > 0 ? [`and ${more} more: contracts list --waits-for ${all}`] : [];
    return [pc.bold(title), ...[...lines, ...left].map((line) => `  ${line}`), ''];
  };
  const count = counts.map(({ state, tasks }) => `${tasks} ${colourState(state)}`).join(', ');
  const working = running.map(({ id, agent, attempt, seconds, ...task }) => [
    named(id),
    escapeText(`${agent} #${attempt}`),
    took(seconds * 1000),
    stepWords(task),
  ]);
  const asked = needs_person.map((task) => [
    markOf(task),
    colourState(task.state),
    titleOf(task),
    // The command that checks it would only say the same.
    named(task.code === 'problem' ? task.reason : task.fix),
  ]);
  const need = asked.length === 0 ? 'Nothing needs you' : `Needs you (${asked.length})`;
  return [
    ...part('Tasks', [[count === '' ? 'none yet' : count]], [{ least: 20 }]),
    ...(working.length === 0 ? [] : part('At work', working, [{}, {}, {}, { least: 8 }], 'agent')),
    ...part(need, asked, [{}, {}, { least: 20, most: 48 }, { least: 28 }], 'me'),
    pc.bold('Next'),
    ...next.map((one) => `  ${cut(named(one), limit - 2)}`),
  ];
}
