/**
 * questions.md of a checkpoint: four boxes under `## Decision`, of which one is ticked, and words for
 * others under `## Notes`. None or two ticked is undecided; what is in fences, comments and quotes
 * is no box. Never fails.
 */
import type { DecisionDocument } from '../../task/core/model/documents.ts';
import { scanMarkdown, type Line } from '../../task/text/markdown/line-scanner.ts';
import { conflictProblems } from '../../task/text/markdown/merge-markers.ts';
import {
  boxesBelow,
  bulletOf,
  plainTitle,
  sectionsNamed,
  sectionText,
  visibleText,
  type Box,
} from '../../task/text/markdown/sections.ts';
import { DECISIONS, type Decision } from '../core/checkpoint.ts';

export function decisionBoxes(lines: readonly Line[]): Box<Decision>[] {
  return boxesBelow(lines, 'Decision', decisionIn);
}

/** The word that a box begins with; words about it may stand behind a dash, a colon or the like. */
export function decisionIn(text: string): Decision | undefined {
  const match = /^[^\p{L}]*([A-Za-z]+)(?![\p{L}\p{N}_])[*_`]*\s*(.?)/su.exec(text.slice(0, 500));
  const word = match?.[1]?.toUpperCase();
  const behind = match?.[2] ?? '';
  if (behind !== '' && !/[—–:(,.-]/.test(behind)) return undefined;
  return DECISIONS.find((one) => one === word);
}

export function parseDecision(text: string): DecisionDocument<Decision> {
  const lines = scanMarkdown(text);
  // Where a merge left both sides nothing is decided.
  const boxes = conflictProblems(text, '', true).length > 0 ? [] : decisionBoxes(lines);
  const ticked = boxes.filter((box) => box.ticked).map((box) => box.word);
  return {
    decision: ticked.length === 1 ? ticked[0] : undefined,
    ticked,
    boxes: boxes.length,
    notes: wordsIn(lines, boxes, ticked.length === 1),
  };
}

/** Words behind the boxes of the form, those of earlier versions too. */
const OFFERED = new RegExp(
  `^(?:${[
    'the next wave begins',
    'tasks that depend on this checkpoint wait until another box is ticked',
    'finished tasks of this wave are verified and reviewed again',
    'tasks that depend on this checkpoint are aborted',
    'what waits for this checkpoint goes on waiting, until another box is ticked',
    'what is done of this wave is verified and reviewed anew',
    'all that depends on this checkpoint is given up',
  ].join('|')})[\\s—–:,.-]*`,
);
const WORD = /^[^\p{L}]*[A-Za-z]+[*_`]*[\s—–:,.-]*/u;
const FORM = new Set(['this wave', 'summary', 'next', 'decision', 'notes']);

const RESOLUTION = /^resolution of[\s:`*@]+([\w-]{1,100})[\s`*.:]*$/i;

/** Words for blocked tasks, each below a heading that names one. */
export function resolutionsIn(text: string): readonly { of: string; words: string }[] {
  const lines = scanMarkdown(text);
  return lines.flatMap(({ kind, level, title }) => {
    const of = kind === 'heading' && level === 2 ? RESOLUTION.exec(title)?.[1] : undefined;
    return of === undefined ? [] : { of, words: sectionText(lines, title) };
  });
}

/** On the line that is ticked, between the boxes, below headings that the form does not have, and under Notes. */
function wordsIn(lines: readonly Line[], boxes: readonly Box<Decision>[], one: boolean): string {
  const ticked = boxes.find((box) => one && box.ticked);
  const label = (ticked && bulletOf(ticked.line)?.text) ?? '';
  const behind = label.replace(WORD, '').replace(OFFERED, '');
  const known = new Set(boxes.map(({ line }) => line));
  const own = lines.filter(({ kind, level, title }) => {
    const isOwn = !FORM.has(plainTitle(title)) && !RESOLUTION.test(title);
    return kind === 'heading' && level === 2 && isOwn;
  });
  const sections = ['Decision', ...new Set(own.map(({ title }) => title))];
  const below = sectionsNamed(lines, ...sections).map((section) =>
    visibleText(section.lines.filter((line) => !known.has(line))),
  );
  const words = /[\p{L}\p{N}]/u.test(behind) ? [behind] : [];
  return [...words, ...below, sectionText(lines, 'Notes')].filter(Boolean).join('\n\n');
}
