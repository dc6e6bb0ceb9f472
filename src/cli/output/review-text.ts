/** One task that waits for the person, short: what is wanted, and what its state makes important. */
import { runsFirst } from '../../task/core/attempts/noticed.ts';
import { claimsIn } from '../../engine/core/judge/unmet.ts';
import type { Story } from '../../engine/queries/show.ts';
import { isBroken } from '../../engine/verify/seals.ts';
import { questionsOf } from '../../engine/commands/write-words.ts';
import { currentText, resultOf } from '../../engine/queries/waiting.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { changeIn } from '../../task/text/documents/confirmation.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { visibleText } from '../../task/text/markdown/sections.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { wrap } from './text-width.ts';
import { colourState } from './output.ts';
import {
  belowQuestion,
  changedLines,
  changeSum,
  factLines,
  objectiveOf,
  plannedFacts,
  receiptLine,
} from './show-text.ts';

const LINES_MAX = 20;

export function shortStory(ws: Workspace, story: Story, cells: number): string[] {
  const sum = story.state === 'review' ? changeSum(story) : '';
  const lines = [
    `${colourState(story.state)}  ${story.id}${sum === '' ? '' : `  ${sum}`}`,
    `  ${pc.bold(escapeText(story.title))}`,
    ...block(objectiveOf(story)),
    ...stateLines(ws, story).map((line) => `  ${line}`),
  ];
  return lines.flatMap((line) => wrap(line, cells, 4));
}

function stateLines(ws: Workspace, story: Story): string[] {
  const facts = factLines(plannedFacts(story), 10);
  const waiting = [
    escapeText(story.reason),
    ...(story.fix === '' ? [] : [`→ ${escapeText(story.fix)}`]),
  ];
  switch (story.state) {
    case 'questions':
      return questionLines(ws, story.id);
    case 'review':
      return reviewLines(ws, story);
    case 'blocked':
      return blockedLines(ws, story);
    case 'draft':
      return [
        ...facts,
        ...story.criteria.map((text) => `- ${escapeText(text)}`),
        ...story.problems.map((one) => escapeText(`${one.severity}: ${one.message}. ${one.fix}`)),
        // A draft that cannot be read cannot be confirmed.
        ...(story.title === '' ? waiting : []),
      ];
    default:
      return [...facts, ...waiting];
  }
}

export function questionLines(ws: Workspace, id: string): string[] {
  const questions = questionsOf(ws, id);
  if (!questions.ok) return questions.problems.map((one) => escapeText(one.message));
  const text = currentText(ws, 'questions', id, 'questions.md') ?? '';
  // A checkpoint, or a file without a readable question.
  if (questions.value.length === 0) return block(visibleText(scanMarkdown(text)));
  const change = changeIn(text);
  const shown = change.split('\n').map((line) => escapeText(line));
  return [
    ...(change === '' ? [] : shown),
    ...questions.value.flatMap(({ number, text, answer, ...asked }) => [
      `${number}. ${escapeText(text)}`,
      ...belowQuestion(asked).map((line) => `   ${line}`),
      ...(answer === '' ? [] : [`   answered: ${escapeText(answer)}`]),
    ]),
  ];
}

function reviewLines(ws: Workspace, story: Story): string[] {
  const result = resultOf(ws, story.state, story.id);
  const verified = story.attempts.findLast(
    ({ kind, receipts }) => kind === 'review' && receipts.length > 0,
  );
  const { denied = [] } = story.attempts.findLast(({ kind }) => kind === 'work') ?? {};
  const noticed = story.attempts.flatMap((one) => (one.kind === 'work' ? one.noticed : []));
  const broken = story.problems.filter(isBroken);
  return [
    ...broken.map(({ message }) => pc.red(escapeText(message))),
    ...runsFirst([...new Set(noticed)])
      .slice(0, LINES_MAX)
      .map((one) => `${'noticed'.padEnd(10)} ${escapeText(one)}`),
    ...changedLines(story).map((line, i) => `${(i === 0 ? 'changed' : '').padEnd(10)} ${line}`),
    ...(result ? claimsIn(story.criteria, result) : []).map(
      ({ mark, text, evidence }) =>
        `${mark} ${escapeText(text)}${evidence === '' ? '' : `  ${pc.dim(escapeText(evidence))}`}`,
    ),
    ...listed('delivered', result?.deliverables ?? []),
    ...(result?.learnings.slice(0, LINES_MAX) ?? []).map((one) => `teaches    ${escapeText(one)}`),
    ...denied.map((one) => `${'denied'.padEnd(10)} ${escapeText(one)}`).slice(0, LINES_MAX),
    ...(verified?.receipts ?? []).map(receiptLine),
    ...block(result?.notes ?? '').map((line) => line.trimStart()),
  ];
}

function listed(name: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, LINES_MAX).map((path) => escapeText(path));
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  return [`${name.padEnd(10)} ${shown.join(', ')}${more}`];
}

function blockedLines(ws: Workspace, story: Story): string[] {
  const text = currentText(ws, story.state, story.id, 'blocked.md') ?? '';
  return [escapeText(story.reason), ...block(visibleText(scanMarkdown(text)))];
}

function block(text: string): string[] {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, LINES_MAX).map((line) => `  ${escapeText(line)}`);
  return lines.length > LINES_MAX
    ? [...shown, `  … ${lines.length - LINES_MAX} lines more`]
    : shown;
}
