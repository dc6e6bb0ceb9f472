/**
 * The decision of a checkpoint, ticked for a person: the smallest edit of its questions.md. What cannot
 * be done such that it is read back as it was meant is undefined, and nothing is changed.
 */
import type { Decision } from '../core/documents.ts';
import { escapeBlock } from './block.ts';
import { decisionBoxes, parseDecision, type DecisionBox } from './decision.ts';
import { tickAlone } from './edit.ts';
import { scanMarkdown } from './markdown.ts';

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
