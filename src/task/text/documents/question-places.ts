/**
 * Places of the questions in a questions.md when the agent's own text is known too: found by their first
 * lines, in order. So a person's answer is never taken for a question, nor the agent's text for an answer.
 */
import { addTo } from '../../core/base/groups.ts';
import { unescapeComments } from '../markdown/escape.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { beforePlace, saysSomething } from './answer-words.ts';
import { blocksOf, isAnswerHeading, type Block } from './question-blocks.ts';

/** Candidates for one question; of more repeats only the first are tried. */
const CANDIDATES_MAX = 50;
const ANSWER_LINE = /^ {0,3}#{3,4}[ \t]+[*_]*an(?:swer|twort)[*_]*:?[ \t#]*$/i;

/** An answer on the line of its question: `1. Which colour? -> blue`. */
const BESIDE = /^(?:\s*(?:->|→|:)|\s)\s*(?!->|→|:)(\S.*)$/;

/** `### Answer: Ada` */
const SLOT_WORDS =
  /^ {0,3}#{3,4}[ \t]+[*_]*an(?:swer|twort)[*_]*[ \t]*[:—–-][*_]*[ \t]*([^\s#*_].*?)[ \t#]*$/i;

/** Written before an answer that begins with a section or a quotation: these alone are remarks. */
const ESCAPE = /^\\(?=#{1,6}(?:\s|$)|>)/;

/** Words in round brackets behind a question, which are a remark about it. */
const REMARK = /^\([^()]*\)[.!?]?$/;

const SLOTS = ['### answer', '#### answer'];

export function isAnswerLine(raw: string): boolean {
  return raw.length < 100 && ANSWER_LINE.test(raw);
}

/** Words in the heading of a slot, behind its name. */
export function slotWords({ kind, raw }: Line): string | undefined {
  return kind === 'heading' && raw.length < 2000 ? SLOT_WORDS.exec(raw)?.[1] : undefined;
}

export interface Placed {
  /** The question in the agent's text. */
  readonly asked: readonly Line[];
  /** The question in the file, when it is still there. */
  readonly block: Block | undefined;
  /** Lines under it that were not there when it was asked, without sections of their own. */
  readonly added: readonly Line[];
  /** The first section of its own under it, which a person wrote. */
  readonly aside: Line | undefined;
}

/**
 * The answer in the lines under a question, read on their own, so that one answer cannot hide the next.
 * Part of a heading at the end of a half-saved file is no answer.
 */
export function answerText(all: readonly Line[], own: readonly Line[] = []): string {
  const parts = partsOf(all, own).filter((part) => saysSomething(part) && !isAside(part));
  return parts.map((part) => part.replace(ESCAPE, '')).join('\n');
}

/** Headings and quotations without words of the person's own. */
function isAside(part: string): boolean {
  return part.split('\n').every((line) => /^\s*(?:>|#{1,6}(?:\s|$)|$)/.test(line));
}

/** Words above the slot, and in it. */
export function partsOf(all: readonly Line[], own: readonly Line[] = []): string[] {
  const end = all.findLastIndex((line) => line.kind !== 'blank');
  const lines = isCut(all[end]?.raw ?? '', own) ? all.slice(0, end) : all;
  const slot = lines.findIndex((line) => isAnswerLine(line.raw) || isAnswerHeading(line));
  const above = slot === -1 ? lines : lines.slice(0, slot);
  const parts = slot === -1 ? [above] : [above, lines.slice(slot + 1)];
  return parts.map(shownAlone).filter(Boolean);
}

function isCut(raw: string, own: readonly Line[]): boolean {
  const cut = raw.trim().toLowerCase();
  if (!cut.startsWith('#')) return false;
  const whole = own.map((line) => line.raw.trim().toLowerCase());
  return [...SLOTS, ...whole].some((line) => line.startsWith(cut) && line !== cut);
}

function shownAlone(lines: readonly Line[]): string {
  const part = scanMarkdown(lines.map((line) => line.raw).join('\n'), { whole: false });
  const shown = part.filter((line) => line.kind !== 'comment').map((line) => line.visible);
  return unescapeComments(shown.join('\n').trim());
}

interface Text {
  readonly raws: readonly string[];
  readonly at: ReadonlyMap<string, readonly number[]>;
}

function indexed(lines: readonly Line[]): Text {
  const at = new Map<string, number[]>();
  const raws = lines.map((line) => line.raw.trimEnd());
  raws.forEach((raw, index) => addTo(at, raw, index));
  return { raws, at };
}

/** `own` are the lines of the agent's text; an untouched file needs no search. */
export function placeQuestions(lines: readonly Line[], own: readonly Line[]): Placed[] {
  const blocks = blocksOf(own);
  const text = indexed(lines);
  const source = indexed(own);
  const same =
    text.raws.length === source.raws.length && text.raws.every((raw, k) => raw === source.raws[k]);
  const starts: (number | undefined)[] = [];
  const floors: number[] = [];
  let cursor = 0;
  for (const block of blocks) {
    const start = same ? block.start : locate(source, block, text, cursor);
    starts.push(start);
    if (start !== undefined) cursor = start + 1;
    floors.push(cursor);
  }
  const stops: number[] = [];
  let [next, until] = [lines.length, own.length];
  for (let k = blocks.length - 1; k >= 0; k--) {
    const { start, stop } = blocks[k]!;
    stops[k] = same ? stop : stopIn(source, [stop, until], text, [floors[k]!, next]);
    [next, until] = [starts[k] ?? stops[k]!, start];
  }
  return blocks.map((block, k) => {
    const asked = own.slice(block.start, block.end);
    const start = starts[k];
    if (start === undefined) return { asked, block: undefined, added: [], aside: undefined };
    const end = ownEnd(source, block, text, start, stops[k]!);
    const left = source.raws.slice(block.start + end - start, wordsEnd(own, block));
    const found = { start, end, slot: slotIn(text, [end, stops[k]!], left), stop: stops[k]! };
    const words = besideIn(lines[start]!.raw, asked[0]!.raw);
    const isAnswer = words !== undefined && !REMARK.test(words.trim());
    const beside = isAnswer ? [{ ...lines[start]!, raw: words }] : [];
    const inSlot = source.raws.slice((block.slot ?? block.stop) + 1, block.stop);
    const all = addedTo(lines, found, left, new Set(inSlot));
    const added = withoutSections(all);
    const read = new Set(added);
    const aside = all.find((line) => isSection(line) && !read.has(line) && !isCut(line.raw, own));
    const stems =
      added.length === 0
        ? []
        : asked
            .slice(1)
            .flatMap(({ raw }) => beforePlace(raw) ?? [])
            .slice(0, CANDIDATES_MAX);
    const inPlaces =
      stems.length === 0 ? added : added.map((line) => filledIn(line, stems, source));
    return { asked, block: found, added: [...beside, ...inPlaces], aside };
  });
}

/** Words behind a question on its line, or in the place that the agent left there. */
function besideIn(raw: string, question: string): string | undefined {
  const asked = question.trimEnd();
  const stem = raw.startsWith(asked) ? asked : beforePlace(asked);
  if (stem === undefined || !raw.startsWith(stem)) return undefined;
  return BESIDE.exec(raw.slice(stem.length))?.[1];
}

/** A line of the agent with a place for the answer, filled in: only what is in the place. */
function filledIn(line: Line, stems: readonly string[], source: Text): Line {
  if (source.at.has(line.raw.trimEnd())) return line;
  const stem = stems.find((one) => line.raw.startsWith(one));
  return stem === undefined ? line : { ...line, raw: line.raw.slice(stem.length).trim() };
}

/** A heading that is deeper than the one of the slot is part of what stands in it. */
function isSection(line: Line): boolean {
  return line.kind === 'heading' && line.level <= 3 && !isAnswerHeading(line);
}

/** The first line that fits with a slot right below the question; else the first that fits, or begins so. */
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
  if (all.length > low) return slotted ?? candidates[0];
  const asked = source.raws[block.start]!;
  const isBeside = (raw: string, at: number): boolean =>
    at >= cursor &&
    !source.at.has(raw) &&
    (besideIn(raw, asked) !== undefined || raw === beforePlace(asked));
  const beside = text.raws.findIndex(isBeside);
  return beside === -1 ? undefined : beside;
}

/** After the lines below `start` that are still the agent's own. */
function ownEnd(source: Text, block: Block, text: Text, start: number, stop: number): number {
  let end = start + 1;
  for (let k = block.start + 1; k < block.end && end < stop; k++, end++)
    if (source.raws[k] !== text.raws[end]) break;
  return end;
}

/** After the question; after all below it where the agent has filled in the answer itself. */
function wordsEnd(own: readonly Line[], { slot, end, stop }: Block): number {
  if (slot === undefined || partsOf(own.slice(slot, stop)).length === 0) return end;
  let last = stop;
  while (last > end && own[last - 1]!.kind === 'blank') last -= 1;
  return last;
}

/** The first slot that is not one of the agent's own, which a person may have edited; else its first. */
function slotIn({ raws }: Text, [from, to]: Span, left: readonly string[]): number | undefined {
  const many = left.filter(isAnswerLine).length;
  const slots: number[] = [];
  for (let index = from; index < to && slots.length <= many; index++)
    if (isAnswerLine(raws[index]!)) slots.push(index);
  return slots[many] ?? slots[0];
}

/** Lines added under a question; not those `left` of the agent's words, in the slot those of its `own` there. */
function addedTo(lines: readonly Line[], at: Block, left: string[], own: Set<string>): Line[] {
  const { end, stop, slot = stop } = at;
  const counts = new Map<string, number>();
  for (const raw of left) counts.set(raw, (counts.get(raw) ?? 0) + 1);
  const added = lines.slice(end, stop).filter((line) => {
    const raw = line.raw.trimEnd();
    const many = counts.get(raw) ?? 0;
    const isPerson = line.index === slot || (line.index > slot && !own.has(raw));
    if (raw === '' || many === 0 || isPerson) return true;
    counts.set(raw, many - 1);
    return false;
  });
  return added.flatMap((line) => {
    const words = slotWords(line);
    if (words === undefined) return line;
    const said: Line = { ...line, raw: words, visible: words, kind: 'text', level: 0, title: '' };
    const [raw, title] = ['### Answer', 'Answer'];
    return line.index > slot ? said : [{ ...line, raw, visible: raw, title }, said];
  });
}

/** Without sections that begin where no answer has begun: remarks, each up to the next slot. */
export function withoutSections(lines: readonly Line[]): readonly Line[] {
  let isRemark = false;
  let hasBegun = false;
  let slots = 0;
  return lines.filter((line) => {
    if (isAnswerHeading(line)) {
      const isSecond = slots++ > 0;
      const endsRemark = isRemark;
      // A second one is part of the words below the first.
      hasBegun = isSecond && !endsRemark;
      isRemark = false;
      return !(isSecond && endsRemark);
    } else if (!hasBegun && isSection(line)) isRemark = true;
    else if (!isRemark && line.visible.trim() !== '') hasBegun = true;
    return !isRemark;
  });
}

type Span = readonly [from: number, to: number];

/** The place where the agent's text goes on behind a question: the last line there that begins what follows. */
function stopIn(source: Text, [first, until]: Span, text: Text, [from, to]: Span): number {
  const behind = source.raws.slice(first, until);
  const raw = behind.find((one) => one !== '');
  let many = raw === undefined ? 0 : behind.filter((one) => one === raw).length;
  for (let index = to - 1; many > 0 && index >= from; index--)
    if (text.raws[index] === raw && --many === 0) return index;
  return to;
}
