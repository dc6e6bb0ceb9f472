/** Agents and squads in words: a line each under where they come from, and all about one. */
import type { AgentSource } from '../../agents/core/agents.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { columns, wrap, type Column } from './text-width.ts';

const GROUPS: readonly (readonly [heading: string, sources: readonly AgentSource[]])[] = [
  ['Of this project:', ['project', 'config']],
  ['Yours:', ['user']],
  ['Built in:', ['built-in']],
];
const MARGIN = 2;
const FACT_CELLS = 14;

export function groupLines<Row extends { readonly source: AgentSource }>(
  rows: readonly Row[],
  cellsOf: (row: Row) => string[],
  shapes: readonly Column[],
  limit: number,
): string[] {
  const cells = columns(rows.map(cellsOf), shapes, limit - MARGIN);
  return GROUPS.map(([heading, sources]) => {
    const own = cells.filter((_, i) => sources.includes(rows[i]?.source ?? 'built-in'));
    return own.length === 0 ? [] : [pc.bold(heading), ...own.map((line) => `  ${line}`)];
  })
    .filter((group) => group.length > 0)
    .flatMap((group, i) => (i === 0 ? group : ['', ...group]));
}

/** Name and purpose, then the facts that are not empty. */
export function factLines(
  { name, description }: { readonly name: string; readonly description: string },
  facts: readonly (readonly [string, string])[],
  limit: number,
): string[] {
  return [
    pc.bold(escapeText(name)),
    ...(description === '' ? [] : wrap(escapeText(description), limit, 0)),
    '',
    ...facts.flatMap(([fact, value]) =>
      value === ''
        ? []
        : wrap(`  ${fact.padEnd(FACT_CELLS)}${escapeText(value)}`, limit, FACT_CELLS + MARGIN),
    ),
  ];
}
