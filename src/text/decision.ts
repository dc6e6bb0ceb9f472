/**
 * questions.md of a checkpoint: four boxes under `## Decision`, of which one is ticked, and words for
 * others under `## Notes`. Reads it, and ticks a box as the smallest edit. None or two ticked is
 * undecided; what stands in fences, comments and quotes is no box.
 */
import { DECISIONS, type Decision, type DecisionDocument } from '../core/documents.ts';
import { escapeBlock } from './block.ts';
import { tickAlone } from './edit.ts';
import { scanMarkdown, type Line } from './markdown.ts';
import { bulletOf, sectionsNamed, sectionText } from './sections.ts';

interface DecisionBox {
  readonly line: Line;
  readonly decision: Decision;
  readonly ticked: boolean;
}

function decisionBoxes(lines: readonly Line[]): DecisionBox[] {
  return sectionsNamed(lines, 'Decision').flatMap((section) =>
    section.lines.flatMap((line) => {
      const bullet = bulletOf(line);
      if (bullet?.ticked === undefined) return [];
      const decision = decisionIn(bullet.text);
      return decision === undefined ? [] : [{ line, decision, ticked: bullet.ticked }];
    }),
  );
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
  const ticked = boxes.filter((box) => box.ticked).map((box) => box.decision);
  return {
    decision: ticked.length === 1 ? ticked[0] : undefined,
    ticked,
    boxes: boxes.length,
    notes: sectionText(lines, 'Notes'),
  };
}

/**
 * This box ticked and no other, `notes` put to the end; a section of its own behind all others where
 * the box was lost. Undefined when it would not be read like that afterwards.
 */
export function tickDecision(text: string, decision: Decision, notes = ''): string | undefined {
  const boxes = decisionBoxes(scanMarkdown(text));
  const own = boxes.filter((one) => one.decision === decision);
  const box = own.find((one) => one.ticked) ?? own[0];
  const ticked =
    box === undefined ? addDecision(text, boxes, decision) : tickAlone(text, box, boxes);
  if (ticked === undefined) return undefined;
  const edited = notes.trim() === '' ? ticked : `${ticked.trimEnd()}\n\n${escapeBlock(notes)}\n`;
  return parseDecision(edited).decision === decision ? edited : undefined;
}

function addDecision(
  text: string,
  boxes: readonly DecisionBox[],
  decision: Decision,
): string | undefined {
  if (boxes.some((one) => one.ticked)) return undefined;
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const gap = text === '' || text.endsWith(eol) ? '' : eol;
  return `${text}${gap}${['', '## Decision', '', `- [x] ${decision}`, '', '## Notes', ''].join(eol)}`;
}
