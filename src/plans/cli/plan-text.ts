/** Prints plans: the contracts that a start makes, and the progress wave by wave. Idle waves take one line. */
import { addTo, groupedBy } from '../../task/core/base/groups.ts';
import { BOX_MARKS, waveTitle } from '../core/plan-document.ts';
import { isRenamed } from '../core/plan-renamed.ts';
import { isState, type State } from '../../task/core/model/state.ts';
import type { WrittenDraft } from '../engine/start/drafts.ts';
import type { PlanRow, PlanStatus, PlanTask } from '../engine/start/plan-status.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from '../../cli/output/colour.ts';
import { columns, cut, wrap, type Column } from '../../cli/output/text-width.ts';
import { colourState } from '../../cli/output/output.ts';

const MARGIN = 2;
const NEEDS_SHOWN_MAX = 3;

const DRAFT_SHAPES: readonly Column[] = [
  { least: 20, ids: true },
  { least: 8, most: 30 },
  { least: 16, most: 70 },
  { least: 12, most: 60 },
];

export function draftLines(drafts: readonly WrittenDraft[], limit: number): string[] {
  const keys = new Map(drafts.map(({ draft }) => [draft.id, draft.key]));
  const squad = onlySquad(drafts);
  const rows = drafts.map(({ draft }) => {
    const { id, agent, checks, gates, deliverables, depends_on, results = [] } = draft;
    const awaited = new Set([...depends_on, ...results]);
    const seen = [...checks.map((check) => check.replace(/^run: /, '')), ...deliverables];
    const judges = gates.map((gate) => plainName(gate, squad));
    const judged = judges.length === 0 ? [] : [`by ${judges.join(', ')}`];
    return [
      id,
      escapeText(plainName(agent, squad)),
      escapeText([...seen, ...judged].join('; ')),
      escapeText(needsOf([...new Set([...awaited].map((one) => keys.get(one) ?? one))])),
    ];
  });
  return columns(rows, DRAFT_SHAPES, limit - MARGIN).map((line) => ' '.repeat(MARGIN) + line);
}

/** undefined where several squads work: then agents keep the names of their squads. */
function onlySquad(drafts: readonly WrittenDraft[]): string | undefined {
  const named = drafts.map(({ draft }) => draft.contract.head['squad']);
  const squads = [...new Set(named)].filter((one) => typeof one === 'string');
  return squads.length === 1 ? squads[0] : undefined;
}

function plainName(agent: string, squad: string | undefined): string {
  const own = squad === undefined ? '' : `${squad}/`;
  return agent.startsWith(own) ? agent.slice(own.length) : agent;
}

function needsOf(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length - NEEDS_SHOWN_MAX;
  return more > 1 ? `after ${names.length} others` : `after ${names.join(', ')}`;
}

const BAR_CELLS = 20;

export function headLine(status: PlanStatus, cells: number): string {
  const { counts, percent, plan, title, paused } = status;
  const full = Math.round((percent / 100) * BAR_CELLS);
  const bar = pc.green('█'.repeat(full)) + pc.dim('░'.repeat(BAR_CELLS - full));
  const named = title === '' || title === plan ? plan : `${plan}: ${escapeText(title)}`;
  const left = counts.items - counts.dropped;
  const progress =
    counts.items === 0
      ? 'nothing to do'
      : left === 0
        ? `all ${counts.items} given up`
        : `${counts.done} of ${left} done, ${percent}%`;
  const room = Number.isFinite(cells) ? cells - BAR_CELLS - progress.length - 4 : Infinity;
  const line = `${bar}  ${progress}  ${pc.bold(cut(named, Math.max(12, room)))}`;
  return paused ? `${line}\n${pc.yellow(`paused: contracts plan pause ${plan} --end`)}` : line;
}

/** Longer plans show only open items. */
const ROWS_SHOWN_MAX = 24;
const NEXT_SHOWN_MAX = 3;

/** `all`: closed items and idle waves as well. */
export function statusLines(status: PlanStatus, cells: number, all: boolean): string[] {
  const lines = headLine(status, cells).split('\n');
  const counts = countWords(status);
  if (counts !== '') lines.push(counts);
  const waves = groupedBy(status.rows, ({ wave }) => wave);
  const live = all || waves.size < 2 ? undefined : liveWaves(waves);
  const isFolded = !all && status.rows.length > ROWS_SHOWN_MAX;
  const isShown = (row: PlanRow): boolean =>
    live?.has(row.wave) !== false && !(isFolded && isClosed(row));
  const shown = status.rows.filter(isShown);
  const laid = rowLines(shown, status, cells);
  let gap = true;
  for (const [wave, rows] of waves) {
    const own = rows.filter(isShown);
    if (gap || own.length > 0) lines.push('');
    gap = own.length > 0;
    const hidden =
      own.length === 0 ? pc.dim(`  (--all shows ${rows.length === 1 ? 'it' : 'them'})`) : '';
    if (wave !== undefined) lines.push(waveLine(status, wave, rows) + hidden);
    const folded = own.length === 0 ? [] : rows.filter((row) => !own.includes(row));
    if (folded.length > 0) lines.push(pc.dim(`  [x]  ${folded.length} closed: --all shows them`));
    for (const row of own) lines.push(...(laid.get(row) ?? []));
  }
  lines.push(...nextLines(status, cells));
  return lines;
}

function nextLines(status: PlanStatus, cells: number): string[] {
  const { plan, started, rows, problems } = status;
  // A missing plan is reported as a problem, and so is one that waits for a gate.
  if (rows.length === 0 || problems.some(({ code }) => code === 'undecided')) return [];
  if (!started) return ['', ...wrap(`Not started: contracts plan start ${plan} --dry-run`, cells)];
  const asked = rows.flatMap(({ tasks }) => tasks.filter((one) => one.waits_for === 'person'));
  const fixes = [...new Set(asked.map(({ fix }) => fix).filter((fix) => fix !== ''))];
  const unmade = problems.some(isRenamed) ? 0 : rows.filter(isUnmade).length;
  const have = unmade === 1 ? '1 item has' : `${unmade} items have`;
  const left =
    unmade === 0 ? [] : ['', ...wrap(`${have} no task: contracts plan start ${plan}`, cells)];
  if (fixes.length === 0) return left;
  const more = fixes.length - NEXT_SHOWN_MAX;
  return [
    ...left,
    '',
    'Waits for you:',
    ...fixes.slice(0, NEXT_SHOWN_MAX).flatMap((fix) => wrap(`  ${escapeText(fix)}`, cells, 4)),
    ...(more > 0 ? [`  and ${more} more: contracts list --plan ${plan} --waits-for me`] : []),
  ];
}

function isUnmade(row: PlanRow): boolean {
  const isMade = row.tasks.some(({ state }) => state !== 'unknown');
  return row.kind === 'task' && !isClosed(row) && !isMade;
}

function isClosed({ mark }: PlanRow): boolean {
  return mark === BOX_MARKS.done || mark === BOX_MARKS.dropped;
}

/** Waves in which a task is under way, and the first wave with open items. */
function liveWaves(waves: ReadonlyMap<number | undefined, readonly PlanRow[]>) {
  const isOver = (row: PlanRow): boolean => row.kind === 'group' || isClosed(row);
  const isLive = ({ tasks }: PlanRow): boolean =>
    tasks.some(({ state }) => ['in_progress', 'review', 'questions', 'blocked'].includes(state));
  const entries = [...waves];
  const first = entries.find(([, rows]) => !rows.every(isOver));
  const live = entries.filter(([, rows]) => rows.some(isLive));
  return new Set([...live, ...(first === undefined ? [] : [first])].map(([wave]) => wave));
}

function waveLine(status: PlanStatus, wave: number, rows: readonly PlanRow[]): string {
  const named = waveTitle(status.waves, wave);
  const tasks = rows.filter(({ kind }) => kind === 'task');
  const done = tasks.filter(({ mark }) => mark === BOX_MARKS.done).length;
  const dropped = tasks.filter(({ mark }) => mark === BOX_MARKS.dropped).length;
  const given = dropped === 0 ? '' : `, ${dropped} given up`;
  return `${pc.bold(escapeText(named))}  ${pc.dim(`${done} of ${tasks.length - dropped} done${given}`)}`;
}

function countWords({ counts }: PlanStatus): string {
  const words: (readonly [number, string])[] = [
    [counts.working, 'at work'],
    [counts.blocked, 'blocked'],
    [counts.open, 'open'],
    [counts.dropped, 'given up'],
  ];
  return words.flatMap(([many, word]) => (many > 0 ? [`${many} ${word}`] : [])).join(', ');
}

const ROW_SHAPES: readonly Column[] = [
  {},
  { least: 16, most: 70 },
  {},
  { least: 8, most: 26 },
  { least: 12 },
];

/** An item with several agents has a line for each. */
function rowLines(rows: readonly PlanRow[], status: PlanStatus, cells: number) {
  const keys = new Map(status.rows.flatMap(({ key, tasks }) => tasks.map(({ id }) => [id, key])));
  const flat = rows.flatMap((row) => {
    const tasks: readonly (PlanTask | undefined)[] =
      row.tasks.length === 0 ? [undefined] : row.tasks;
    return tasks.map((task, i) => ({ row, task, isFirst: i === 0 }));
  });
  const laid = columns(
    flat.map(({ row, task, isFirst }) => [
      isFirst ? boxOf(row) : '',
      isFirst ? ' '.repeat(2 * row.depth) + escapeText(row.title) : '',
      task === undefined || task.state === 'unknown' ? '' : task.state,
      escapeText(plainName(task?.agent ?? '', status.squad)),
      escapeText(task === undefined ? '' : waitWords(task, keys)),
    ]),
    ROW_SHAPES,
    cells - MARGIN,
  );
  const lines = new Map<PlanRow, string[]>();
  for (const [i, { row, task }] of flat.entries()) {
    addTo(lines, row, ' '.repeat(MARGIN) + coloured(laid[i] ?? '', task));
  }
  return lines;
}

function boxOf({ kind, mark }: PlanRow): string {
  return kind === 'checkpoint' ? ` ${mark === ' ' ? '·' : mark} ` : `[${mark}]`;
}

function coloured(line: string, task: PlanTask | undefined): string {
  if (task === undefined || !isState(task.state)) return line;
  const state: State = task.state;
  const at = line.indexOf(` ${state} `) + 1;
  if (at === 0) return line;
  return line.slice(0, at) + colourState(state) + line.slice(at + state.length);
}

const KEPT_TOGETHER_MAX = 20;

/** `two (done), two (ready)`: several tasks of one item. */
const SAME_ITEM = /(?<![a-z0-9_-])([a-z0-9][a-z0-9_-]{0,63}) \(([^()]{1,80})\), \1 \(/;

/** Names tasks by the keys of their items. */
function waitWords({ state, reason }: PlanTask, keys: ReadonlyMap<string, string>): string {
  if (reason === '') return state === 'unknown' ? 'no task yet' : '';
  let words = reason.replaceAll(/[a-z0-9][a-z0-9_-]{3,63}/g, (word) => keys.get(word) ?? word);
  for (let left = KEPT_TOGETHER_MAX; left > 0 && SAME_ITEM.test(words); left--)
    words = words.replace(SAME_ITEM, '$1 ($2, ');
  return words;
}
