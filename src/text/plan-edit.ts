/**
 * Marks in the boxes of a plan, changed one character each; every other one of the file stays as it
 * is. Where anything is not as it was said to be, nothing is changed: the plan is a person's file.
 */
import { readPlanLines } from './plan-boxes.ts';

/** Of one box, found by its place in the text or by its 1-based line. */
type BoxChange = ({ readonly offset: number } | { readonly line: number }) & {
  /** The mark that stands there now. */
  readonly from: string;
  /** The mark that shall stand there: one of BOX_MARKS. */
  readonly to: string;
};

const MARKS = /^[ xX~-]$/;

/** Undefined when no box stands there, or another mark in it: somebody changed the file meanwhile. */
export function markBoxes(text: string, changes: readonly BoxChange[]): string | undefined {
  const { boxes } = readPlanLines(text, '');
  const offsets = new Set(boxes.map((box) => box.offset));
  const byLine = new Map(boxes.map((box) => [box.line, box.offset]));
  const marks = new Map<number, string>();
  for (const change of changes) {
    const offset = 'offset' in change ? change.offset : byLine.get(change.line);
    if (offset === undefined || !offsets.has(offset) || text[offset] !== change.from)
      return undefined;
    if (!MARKS.test(change.to) || (marks.get(offset) ?? change.to) !== change.to) return undefined;
    marks.set(offset, change.to);
  }
  let edited = '';
  let from = 0;
  for (const [offset, mark] of [...marks].sort(([a], [b]) => a - b)) {
    edited += text.slice(from, offset) + mark;
    from = offset + 1;
  }
  return edited + text.slice(from);
}
