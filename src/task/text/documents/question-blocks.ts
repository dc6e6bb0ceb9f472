/** Where the questions of a questions.md are, when only the file itself is known. */
import { indentOf, type Line } from '../markdown/line-scanner.ts';
import { bulletOf, plainTitle, sectionsNamed } from '../markdown/sections.ts';

/** Half-open line ranges, by index. */
export interface Block {
  readonly start: number;
  /** After the last line of the question itself. */
  readonly end: number;
  /** Line of the `### Answer` heading. */
  readonly slot: number | undefined;
  /** After the last line that may belong to the answer. */
  readonly stop: number;
}

type Form = 'heading' | 'paragraph' | 'numbered' | 'bullet' | 'whole';

export function isAnswerHeading(line: Line): boolean {
  const level = line.level === 3 || line.level === 4;
  return level && /^an(?:swer|twort)$/.test(plainTitle(line.title));
}

const QUESTION_TITLE = /^(?:question|q)(?: ?\d+)?\b|^\d+\b/;
const NUMBERED_TITLE = /^(?:(?:question|q) ?)?\d+\b/;
const BOLD_NUMBER = /^(?:\*\*|__)(?:(?:question|q) ?)?\d+\b/i;

function isQuestionHeading(line: Line): boolean {
  const title = plainTitle(line.title);
  if (line.level === 3) return !isAnswerHeading(line) && QUESTION_TITLE.test(title);
  return (
    line.level === 2 && NUMBERED_TITLE.test(title) && (title.startsWith('q') || asks(line.title))
  );
}

function isAskingHeading(line: Line): boolean {
  if (line.level === 0 || isAnswerHeading(line)) return false;
  return asks(line.title) || (line.level === 2 && NUMBERED_TITLE.test(plainTitle(line.title)));
}

function asks(text: string): boolean {
  return /[?？؟](?![\w=&])/.test(text.replace(/\([^()]*\)/g, ''));
}

/** Words that ask; one word with such a mark is an option. */
function isAsked(line: Line, inside: readonly Line[], parts: ReadonlySet<Line>): boolean {
  let text = bulletOf(line)?.text ?? '';
  for (let at = line.index - inside[0]!.index + 1; parts.has(inside[at]!); at++)
    text += ` ${inside[at]!.visible}`;
  return asks(text) && /\s\S*\?|[？؟]/.test(text);
}

/** Lines right below an item; if they begin a sentence, only where nothing asks `above` the list. */
function partsOfItems(lines: readonly Line[], above: boolean): ReadonlySet<Line> {
  let isIn = false;
  const parts = lines.filter((line) => {
    if (bulletOf(line) !== undefined) return !(isIn = true);
    const isOwn = above && /^[^\p{L}]*[\p{Lu}\p{Lo}]/u.test(line.visible);
    return (isIn &&= !isOwn && /^(?:text|indented|comment)$/.test(line.kind));
  });
  return new Set(parts);
}

function isProse(line: Line | undefined): line is Line {
  if (line?.kind === 'quote') return true;
  return line?.kind === 'text' && bulletOf(line) === undefined && indentOf(line.raw).column < 2;
}

/** Paragraphs that ask, or have a number in bold. */
function askingParagraphs(lines: readonly Line[]): Line[] {
  return lines.filter((line, k) => {
    if (!isProse(line) || isProse(lines[k - 1])) return false;
    let end = k + 1;
    while (isProse(lines[end])) end += 1;
    const text = lines.slice(k, end).map(({ visible }) => visible);
    return BOLD_NUMBER.test(line.visible) || asks(text.join(' '));
  });
}

/** A heading below one that asks is a part of it. */
function outermost(headings: readonly Line[]): Line[] {
  let top = 7;
  return headings.filter(({ level }) => level <= top && (top = level) > 0);
}

/** Lines at which a question may begin. Where words ask above a list, its items are their options. */
function candidatesOf(inside: readonly Line[], first: number): [Form, readonly Line[]] {
  const numbered = inside.filter((line) => topBullet(line, true));
  const bullets = inside.filter((line) => topBullet(line, false));
  const asking = askingParagraphs(inside);
  const top = Math.min(...[numbered, bullets].map(([line]) => line?.index ?? first));
  const parts = partsOfItems(inside, (asking[0]?.index ?? top) < top);
  const isMeant = (line: Line) => isAsked(line, inside, parts);
  const paragraphs = asking.filter((line) => !parts.has(line));
  const hasOptions = [...numbered, ...bullets].some(
    ({ index }) => index < first && index > (paragraphs[0]?.index ?? first),
  );
  // Lists below the first slot may be answers.
  const asked = (lines: readonly Line[]) => lines.filter(({ index }) => index < first);
  const forms: [Form, readonly Line[], boolean?][] = [
    ['heading', outermost(inside.filter(isQuestionHeading))],
    ['numbered', numbered, asked(numbered).some(isMeant)],
    ['bullet', bullets, asked(bullets).every(isMeant)],
    ['heading', outermost(inside.filter(isAskingHeading))],
    ['paragraph', paragraphs, hasOptions],
    ['numbered', numbered],
    ['bullet', bullets],
  ];
  const found = forms.find(([, lines, isOne = true]) => isOne && asked(lines).length > 0);
  if (found === undefined) return ['whole', wholeStart(asked(inside))];
  const [form, candidates] = found;
  // Words with options of their own, above the first of them.
  const above = paragraphs.filter(({ index }) => index < candidates[0]!.index);
  const isMore = [...numbered, ...bullets].some(
    ({ index }) => index > (above[0]?.index ?? first) && index < candidates[0]!.index,
  );
  return [form, isMore ? [...above, ...candidates] : candidates];
}

function topBullet(line: Line, ordered: boolean): boolean {
  const bullet = bulletOf(line);
  return bullet !== undefined && bullet.column < 2 && bullet.ordered === ordered;
}

/** Titles of sections about questions, or with answers. */
const NOT_ASKED =
  /\b(?:why|how|no|closed|earlier|previous|past|old)\b.*\bquestions\b|\b(?:of|for|to|on|about|behind)(?: (?:the|these|those|your|all))* questions\b|(?<!\b(?:not|yet|be|to|an?|no|the|your|please|without|need(?:s|ing)?) )\b(?:answer|resolved|settled|solved)/;

export function isTitle({ title }: Pick<Line, 'title'>): boolean {
  const words = plainTitle(title.slice(0, 200));
  return /^question\b/.test(words) || (/\bquestions\b/.test(words) && !NOT_ASKED.test(words));
}

type Range = readonly [from: number, to: number];

/** Beside a section with the very title, those with a longer one too; a title that asks is a question itself. */
function rangesOf(lines: readonly Line[]): readonly Range[] {
  const named = sectionsNamed(lines, 'Questions').find(({ heading }) => heading.level <= 2);
  const top = named?.heading.level ?? 0;
  if (top !== 2 && !named?.lines.length) return [wholeRange(lines)];
  const ends = [lines.length, lines.length];
  const heads = lines.filter(({ level }) => level === 1 || level === 2).toReversed();
  const ranges = heads.flatMap((line): Range[] => {
    const { index, level, title } = line;
    const begins = level >= top && isTitle(line);
    const from = asks(title) || isQuestionHeading(line) ? index : index + 1;
    const range: Range = [from, ends[level - 1]!];
    ends[1] = index;
    if (begins || level === 1) ends[0] = index;
    return begins ? [range] : [];
  });
  return ranges.toReversed();
}

function wholeRange(lines: readonly Line[]): Range {
  let from = 0;
  while (from < lines.length && NO_WORDS.has(lines[from]!.kind)) from += 1;
  const title = lines[from];
  if (title?.level === 1 && !asks(title.title)) from += 1;
  const others = sectionsNamed(lines, 'What I Understood', 'What Is Unclear');
  const to = others.find(({ heading }) => heading.index > from)?.heading.index ?? lines.length;
  const isEmpty = lines.slice(from, to).every(({ kind }) => NO_WORDS.has(kind));
  return [from, isEmpty ? lines.length : to];
}

export const NO_WORDS: ReadonlySet<Line['kind']> = new Set(['front', 'blank', 'comment']);

export function blocksOf(lines: readonly Line[]): Block[] {
  return rangesOf(lines).flatMap((range) => blocksIn(lines, range));
}

function blocksIn(lines: readonly Line[], [from, to]: Range): Block[] {
  const inside = lines.slice(from, to);
  if (isNone(inside)) return [];
  const answers = inside.filter(isAnswerHeading).map((line) => line.index);
  const [form, candidates] = candidatesOf(inside, answers[0] ?? to);
  const starts =
    form === 'whole'
      ? candidates.map(({ index }) => index)
      : startsOf(candidates, answers, form, lines);
  return starts.map((start, k) => block(lines, start, starts[k + 1] ?? to));
}

const NONE =
  /^[\s>*_+-]*(?:none|(?:(?:i have|there are) )?no (?:open |further |more )?questions|(?:(?:ich habe|es gibt) )?keine (?:offenen |weiteren )?fragen)[\s.!*_]*$/i;

/** True where words for "no questions" are all that there is. */
export function isNone(inside: readonly Line[]): boolean {
  const [first, ...more] = inside.filter(({ kind }) => !NO_WORDS.has(kind));
  return first !== undefined && more.length === 0 && NONE.test(first.visible);
}

/** True where this is all that each of its places for questions has. */
export function asksNone(lines: readonly Line[]): boolean {
  return rangesOf(lines).every(([from, to]) => isNone(lines.slice(from, to)));
}

function wholeStart(asked: readonly Line[]): Line[] {
  return asked.filter(({ kind }) => !NO_WORDS.has(kind)).slice(0, 1);
}

/**
 * All candidates before the first slot; then between two slots the last candidate and those that go on counting, since
 * the others may be a list in an answer. An empty slot right before a candidate has no answer, so what follows the last
 * slot without a gap is asked again.
 */
function startsOf(
  candidates: readonly Line[],
  answers: readonly number[],
  form: Form,
  lines: readonly Line[],
): number[] {
  const indexes = candidates.map((line) => line.index);
  if (form === 'heading' || answers.length === 0) return indexes;
  const starts: number[] = [];
  let at = 0;
  [...answers, lines.length].forEach((answer, k) => {
    const before: Line[] = [];
    for (; at < indexes.length && indexes[at]! < answer; at++) before.push(candidates[at]!);
    const isOpen = k === 0 || followsSlot(lines, answers[k - 1]!, before[0]?.index);
    const last = k < answers.length ? before.at(-1) : undefined;
    before.forEach((line, i) => {
      const above = lines[starts.at(-1) ?? -1];
      const isOn = form === 'numbered' && goesOn(line, above, before[i - 1], starts.length);
      if (isOpen || line === last || isOn) starts.push(line.index);
    });
  });
  return starts;
}

/** True for the next number after that of the question `above`, outside of a list that an answer has. */
function goesOn(line: Line, above: Line | undefined, before: Line | undefined, many: number) {
  const numberOf = (one: Line | undefined): number => Number.parseInt(one?.visible ?? '', 10);
  const isNext = (of: Line | undefined): boolean => numberOf(line) === numberOf(of) + 1;
  return isNext(above) && (before === above || !isNext(before)) && (many > 1 || asks(line.visible));
}

function followsSlot(lines: readonly Line[], slot: number, next: number | undefined): boolean {
  if (next === undefined) return false;
  return lines.slice(slot + 1, next).every(({ kind }) => kind === 'blank' || kind === 'comment');
}

function block(lines: readonly Line[], start: number, stop: number): Block {
  let slot: number | undefined;
  for (let index = start + 1; index < stop && slot === undefined; index++)
    if (isAnswerHeading(lines[index]!)) slot = index;
  let end = slot ?? stop;
  while (end > start + 1 && lines[end - 1]!.kind === 'blank') end -= 1;
  return { start, end, slot, stop };
}
