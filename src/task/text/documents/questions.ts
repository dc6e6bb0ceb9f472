/** questions.md, with answers. The agent's own text is no answer. */
import { given } from '../../core/base/defined-fields.ts';
import type { Question, QuestionsDocument } from '../../core/model/documents.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { blocksOf, type Block } from './question-blocks.ts';
import { contradictsItself, saysSomething } from './answer-words.ts';
import {
  answerText,
  isAnswerLine,
  partsOf,
  placeQuestions,
  type Placed,
} from './question-places.ts';
import { bulletOf, oneLine, sectionText } from '../markdown/sections.ts';

/** `original` is the agent's own text, before slots and answers came in. */
export function parseQuestions(text: string, original?: string): QuestionsDocument {
  const lines = scanMarkdown(text);
  const source = original === undefined ? lines : scanMarkdown(original);
  return {
    questions: original === undefined ? readAlone(lines) : readPlaced(lines, source),
    understood: sectionText(source, 'What I Understood'),
    unclear: sectionText(source, 'What Is Unclear'),
  };
}

function readAlone(lines: readonly Line[]): Question[] {
  return blocksOf(lines).map((block, index) => ({
    number: index + 1,
    text: questionText(lines.slice(block.start, block.end)),
    line: block.start + 1,
    has_slot: block.slot !== undefined,
    ...optionsIn(lines.slice(block.start, block.end)),
    answer: block.slot === undefined ? '' : answerText(lines.slice(block.slot, block.stop)),
  }));
}

function readPlaced(lines: readonly Line[], own: readonly Line[]): Question[] {
  const placed = placeQuestions(lines, own);
  // Only the last line of the file can be half a line.
  const end = lines.findLastIndex(({ kind }) => kind !== 'blank');
  const read = placed.map((one) => {
    if (!isAdded(one.added, lines, own)) return { answer: '' };
    return answerIn(one, (one.added.at(-1)?.index ?? -1) >= end ? own : []);
  });
  const answers = read.map(({ answer }) => answer);
  const aside = placed.find((one) => one.aside !== undefined)?.aside;
  return placed.map(({ asked, block }, index) => ({
    number: index + 1,
    text: questionText(asked),
    ...optionsIn(asked),
    line: block === undefined ? 1 : block.start + 1,
    has_slot: block?.slot !== undefined,
    ...(block === undefined ? { missing: true as const } : {}),
    answer: answers[index]!,
    ...given({
      unread:
        read[index]!.unread ??
        (aside !== undefined && index === answers.indexOf('')
          ? ({ why: 'section', found: aside.raw.trim() } as const)
          : undefined),
    }),
  }));
}

const QUOTE = /^\s*>\s?/;

/** Finds the question apart from the lines that it quotes and the boxes below it. */
function optionsIn(lines: readonly Line[]): Pick<Question, 'options' | 'head' | 'quote'> {
  const isBox = (line: Line): boolean => bulletOf(line)?.ticked !== undefined;
  const isQuote = ({ kind, raw }: Line): boolean => kind !== 'code' && QUOTE.test(raw);
  const options = lines.filter(isBox).flatMap((line) => bulletOf(line)?.text ?? []);
  const quoted = lines.filter(isQuote).map(({ raw }) => raw.replace(QUOTE, ''));
  const quote = oneLine(quoted.join(' '));
  const isApart = (line: Line): boolean => isQuote(line) || (options.length > 1 && isBox(line));
  const head = lines.slice(0, Math.max(0, lines.findIndex(isApart)));
  if (head.length === 0) return {};
  return {
    head: questionText(head),
    ...(options.length > 1 && { options }),
    ...(quote !== '' && { quote }),
  };
}

function answerIn(
  { asked, added }: Placed,
  own: readonly Line[],
): Pick<Question, 'answer' | 'unread'> {
  const answer = answerText(added, own);
  const found = partsOf(added, own).join('\n');
  if (found === '') return { answer };
  const why = saysSomething(found) ? 'aside' : 'nothing';
  if (answer === '') return { answer, unread: { why, found } };
  const options = asked.map(({ raw }) => raw);
  if (!contradictsItself(options, answer)) return { answer };
  return { answer: '', unread: { why: 'contradicts', found: answer } };
}

/** At least one line of it is more often in the file than in the agent's text. */
function isAdded(answer: readonly Line[], lines: readonly Line[], own: readonly Line[]): boolean {
  // Only a part of a line that is in neither.
  if (answer.some(({ index, raw }) => lines[index]?.raw !== raw)) return true;
  const said = answer.map((line) => line.raw.trim());
  const words = new Set(said.filter((line) => line !== '' && !isAnswerLine(line)));
  if (words.size === 0) return true;
  const spare = new Map<string, number>();
  const tally = (all: readonly Line[], by: number): void => {
    for (const { raw } of all) spare.set(raw.trim(), (spare.get(raw.trim()) ?? 0) + by);
  };
  tally(lines, 1);
  tally(own, -1);
  return [...words].some((line) => (spare.get(line) ?? 1) > 0);
}

const NUMBER = /^(?:(?:question|q)[\s\d]*[:.)]|(?:question|q)\s*\d+\b|question$|\d+[.)])\s*/i;

function questionText(lines: readonly Line[]): string {
  const words = lines
    .filter((line) => line.kind !== 'comment')
    .map((line) => {
      if (line.kind === 'heading') return line.title.replace(NUMBER, '');
      return line === lines[0] ? (bulletOf(line)?.text ?? line.visible) : line.visible;
    });
  const text = oneLine(words.join(' '));
  return text === '' ? oneLine(lines[0]?.title ?? '') : text;
}

export function questionBlocks(
  lines: readonly Line[],
  original?: string,
): { block: Block | undefined; answered: boolean; heading: boolean }[] {
  const isAlone = original === undefined;
  const source = isAlone ? lines : scanMarkdown(original);
  const blocks = blocksOf(source);
  const placed = isAlone ? blocks : placeQuestions(lines, source).map(({ block }) => block);
  const questions = isAlone ? readAlone(lines) : readPlaced(lines, source);
  return placed.map((block, k) => {
    const heading = source[blocks[k]!.start]!.level > 2;
    return { block, answered: questions[k]?.answer !== '', heading };
  });
}

const NONE = /^[\s>*_-]*no questions[\s.!*_]*$/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s|[?？]/;

/** True where the first line below the headings says only "no questions", and nothing after it asks or is in a list. */
export function saysNone(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return NONE.test(lines[0] ?? '') && !lines.slice(1).some((line) => ITEM.test(line));
}

const plain = (text = ''): string => oneLine(text.replaceAll(/[*_`#>[\]-]/g, ' ')).toLowerCase();

/** Counts the questions that quote no line of the contract behind `>`. */
export function quotingNone(text: string, contract: string): number {
  const whole = plain(contract);
  const quotes = parseQuestions(text).questions.map(({ quote }) => plain(quote));
  return quotes.filter((quote) => quote === '' || !whole.includes(quote)).length;
}

/** Leaves out the questions after the first `most`; the sections below them stay. */
export function firstQuestions(text: string, most: number): string {
  const { questions } = parseQuestions(text);
  const from = questions[most]?.line;
  if (from === undefined) return text;
  const lines = text.split(/(?<=\n)/);
  const last = questions.at(-1)?.line ?? from;
  const rest = lines.slice(last).findIndex((line) => /^#{1,2}\s/.test(line));
  const below = rest === -1 ? [] : lines.slice(last + rest);
  return [...lines.slice(0, from - 1), ...below].join('');
}
