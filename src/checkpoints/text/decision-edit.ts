/** Ticks a decision for a person by the smallest edit; undefined where it would be read otherwise. */
import type { Decision } from '../core/checkpoint.ts';
import { escapeBlock } from '../../task/text/markdown/escape.ts';
import { decisionBoxes, parseDecision } from './decision.ts';
import { addTicked, tickAlone } from '../../task/text/documents/edit.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { sectionsNamed, type Box } from '../../task/text/markdown/sections.ts';

/**
 * This box ticked and no other, `notes` put below the notes that are there; a section of its own behind
 * all others where the box was lost. Undefined when it would not be read like that afterwards.
 */
export function tickDecision(text: string, decision: Decision, notes = ''): string | undefined {
  const boxes = decisionBoxes(scanMarkdown(text));
  const last = boxes.at(-1);
  const alone = tickAlone(text, decision, boxes);
  if (alone === undefined && last !== undefined) {
    const more = addBox(text, last, decision);
    return more === undefined ? undefined : tickDecision(more, decision, notes);
  }
  const ticked = alone ?? addTicked(text, 'Decision', decision, 'Notes');
  const words = escapeBlock(notes);
  const before = parseDecision(ticked).notes;
  // Whoever says it once more, as after a crash, has said it.
  const isNoted = words.trim() === '' || `\n${before}`.endsWith(`\n${words.trim()}`);
  const edited = isNoted ? ticked : addNotes(ticked, words);
  const read = parseDecision(edited);
  const noted = isNoted || read.notes !== before;
  return read.decision === decision && noted ? edited : undefined;
}

/** To the end of the section that is read as notes; a section of its own where there is none. */
function addNotes(text: string, notes: string): string {
  const lines = scanMarkdown(text);
  const eol = lines.find((line) => line.eol !== '')?.eol ?? '\n';
  const words = notes.replaceAll('\n', eol);
  const section = sectionsNamed(lines, 'Notes')[0];
  if (section === undefined) {
    return `${text.trimEnd()}${eol}${eol}## Notes${eol}${eol}${words}${eol}`;
  }
  const last = section.lines.at(-1) ?? section.heading;
  const end = last.start + last.raw.length;
  const behind = text.slice(end).trimStart();
  const more = behind === '' ? '' : `${eol}${behind}`;
  return `${text.slice(0, end).trimEnd()}${eol}${eol}${words}${eol}${more}`;
}

/** Above the last of those that are there; undefined when it would not be read as a box. */
function addBox(text: string, { line }: Box<Decision>, decision: Decision): string | undefined {
  const indent = /^[ \t]*/.exec(line.raw)?.[0] ?? '';
  const eol = line.eol === '' ? '\n' : line.eol;
  const box = `${indent}- [ ] ${decision}${eol}`;
  const edited = `${text.slice(0, line.start)}${box}${text.slice(line.start)}`;
  const boxes = decisionBoxes(scanMarkdown(edited));
  return boxes.some((one) => one.word === decision) ? edited : undefined;
}
