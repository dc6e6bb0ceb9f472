/** status --stats --confidence: what each agent called so sure, beside what people confirmed of it. */
import { many } from '../../task/core/base/plural.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { columns, wrap } from '../../cli/output/text-width.ts';
import { DECIDED_MIN } from '../core/confidence.ts';
import type { ConfidenceRow } from '../core/stats-lines.ts';

export const CONFIDENCE_KEYS = [
  ...(['by', 'name', 'from', 'to', 'called', 'said'] as const),
  ...(['confirmed', 'rejected', 'undecided', 'share'] as const),
];
const HEAD = 'called mean said confirmed rejected undecided share'.split(' ');
const LEGEND = `called: what results say of their own assumptions and learnings. mean: of these numbers.
share: confirmed, of those that people confirmed or rejected.
few: people decided fewer than ${DECIDED_MIN}. A share of so few is chance.`;

export function confidenceTable(rows: readonly ConfidenceRow[], limit: number): readonly string[] {
  const lines = rows.flatMap((row, i) => {
    const before = rows[i - 1];
    const isNext = before?.by === row.by && before.name === row.name;
    const name = row.by === 'total' ? 'total' : `  ${escapeText(row.name || '(none)')}`;
    const heading = row.by === 'agent' && before?.by === 'total' ? [['by agent']] : [];
    return [...heading, [isNext ? '' : name, ...cellsOf(row)]];
  });
  const all = [['', ...HEAD], ...lines];
  const totals = rows.filter(({ by }) => by === 'total');
  const sum = (key: 'said' | 'undecided') => totals.reduce((to, row) => to + row[key], 0);
  const known = `People decided ${sum('said') - sum('undecided')} of ${many(sum('said'), 'statement')}.`;
  const shapes = [{ least: 10, most: 32 }, ...HEAD.map(() => ({ right: true }))];
  return [...columns(all, shapes, limit), '', ...wrap(`${LEGEND}\n${known}`, limit)];
}

function cellsOf({ from, to, called, share, ...row }: ConfidenceRow): readonly string[] {
  return [
    from === undefined ? 'no number' : `${from.toFixed(1)}–${to?.toFixed(1)}`,
    called?.toFixed(2) ?? '-',
    ...[row.said, row.confirmed, row.rejected, row.undecided].map(String),
    share === undefined ? 'few' : `${Math.round(share * 100)}%`,
  ];
}
