/** The story of a task in words: what is wanted, what happened, what is next. */
import { KIND_WORDS, whoAt } from '../../task/core/attempts/counters.ts';
import { colours as pc } from './colour.ts';
import { enforcedWords } from '../../permissions/core/enforcement.ts';
import type { AttemptStory, Story } from '../../engine/queries/show.ts';
import { countedFile } from '../../engine/attempt/attempt-diff.ts';
import { useWords } from '../../task/core/attempts/budget.ts';
import { plainTitle } from '../../task/text/markdown/sections.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { many } from '../../task/core/base/plural.ts';
import { stepWords } from './live.ts';
import { ageText } from './task-cells.ts';
import { wrap } from './text-width.ts';
import { colourState } from './output.ts';

/** Lines of a log or of findings, at a terminal. */
const BLOCK_LINES_MAX = 20;

/** Wrapped to `limit` cells, with long blocks cut; Infinity: all of it. */
export function storyLines(
  story: Story,
  limit: number,
  path: (file: string) => string,
  now: Date,
): string[] {
  return allLines(story, limit, path, now).flatMap((line) => wrap(line, limit, marginOf(line)));
}

/** The margin of a wrapped line: an attempt continues under its kind, a fact under its value. */
function marginOf(line: string): number {
  const hanging = /^ {2}(?:\d{4} {2}|[a-z ]{11} (?=\S))/.exec(line);
  return hanging?.[0].length ?? (/^ */.exec(line)?.[0].length ?? 0) + 2;
}

function withStates(tasks: Story['children']): string {
  return tasks.map((one) => `${one.id} (${one.state})`).join(', ');
}

function allLines(
  story: Story,
  limit: number,
  path: (file: string) => string,
  now: Date,
): string[] {
  const changed = changedLines(story);
  const none = story.files.length === 0 ? changed : [];
  const lines = [
    `${pc.bold(escapeText(story.title) || story.id)}`,
    `${colourState(story.state)}  ${path(story.folder)}`,
    ...none,
    '',
    ...indent(objectiveOf(story), '  '),
  ];
  const facts: [string, string][] = [
    ...plannedFacts(story),
    ['needed by', story.dependents_note ?? withStates(story.dependents)],
    ['priority', story.priority],
    ['tags', story.tags.join(', ')],
    ['created', dated(story.created, now)],
    ['claimed', dated(story.claimed, now)],
    ['ended', dated(story.ended, now)],
    ['tries', story.calls === 0 ? '' : `${story.calls}, reviews ${story.reviews}`],
    ['used', useWords({ ...story, model: undefined })],
    ['enforced by', heldBy(story)],
    ['signed', story.signed],
    ['worktree', story.worktree],
    ['session', story.session],
    ['made for', story.parent ?? ''],
    ['children', withStates(story.children)],
  ];
  lines.push(...factLines(facts, 11).map((line) => `  ${line}`));
  lines.push('');
  if (story.criteria.length > 0)
    lines.push('Success criteria', ...story.criteria.map((text) => `  - ${escapeText(text)}`), '');
  if (story.attempts.length > 0)
    lines.push(
      'What happened',
      ...story.attempts.flatMap((one) => attemptLines({ ...one, folder: path(one.folder) }, limit)),
      '',
    );
  if (changed.length > none.length)
    lines.push('Files changed', ...changed.map((one) => `  ${one}`), '');
  if (story.differ.length > 0)
    lines.push('Deliverables', ...story.differ.map((one) => `  ${escapeText(one)}`), '');
  for (const note of story.notes) lines.push(`Note ${note.name}`, ...indent(note.text, '  '), '');
  for (const text of story.resolutions) lines.push('Resolution', ...indent(text, '  '), '');
  const step = stepWords(story);
  if (step !== '') lines.push(`Now: ${step}`, '');
  const fix = story.fix === '' ? '' : `  → ${escapeText(story.fix)}`;
  lines.push(`${escapeText(story.reason)}${pc.dim(fix)}`);
  // No two empty lines in a row.
  return lines.filter((line, i) => line !== '' || lines[i - 1] !== '');
}

/** Empty where the title says it. */
export function objectiveOf({ objective, title }: Story): string {
  return plainTitle(objective) === plainTitle(title) ? '' : objective;
}

export function plannedFacts(story: Story): [name: string, value: string][] {
  return [
    ['executor', story.adapter === '' ? '' : `${story.agent} (${story.adapter})`],
    ['checks', story.checks.join(', ')],
    ['gates', story.gates.join(', ')],
    ['depends on', withStates(story.depends_on)],
    ['went without', withStates(story.without)],
    ['workflow', story.workflow],
  ];
}

/** Empty facts are left out. */
export function factLines(facts: readonly [string, string][], cells: number): string[] {
  return facts.flatMap(([name, value]) =>
    value === '' ? [] : [`${name.padEnd(cells)} ${escapeText(value)}`],
  );
}

export function receiptLine({ passed, check, reason }: AttemptStory['receipts'][number]): string {
  const more = reason === 'passed' ? '' : ` (${escapeText(reason)})`;
  return `${passed ? pc.green('passed') : pc.red('failed')} ${escapeText(check)}${more}`;
}

function attemptLines(attempt: AttemptStory, limit: number): string[] {
  const by = attempt.client === undefined ? '' : ` (${escapeText(attempt.client)})`;
  // Its gate was not asked where a check failed before.
  const isUnasked = attempt.agent === '' || attempt.outcome === 'unverified';
  const who = isUnasked ? '' : ` by ${escapeText(whoAt(attempt.agent, attempt.machine))}${by}`;
  const took = attempt.seconds === undefined ? '' : `, ${attempt.seconds} s`;
  const end = attempt.outcome ?? (attempt.lost ? 'lost, taken over' : 'open');
  const from = attempt.adopted === undefined ? '' : ` (taken over from attempt ${attempt.adopted})`;
  const reason = attempt.reason === '' ? '' : `: ${escapeText(attempt.reason)}`;
  const used = useWords(attempt);
  return [
    `  ${String(attempt.number).padStart(4, '0')}  ${KIND_WORDS[attempt.kind]} ${attempt.nth}${who}  ${pc.bold(end)}${reason}${from}${took}`,
    ...(used === '' ? [] : [`        ${escapeText(used)}`]),
    ...attempt.denied.map((what) => `        denied ${escapeText(what)}`),
    ...attempt.questions.flatMap(({ question, answer, ...asked }) => [
      `        asked: ${escapeText(question)}`,
      ...belowQuestion(asked).map((line) => `          ${line}`),
      `        ${answer === '' ? 'not answered yet' : `answer: ${escapeText(answer)}`}`,
    ]),
    ...(attempt.signed === undefined ? [] : [`        receipts ${escapeText(attempt.signed)}`]),
    ...attempt.receipts.map((receipt) => `        ${receiptLine(receipt)}`),
    ...short(
      [
        ...attempt.violations.map((one) => `        ${pc.red('violated')}: ${escapeText(one)}`),
        ...attempt.noticed.map((one) => `        noticed: ${escapeText(one)}`),
      ],
      limit,
      attempt.folder,
    ),
    ...(attempt.last_words === undefined
      ? []
      : [
          `        the end of ${attempt.last_words.file}:`,
          ...short(indent(attempt.last_words.text, '        | '), limit, attempt.folder),
        ]),
    ...short(indent(attempt.findings, '        '), limit, attempt.folder),
  ];
}

type Below = Omit<AttemptStory['questions'][number], 'question' | 'answer'>;

/** Lines with its quote, its boxes, and who else asks it. */
export function belowQuestion({ quote = '', options = [], also = [] }: Below): string[] {
  return [
    ...(quote === '' ? [] : [`> ${escapeText(quote)}`]),
    ...options.map((one) => `- ${escapeText(one)}`),
    ...(also.length === 0 ? [] : [`also asked for ${also.join(', ')}`]),
  ];
}

/** The brief and the comparison are always there, so they alone get no line. */
function heldBy({ attempts }: Story): string {
  const all = attempts.flatMap(({ enforced }) => enforced);
  const isConfined = ['live', 'worktree', 'sandbox'].some((one) => all.includes(one));
  return isConfined ? enforcedWords(all) : '';
}

/** `2026-01-31T12:00:00Z (3h)`; empty without a date. */
function dated(at: string | undefined, now: Date): string {
  if (at === undefined) return '';
  const age = ageText(now.getTime() - Date.parse(at));
  return `${at.replace(/\.\d+Z$/, 'Z')} (${age === 'now' ? 'just now' : `${age} ago`})`;
}

export function changedLines({ files, files_note }: Pick<Story, 'files' | 'files_note'>): string[] {
  const shown = files.slice(0, BLOCK_LINES_MAX).map((one) => escapeText(countedFile(one)));
  const left = files.length - shown.length;
  return [
    ...shown,
    ...(left > 0 ? [`… ${left} more ${left === 1 ? 'file' : 'files'}`] : []),
    ...(files_note === '' ? [] : [pc.yellow(escapeText(files_note))]),
  ];
}

/** All changes in a few words: `2 files, +7 −0`; the lines only where git knows them. */
export function changeSum({ files, files_note }: Pick<Story, 'files' | 'files_note'>): string {
  if (files.length === 0) return files_note === '' ? '' : pc.yellow(escapeText(files_note));
  const sum = (of: 'added' | 'removed'): number =>
    files.reduce((all, one) => all + (one[of] ?? 0), 0);
  const isKnown = files.every(({ added }) => added !== null);
  return `${many(files.length, 'file')}${isKnown ? `, +${sum('added')} −${sum('removed')}` : ' changed'}`;
}

function indent(text: string, by: string): string[] {
  return text.trim() === ''
    ? []
    : escapeText(text.trim(), { multiline: true })
        .split('\n')
        .map((line) => (line === '' ? '' : `${by}${line}`));
}

function short(lines: readonly string[], limit: number, folder: string): readonly string[] {
  const left = lines.length - BLOCK_LINES_MAX;
  if (!Number.isFinite(limit) || left <= 1) return lines;
  return [...lines.slice(0, BLOCK_LINES_MAX), `        … ${left} lines more: see ${folder}`];
}
