/**
 * The smallest edits of files that people and agents also write: text is inserted, or a box is
 * changed. Every other byte stays; what cannot be done safely is undefined.
 */
import { VERDICTS, type Question, type Verdict } from '../../core/model/documents.ts';
import { escapeComments } from '../markdown/escape.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { saysSomething } from './answer-words.ts';
import type { Block } from './question-blocks.ts';
import { answerText, slotWords, withoutSections } from './question-places.ts';
import { parseQuestions, questionBlocks } from './questions.ts';
import { parseBlocked, parseReview, resolutionHeading, verdictBoxes } from './review.ts';
import { keywordOf } from './status-words.ts';
import { bulletOf, sectionsNamed, withBox, type Box } from '../markdown/sections.ts';

interface Insertion {
  readonly offset: number;
  readonly text: string;
}

function insert(text: string, insertions: readonly Insertion[]): string {
  let out = '';
  let from = 0;
  for (const { offset, text: piece } of insertions) {
    out += text.slice(from, offset) + piece;
    from = offset;
  }
  return out + text.slice(from);
}

function eolOf(lines: readonly Line[]): string {
  return lines.find((line) => line.eol !== '')?.eol || '\n';
}

/** New lines after the line with this index; `body` has the file's line ends, none at its end. */
function linesAfter(lines: readonly Line[], index: number, body: string): Insertion {
  const line = lines[index]!;
  const eol = eolOf(lines);
  const offset = line.start + line.raw.length + line.eol.length;
  return { offset, text: line.eol === '' ? `${eol}${body}` : `${body}${eol}` };
}

/**
 * `### Answer` and a blank line under each question that lacks one. An answer that the agent gave itself
 * (it is in `original`) is none: a person's comes above it.
 */
export function addAnswerSlots(text: string, original?: string): string {
  const lines = scanMarkdown(text);
  const insertions = questionBlocks(lines, original).flatMap(({ block, heading }) =>
    block === undefined || block.slot !== undefined ? [] : [slotFor(lines, block, heading)],
  );
  return insert(text, insertions);
}

/** A new one below its question, with an answer in it if there is one. */
function slotFor(lines: readonly Line[], { end }: Block, heading: boolean, words = ''): Insertion {
  const eol = eolOf(lines);
  const mark = heading ? '#### Answer' : '### Answer';
  const answer = words === '' ? '' : `${eol}${eol}${words}`;
  const gap = lines[end]?.kind === 'blank' ? '' : eol;
  return linesAfter(lines, end - 1, `${eol}${mark}${answer}${gap}`);
}

/** The person's text as lines of this file, such that it is read back as it was. */
function typed(words: string, lines: readonly Line[]): string {
  return escapeComments(plain(words)).replaceAll('\n', eolOf(lines));
}

/** An answer that begins with a section or a quotation is none without the escape. */
function typedAnswer(words: string, lines: readonly Line[]): string {
  return typed(closed(words), lines).replace(/^(?:#{1,6}(?=\s|$)|>)/, '\\$&');
}

/** A code block that is left open would hide the questions below it. */
function closed(words: string): string {
  const lines = scanMarkdown(`${plain(words)}\n\nx`, { whole: false });
  const mark = lines.findLast(({ opens }) => opens)?.raw.match(/`{3,}|~{3,}/)?.[0];
  return lines.at(-1)?.kind === 'code' ? `${plain(words)}\n${mark ?? ''}` : words;
}

/** Placeholders in a slot make room for the answer. */
function cleared(text: string, lines: readonly Line[], block: Block): string {
  const { slot, stop } = block;
  if (slot === undefined) return text;
  const inSlot = withoutSections(lines.slice(slot, stop)).slice(1);
  const words = inSlot.filter(({ kind, raw }) => kind !== 'comment' && raw.trim() !== '');
  if (words.length === 0 || saysSomething(words.map(({ raw }) => raw).join('\n'))) return text;
  const gone = new Set(words);
  const kept = lines.filter((line) => !gone.has(line)).map(({ raw, eol }) => raw + eol);
  return text.slice(0, lines[0]?.start) + kept.join('');
}

function plain(words: string): string {
  return words.replace(/\r\n?/g, '\n').trim();
}

/**
 * The ways to put words into a slot: after comments, or, where a comment would swallow what follows or the
 * agent wrote something, right under the heading.
 */
function slotEdits(
  text: string,
  lines: readonly Line[],
  slot: { readonly heading: number; readonly stop: number },
  words: string,
): string[] {
  let last = slot.stop - 1;
  while (last > slot.heading && lines[last]!.raw.trim() === '') last -= 1;
  const inside = lines.slice(slot.heading + 1, last + 1);
  const isFilled = inside.some(({ kind }) => kind !== 'blank' && kind !== 'comment');
  return (isFilled ? [slot.heading, last] : [last, slot.heading]).map((index) => {
    const eol = eolOf(lines);
    const blank = lines[index + 1]?.raw.trim() === '';
    const after = blank ? index + 1 : index;
    const next = lines[after + 1];
    const gap = next === undefined || next.raw.trim() === '' ? '' : eol;
    return insert(text, [linesAfter(lines, after, `${blank ? '' : eol}${words}${gap}`)]);
  });
}

/** Answers that stand elsewhere, repeated in the slots below their questions: programs look there alone. */
export function answersInSlots(text: string, original?: string): string {
  const { questions } = parseQuestions(text, original);
  return questions.reduce((whole, question) => inSlot(whole, question, original), text);
}

function inSlot(text: string, question: Question, original?: string): string {
  const { number, answer } = question;
  const lines = scanMarkdown(text);
  const { block, heading } = questionBlocks(lines, original)[number - 1] ?? {};
  if (block === undefined || heading === undefined || answer === '') return text;
  const words = typedAnswer(answer, lines);
  const { slot } = block;
  const [from, eol] = [slot ?? block.end, eolOf(lines)];
  const titled = lines.slice(from, block.stop).find((line) => slotWords(line) !== undefined);
  if (titled !== undefined) {
    const mark = slot === undefined ? `${heading ? '####' : '###'} Answer${eol}${eol}` : '';
    const { start, raw } = titled;
    const apart = `${mark}${slotWords(titled) ?? ''}`;
    return inSlot(
      text.slice(0, start) + apart + text.slice(start + raw.length),
      question,
      original,
    );
  }
  if (slot === undefined) return insert(text, [slotFor(lines, block, heading, words)]);
  const room = cleared(text, lines, block);
  if (room !== text) return inSlot(room, question, original);
  const inside = withoutSections(lines.slice(slot, block.stop));
  const said = answerText(inside);
  const stop = (inside.at(-1)?.index ?? slot) + 1;
  if (said === '') return slotEdits(text, lines, { heading: slot, stop }, words)[0] ?? text;
  if (`${said}\n`.startsWith(`${answer}\n`)) {
    const { start, raw } = lines[slot]!;
    const end = start + raw.length;
    return `${text.slice(0, end)}${eol}${eol}${text.slice(end).trimStart()}`;
  }
  // The slot has the end of the answer, or words of the agent.
  const more = answer.endsWith(said) ? answer.slice(0, answer.length - said.length).trim() : answer;
  const above = `${eol}${typedAnswer(more, lines)}`;
  return insert(text, [linesAfter(lines, slot, above)]);
}

/** Why an edit was not made; `fix` is empty where only an edit by hand is left. */
export interface WhyNot {
  readonly message: string;
  readonly fix: string;
}

const NO_TEXT: WhyNot = { message: 'the text is empty', fix: 'Write some text' };

function byHand(message: string): WhyNot {
  return { message, fix: '' };
}

/** `number` is 0 when no question was open. */
export function writeAnswer(
  text: string,
  number: number,
  answer: string,
  original?: string,
): string | WhyNot {
  const lines = scanMarkdown(text);
  const questions = questionBlocks(lines, original);
  const question = questions[number - 1];
  const words = typedAnswer(answer, lines);
  const open = questions.findIndex(({ answered }) => !answered) + 1;
  const still = open === 0 ? '' : `Question ${open} is open`;
  if (words === '') return NO_TEXT;
  if (questions.length === 0) return byHand('no question can be read in this file');
  if (number === 0) return byHand('every question is already answered');
  if (question === undefined) {
    const many = questions.length === 1 ? 'there is 1' : `there are ${questions.length}`;
    return { message: `there is no question ${number}; ${many}`, fix: still };
  }
  const { block, heading } = question;
  if (block === undefined) {
    const fix = 'Put it back, or move the folder to ready/: the agent gets the file as it is';
    return { message: `question ${number} is no longer in the file`, fix };
  }
  if (question.answered) {
    const fix = still === '' ? '' : `${still}; this one can only be changed by hand`;
    return { message: `question ${number} is already answered`, fix };
  }
  const room = cleared(text, lines, block);
  if (room !== text) return writeAnswer(room, number, answer, original);
  const edits =
    block.slot === undefined
      ? [insert(text, [slotFor(lines, block, heading, words)])]
      : slotEdits(text, lines, { heading: block.slot, stop: block.stop }, words);
  const readBack = (edited: string) => parseQuestions(edited, original).questions[number - 1];
  const said = plain(closed(answer));
  const written = edits.find((edited) => readBack(edited)?.answer === said);
  if (written !== undefined) return written;
  const more = 'words that are in its slot would become a part of the answer';
  const hasMore = edits.some((edited) => readBack(edited)?.answer.startsWith(said));
  return byHand(hasMore ? more : 'the answer would be read back differently');
}

function tick(text: string, { start, raw }: Line, ticked = true): string {
  return text.slice(0, start) + withBox(raw, ticked) + text.slice(start + raw.length);
}

/** This box ticked and no other. Undefined without such a box, or if the verdict would not be read so. */
export function tickVerdict(text: string, verdict: Verdict): string | undefined {
  const edited = tickAlone(text, verdict, verdictBoxes(scanMarkdown(text)));
  return edited !== undefined && parseReview(edited).verdict === verdict ? edited : undefined;
}

/** The box of this word, and none of the others; undefined where it has none. */
export function tickAlone<Word>(
  text: string,
  word: Word,
  boxes: readonly Box<Word>[],
): string | undefined {
  const own = boxes.filter((one) => one.word === word);
  const box = own.find((one) => one.ticked) ?? own[0];
  if (box === undefined) return undefined;
  const changed = boxes.filter((one) => (one === box) !== one.ticked);
  // From the last one: what comes before it stays where it is.
  return changed.reduceRight((edited, one) => tick(edited, one.line, one === box), text);
}

/**
 * A section after all others, for a review whose boxes were lost. Undefined while it has
 * a box, or if the verdict would not be read so.
 */
export function addVerdict(text: string, verdict: Verdict): string | undefined {
  const lines = scanMarkdown(text);
  const boxes = verdictBoxes(lines);
  const read = boxes.filter(({ word }) => word !== null);
  if (read.some((box) => box.word === verdict)) return undefined;
  const ticked = boxes.filter((box) => box.ticked);
  const unticked = ticked.reduceRight((all, { line }) => tick(all, line, false), text);
  const edited = addTicked(unticked, 'Verdict', verdict, 'Findings');
  return parseReview(edited).verdict === verdict ? edited : undefined;
}

/** The reason why neither tickVerdict nor addVerdict can edit the review. */
export function whyNoVerdict(text: string): WhyNot {
  const lines = scanMarkdown(text);
  const { word } = keywordOf('verdict', VERDICTS, text, lines);
  if (word !== undefined) return byHand(`it has the verdict ${word}, but not in a box`);
  return verdictBoxes(lines).every(({ word: read }) => read === null)
    ? byHand('no box under ## Verdict can be read')
    : byHand('the boxes under ## Verdict cannot be ticked for one verdict');
}

/** At the end: a section with this box, and an empty one for words about it. */
export function addTicked(text: string, title: string, word: string, about: string): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const gap = text === '' || text.endsWith(eol) ? '' : eol;
  return `${text}${gap}${['', `## ${title}`, '', `- [x] ${word}`, '', `## ${about}`, ''].join(eol)}`;
}

/** Findings of another verdict stay, but are no reason of this one: `## Findings` begins again. */
export function setFindingsAside(text: string): string {
  const lines = scanMarkdown(text);
  const eol = eolOf(lines);
  const aside = sectionsNamed(lines, 'Findings').map(({ heading }) => ({
    offset: heading.start + heading.raw.toLowerCase().indexOf('findings'),
    text: 'Earlier ',
  }));
  return `${insert(text, aside).trimEnd()}${eol}${eol}## Findings${eol}`;
}

/** `line` is 1-based. Undefined when no box is there. */
export function tickBox(text: string, line: number): string | undefined {
  const found = scanMarkdown(text)[line - 1];
  const bullet = found === undefined ? undefined : bulletOf(found);
  if (found === undefined || bullet?.ticked === undefined) return undefined;
  if (bullet.ticked) return text;
  const edited = tick(text, found);
  const after = scanMarkdown(edited)[line - 1];
  return after !== undefined && bulletOf(after)?.ticked === true ? edited : undefined;
}

export function writeResolution(text: string, resolution: string): string | WhyNot {
  const lines = scanMarkdown(text);
  const heading = resolutionHeading(lines);
  const words = typed(resolution, lines);
  if (words === '') return NO_TEXT;
  if (heading === undefined) return byHand('there is no slot: a line ## Resolution');
  if (parseBlocked(text).resolution !== '') return byHand('there is already a resolution');
  const slot = { heading: heading.index, stop: lines.length };
  const edits = slotEdits(text, lines, slot, words);
  return (
    edits.find((edited) => parseBlocked(edited).resolution === plain(resolution)) ??
    byHand('the words would be read back differently')
  );
}
