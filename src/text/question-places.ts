/**
 * Where the questions of a questions.md are when the agent's own text, without slots and answers, is
 * known too: found again by their first lines, in order, so that nothing which a person writes into
 * an answer can be taken for a question. Positions only; it never fails.
 */
import { scanMarkdown, type Line } from './markdown.ts';
import { questionRegion, type Block } from './question-blocks.ts';

/** Candidates looked at for one question; a text with more repeats is read at its first ones. */
const CANDIDATES_MAX = 50;
const ANSWER_LINE = /^ {0,3}#{3,4}[ \t]+[*_]*answer[*_]*:?[ \t#]*$/i;

export function isAnswerLine(raw: string): boolean {
  return raw.length < 100 && ANSWER_LINE.test(raw);
}

export interface Placed {
  /** The question in the agent's text. */
  readonly asked: readonly Line[];
  /** The question in the file, when it is still there. */
  readonly block: Block | undefined;
}

interface Text {
  readonly raws: readonly string[];
  readonly at: ReadonlyMap<string, readonly number[]>;
}

function indexed(lines: readonly Line[]): Text {
  const at = new Map<string, number[]>();
  const raws = lines.map((line) => line.raw.trimEnd());
  raws.forEach((raw, index) => {
    const list = at.get(raw);
    if (list === undefined) at.set(raw, [index]);
    else list.push(index);
  });
  return { raws, at };
}

export function placeQuestions(lines: readonly Line[], original: string): Placed[] {
  const own = scanMarkdown(original);
  const { blocks } = questionRegion(own);
  const text = indexed(lines);
  const source = indexed(own);
  const starts: (number | undefined)[] = [];
  let cursor = 0;
  for (const block of blocks) {
    const start = locate(source, block, text, cursor);
    starts.push(start);
    if (start !== undefined) cursor = start + 1;
  }
  const last = blocks.at(-1);
  const tail = last === undefined ? lines.length : tailStart(source, last, text, cursor);
  const stops: number[] = [];
  for (let k = blocks.length - 1, next = tail; k >= 0; k--) {
    stops[k] = next;
    next = starts[k] ?? next;
  }
  return blocks.map((block, k) => {
    const asked = own.slice(block.start, block.end);
    const start = starts[k];
    if (start === undefined) return { asked, block: undefined };
    return { asked, block: placed(source, block, text, start, stops[k]!) };
  });
}

/** The first line that fits with a slot right below the question; else the first that fits. */
function locate(source: Text, block: Block, text: Text, cursor: number): number | undefined {
  const all = text.at.get(source.raws[block.start]!) ?? [];
  let low = 0;
  for (let high = all.length; low < high;) {
    const middle = (low + high) >> 1;
    if (all[middle]! < cursor) low = middle + 1;
    else high = middle;
  }
  const candidates = all.slice(low, low + CANDIDATES_MAX);
  const slotted = candidates.find((start) => {
    let next = ownEnd(source, block, text, start, text.raws.length);
    while (next < text.raws.length && text.raws[next] === '') next += 1;
    return isAnswerLine(text.raws[next] ?? '');
  });
  return slotted ?? candidates[0];
}

/** Behind the lines below `start` that are still the agent's own. */
function ownEnd(source: Text, block: Block, text: Text, start: number, stop: number): number {
  let end = start + 1;
  for (let k = block.start + 1; k < block.end && end < stop; k++, end++)
    if (source.raws[k] !== text.raws[end]) break;
  return end;
}

function placed(source: Text, block: Block, text: Text, start: number, stop: number): Block {
  const end = ownEnd(source, block, text, start, stop);
  let slot: number | undefined;
  for (let index = end; index < stop && slot === undefined; index++)
    if (isAnswerLine(text.raws[index]!)) slot = index;
  return { start, end, slot, stop };
}

/** Where the agent's text goes on behind its last question: counted from the end of the file. */
function tailStart(source: Text, last: Block, text: Text, cursor: number): number {
  let first = last.stop;
  while (first < source.raws.length && source.raws[first] === '') first += 1;
  const raw = source.raws[first];
  if (raw === undefined) return text.raws.length;
  const behind = (source.at.get(raw) ?? []).filter((index) => index >= first).length;
  const found = text.at.get(raw)?.at(-behind);
  return found !== undefined && found >= cursor ? found : text.raws.length;
}
