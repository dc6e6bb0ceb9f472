/** questions.md, with answers. The agent's own text is no answer. */
import { given } from '../../core/base/defined-fields.ts';
import type { Question, QuestionsDocument } from '../../core/model/documents.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { asksNone, blocksOf, isNone, isTitle, NO_WORDS, type Block } from './question-blocks.ts';
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
    ...wordsIn(lines.slice(block.start, block.end)),
    line: block.start + 1,
    has_slot: block.slot !== undefined,
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
    ...wordsIn(asked),
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
const NUMBERED = /^[\s#*_-]*(?:(?:question|q)\s*)?\d+[.):]\s*/i;

/** Reads the question apart from the lines that it quotes and from the boxes, of which two or more are options. */
function wordsIn(lines: readonly Line[]): Pick<Question, 'text' | 'options' | 'quote' | 'said'> {
  const isQuote = ({ kind, raw }: Line): boolean =>
    !['code', 'fence', 'comment'].includes(kind) && QUOTE.test(raw);
  const boxOf = (line: Line): string | undefined => {
    const { ticked, text = '' } = bulletOf(line) ?? {};
    return ticked === undefined || text.trim() === '' ? undefined : text;
  };
  const options = lines.flatMap((line) => boxOf(line) ?? []);
  const quoted = lines.filter(isQuote).map(({ raw }) => raw.replace(QUOTE, ''));
  const quote = oneLine(quoted.join(' '));
  const isApart = (line: Line): boolean =>
    isQuote(line) || (options.length > 1 && boxOf(line) !== undefined);
  const words = lines.filter((line, at) => at === 0 || !isApart(line));
  const said = lines.filter((line) => !isQuote(line)).map(({ raw }) => raw);
  return {
    text: questionText(words),
    said: said.join('\n').replace(NUMBERED, ''),
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
  if (!contradictsItself(options, answer)) return { answer: unboxed(answer) };
  return { answer: '', unread: { why: 'contradicts', found: answer } };
}

const TICKED = /^\s*[-*+]\s+\[[xX]\]\s+(.+)$/;

/** Words of boxes that were ticked, without the boxes. */
function unboxed(answer: string): string {
  const ticked = answer.split('\n').map((line) => TICKED.exec(line)?.[1]?.trim());
  return ticked.every((one) => one !== undefined) ? ticked.join(', ') : answer;
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

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s|[?？]/;

/** True where "no questions" is all that stands below the first headings; a section below it may not ask. */
export function saysNone(text: string): boolean {
  const all = scanMarkdown(text);
  if (asksNone(all)) return true;
  const lines = all.filter(({ kind }) => !NO_WORDS.has(kind));
  const first = lines.findIndex(({ level }) => level === 0);
  const [none, ...below] = lines.slice(Math.max(0, first));
  const headOf = (at: number) => below.slice(0, at).findLast(({ level }) => level > 0);
  const asks = ({ raw, level }: Line, at: number): boolean =>
    ITEM.test(raw) || (level === 0 && isTitle(headOf(at) ?? { title: '' }));
  if (none === undefined || !/no questions/i.test(none.visible) || !isNone([none])) return false;
  return below[0]?.level !== 0 && !below.some(asks);
}

const plain = (text = ''): string => oneLine(text.replaceAll(/[*_`#>[\]-]/g, ' ')).toLowerCase();

/** Numbers of the questions that quote no line of the contract behind `>`. */
export function quotingNone(text: string, contract: string): readonly number[] {
  const whole = plain(contract);
  return parseQuestions(text).questions.flatMap(({ number, quote }) => {
    const words = plain(quote);
    return words === '' || !whole.includes(words) ? [number] : [];
  });
}

/** Leaves out the questions after the first `most`; the sections below them stay. */
export function firstQuestions(text: string, most: number): string {
  const { questions } = parseQuestions(text);
  const from = questions[most]?.line;
  if (from === undefined) return text;
  const lines = text.split(/(?<=\n)/);
  const last = questions.at(-1)?.line ?? from;
  const isBelow = ({ index, level }: Line): boolean => index >= last && level > 0 && level < 3;
  const below = scanMarkdown(text).find(isBelow)?.index ?? lines.length;
  return [...lines.slice(0, from - 1), ...lines.slice(below)].join('');
}
