/** The report as Markdown, for the description of a pull request. Titles of others cannot become markup. */
import { isYours } from '../../engine/queries/listing.ts';
import { STATE_MARKS } from '../../task/core/model/marks.ts';
import { STATES } from '../../task/core/model/state.ts';
import { many } from '../../task/core/base/plural.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { mermaidGraph } from '../../task/text/markdown/mermaid.ts';
import { dollars } from '../../task/core/attempts/budget.ts';
import { seconds } from '../core/timeline.ts';
import type { ReportView, TaskView } from '../core/model.ts';

/** Rows of the table; a description has a limit. */
const ROWS_MAX = 200;
/** Hosts draw no larger graph. */
const NODES_MAX = 60;

export function markdownReport({ board, tasks, plans, graph, figures, about }: ReportView): string {
  const counts = STATES.map((state) => {
    const count = board.tasks.filter((task) => task.state === state).length;
    return count === 0 ? '' : `${STATE_MARKS[state].sign} ${count} ${state.replaceAll('_', ' ')}`;
  });
  const yours = board.tasks.filter(isYours);
  const [total] = figures;
  const more = tasks.length - ROWS_MAX;
  const asked = about === '' ? '' : ` (${plain(about)})`;
  return [
    `## ${plain(board.name)}: ${many(board.tasks.length, 'task')}${asked}`,
    '',
    counts.filter((one) => one !== '').join(' · '),
    ...plans.map(({ plan, percent, counts: { done, items } }) => {
      return `\nPlan ${plain(plan)}: ${percent} %, ${done} of ${many(items, 'item')} done`;
    }),
    ...(yours.length === 0 ? [] : ['', '### Needs you', '']),
    ...yours.map(
      ({ id, reason, fix }) => `- ${code(id)} ${plain(reason)}${fix && `: ${code(fix)}`}`,
    ),
    ...(tasks.length === 0 ? [] : ['', '### Tasks', '', ...HEAD]),
    ...tasks.slice(0, ROWS_MAX).map(row),
    ...(more > 0 ? ['', `${many(more, 'task')} more.`] : []),
    ...(graph.nodes.length === 0 || graph.nodes.length > NODES_MAX
      ? []
      : ['', '### Dependencies', '', '```mermaid', mermaidGraph(graph), '```']),
    ...(total === undefined || total.work === 0 ? [] : ['', sumOf(total)]),
    '',
  ].join('\n');
}

const HEAD = [
  '| | task | agent | tries | checks | changed |',
  '| --- | --- | --- | --- | --- | --- |',
];

function row({ story }: TaskView): string {
  const { state, title, id, agent, attempts, files } = story;
  // The one that runs counts too.
  const tries = attempts.filter(({ kind, lost }) => kind === 'work' && !lost).length;
  const receipts = attempts.findLast((one) => one.receipts.length > 0)?.receipts ?? [];
  const passed = receipts.filter((one) => one.passed).length;
  const checks = receipts.length === 0 ? 'none ran' : `${passed} of ${receipts.length} passed`;
  const sum = (of: 'added' | 'removed'): number =>
    files.reduce((all, one) => all + (one[of] ?? 0), 0);
  const lines = files.every(({ added }) => added !== null)
    ? `, +${sum('added')} −${sum('removed')}`
    : '';
  const changed = files.length === 0 ? '' : `${many(files.length, 'file')}${lines}`;
  const name = title === '' ? code(id) : `${plain(title)} ${code(id)}`;
  const cells = [`${STATE_MARKS[state].sign} ${state.replaceAll('_', ' ')}`, name, plain(agent)];
  return `| ${[...cells, tries, checks, changed].join(' | ')} |`;
}

function sumOf(total: ReportView['figures'][number]): string {
  const cost = total.cost_usd === undefined ? '' : `, ${dollars(total.cost_usd)}`;
  const time = total.seconds === undefined ? '' : `, ${seconds(total.seconds)} of calls`;
  return `${many(total.work, 'try').replace('trys', 'tries')}, ${many(total.reviews, 'review')}${time}${cost}.`;
}

/** Escapes what Markdown or HTML would take as markup; nothing becomes a link, closes an issue or notifies anybody. */
function plain(text: string): string {
  return escapeText(text)
    .replace(/[\\`*_{}[\]>|~$]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b')
    .replace(/\b(GH)-(?=\d)/gi, '$1\u200b-')
    .replace(/\b(www)\.(?=\S)/gi, '$1\u200b.')
    .replace(/\b([a-z]+):\/\//gi, '$1:\u200b//');
}

function code(text: string): string {
  return `\`${escapeText(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
