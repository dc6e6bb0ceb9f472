/** status --stats: a table with the total and each group; all figures with --json and --csv. */
import { dataOf } from '../../cli/output/output.ts';
import { many } from '../../task/core/base/plural.ts';
import { columns, screenOf, wrap } from '../../cli/output/text-width.ts';
import { sinceOf } from '../../cli/terminal/since.ts';
import { refuseUse, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import { dollars } from '../../task/core/attempts/budget.ts';
import { csvText } from '../../task/core/base/csv.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { COUNTED, GROUPS, KNOWN, rowsOf, type IsAsked, type Row } from '../core/figures.ts';
import type { lines } from '../core/stats-lines.ts';
import { readStats } from '../engine/read-stats.ts';
import { capabilitiesOf } from '../../workspace/tasks/capability.ts';
import { confidenceRows } from '../core/confidence.ts';
import { CONFIDENCE_KEYS, confidenceTable } from './confidence.ts';

const statsData = dataOf<typeof lines>();

const FILTERS = ['plan', 'agent', 'client'] as const;
type Flags = Readonly<Partial<Record<(typeof FILTERS)[number], readonly string[]>>> & {
  readonly stats?: boolean;
  readonly since?: string;
  readonly csv?: boolean;
  readonly confidence?: boolean;
};

export const runs = {
  status: verb(async (verb, flags: Flags) => {
    if (flags.stats !== true) refuseUse(verb, 'these flags are for figures', 'Add --stats');
    const { ws, out, frame } = verb;
    const { since: from } = flags;
    const since = from === undefined ? -Infinity : sinceOf(verb, from, ws.machine.now());
    const isAsked: IsAsked = (one) =>
      one.at_ms >= since && FILTERS.every((by) => flags[by]?.includes(one[by]) !== false);
    if (flags.confidence === true) return showConfidence(verb, isAsked, flags.csv === true);
    const { tasks, unreadable, problems } = readStats(ws);
    const [total, ...rows] = rowsOf(tasks, isAsked);
    for (const one of problems) out.problem(one);
    for (const row of [{ ...total, unreadable }, ...rows])
      statsData(out, { v: 1, event: 'stats', ...row });
    if (flags.csv === true) return out.print(csvOf([total, ...rows], KEYS));
    if (rows.length === 0) {
      const isAll = since === -Infinity && FILTERS.every((by) => flags[by] === undefined);
      out.print(
        isAll ? 'No attempt yet.' : 'No attempt matches. See them all: contracts status --stats',
      );
    } else for (const one of table(total, rows, screenOf(frame.streams).limit)) out.print(one);
    if (unreadable > 0)
      out.print(`${many(unreadable, 'task')} cannot be read whole; what can be read counts.`);
  }),
};

async function showConfidence({ ws, out, frame }: Verb, isAsked: IsAsked, csv: boolean) {
  const found = await Promise.all(capabilitiesOf(ws).map((one) => one.estimates?.(ws) ?? []));
  const rows = confidenceRows(found.flat().filter(isAsked));
  for (const row of rows) statsData(out, { v: 1, event: 'confidence', ...row });
  if (csv) return out.print(csvOf(rows, CONFIDENCE_KEYS));
  if (rows.length === 0)
    return out.print(
      found.flat().length === 0
        ? 'No result has said yet what it assumes or teaches.'
        : 'No result matches. See them all: contracts status --stats --confidence',
    );
  for (const one of confidenceTable(rows, screenOf(frame.streams).limit)) out.print(one);
}

const KEYS = ['by', 'name', ...COUNTED, ...KNOWN] as const;

function csvOf<K extends string>(
  rows: readonly Readonly<Partial<Record<K, unknown>>>[],
  keys: readonly K[],
): string {
  const cells = rows.map((row) => keys.map((key) => String(row[key] ?? '')));
  return escapeText(csvText([keys, ...cells]), { multiline: true });
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });
const HEAD = 'done first work review asked failed lost ok/nw/rej min tokens cost'.split(' ');
const DROPPED = ['asked', 'lost'];
const SHAPES = HEAD.map((one) => ({ right: true, drop: DROPPED.indexOf(one) + 1 }));
const LEGEND = `first: done at the first try. ok/nw/rej: approved, needs work, reject.
min: minutes of calls. +: some calls did not report it. ?: no call did. All figures: --csv`;

/** The total, and below its heading each group that has names. */
function table(total: Row, rows: readonly Row[], limit: number): readonly string[] {
  const groups = GROUPS.flatMap((by) => {
    const own = rows.filter((row) => row.by === by);
    const named = own.map((row) => [`  ${escapeText(row.name || '(none)')}`, ...cellsOf(row)]);
    return own.every(({ name }) => name === '') ? [] : [[`by ${by}`], ...named];
  });
  const all = [['', ...HEAD], ['total', ...cellsOf(total)], ...groups];
  const { calls, tokens_known, cost_known } = total;
  const known = `Of ${many(calls, 'call')}, ${tokens_known} reported tokens and ${cost_known} reported the cost.`;
  return [
    ...columns(all, [{ least: 10, most: 32 }, ...SHAPES], limit),
    '',
    ...wrap(`${LEGEND}\n${known}`, limit),
  ];
}

function cellsOf(row: Row): readonly string[] {
  const { first_pass_rate: rate, seconds = 0, input_tokens = 0, output_tokens = 0 } = row;
  const used = (known: number, text: string): string =>
    known > 0 ? `${text}${known < row.calls ? '+' : ''}` : row.calls > 0 ? '?' : '-';
  return [
    `${row.done}/${row.tasks}`,
    rate === undefined ? '-' : `${Math.round(rate * 100)}%`,
    ...[row.work, row.reviews, row.questions, row.failures, row.lost].map(String),
    `${row.approved}/${row.needs_work}/${row.reject}`,
    (seconds / 60).toFixed(1),
    used(row.tokens_known, COMPACT.format(input_tokens + output_tokens)),
    used(row.cost_known, dollars(row.cost_usd ?? 0)),
  ];
}
