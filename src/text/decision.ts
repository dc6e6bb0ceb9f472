/**
 * questions.md of a checkpoint: four boxes under `## Decision`, of which one is ticked, and words for
 * others under `## Notes`. None or two ticked is undecided; what stands in fences, comments and quotes
 * is no box. Never fails.
 */
import { DECISIONS, type Decision, type DecisionDocument } from '../core/documents.ts';
import { scanMarkdown, type Line } from './markdown.ts';
import { boxesBelow, sectionText, type Box } from './sections.ts';

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

export function parseDecision(text: string): DecisionDocument {
  const lines = scanMarkdown(text);
  const boxes = decisionBoxes(lines);
  const ticked = boxes.filter((box) => box.ticked).map((box) => box.word);
  return {
    decision: ticked.length === 1 ? ticked[0] : undefined,
    ticked,
    boxes: boxes.length,
    notes: sectionText(lines, 'Notes'),
  };
}
