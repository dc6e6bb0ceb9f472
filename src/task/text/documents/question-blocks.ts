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

export interface Region {
  readonly blocks: readonly Block[];
  readonly form: Form;
}

type Form = 'heading' | 'paragraph' | 'numbered' | 'bullet' | 'whole';

export function isAnswerHeading(line: Line): boolean {
  const level = line.level === 3 || line.level === 4;
  return level && plainTitle(line.title) === 'answer';
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
function isAsked(line: Line): boolean {
  const text = bulletOf(line)?.text ?? '';
  return asks(text) && /\s\S*\?|[？؟]/.test(text);
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
  const paragraphs = askingParagraphs(inside);
  const hasOptions = [...numbered, ...bullets].some(
    ({ index }) => index < first && index > (paragraphs[0]?.index ?? first),
  );
  // Lists below the first slot may be answers.
  const asked = (lines: readonly Line[]) => lines.filter(({ index }) => index < first);
  const forms: [Form, readonly Line[], boolean?][] = [
    ['heading', outermost(inside.filter(isQuestionHeading))],
    ['numbered', numbered, asked(numbered).some(isAsked)],
    ['bullet', bullets, asked(bullets).every(isAsked)],
    ['heading', outermost(inside.filter(isAskingHeading))],
    ['paragraph', paragraphs, hasOptions],
    ['numbered', numbered],
    ['bullet', bullets],
  ];
  const found = forms.find(([, lines, isMeant = true]) => isMeant && asked(lines).length > 0);
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

function regionOf(lines: readonly Line[]): { from: number; to: number } {
  const section = sectionsNamed(lines, 'Questions').find(({ heading }) => heading.level <= 2);
  if (section !== undefined && (section.heading.level === 2 || section.lines.length > 0)) {
    const from = section.heading.index + 1;
    return { from, to: from + section.lines.length };
  }
  let from = 0;
  while (from < lines.length && NO_WORDS.has(lines[from]!.kind)) from += 1;
  const title = lines[from];
  if (title?.level === 1 && !asks(title.title)) from += 1;
  const others = sectionsNamed(lines, 'What I Understood', 'What Is Unclear');
  const to = others.find(({ heading }) => heading.index > from)?.heading.index ?? lines.length;
  const isEmpty = lines.slice(from, to).every(({ kind }) => NO_WORDS.has(kind));
  return { from, to: isEmpty ? lines.length : to };
}

const NO_WORDS: ReadonlySet<Line['kind']> = new Set(['front', 'blank', 'comment']);

export function questionRegion(lines: readonly Line[]): Region {
  const { from, to } = regionOf(lines);
  const inside = lines.slice(from, to);
  const answers = inside.filter(isAnswerHeading).map((line) => line.index);
  const [form, candidates] = candidatesOf(inside, answers[0] ?? to);
  const starts =
    form === 'whole'
      ? candidates.map(({ index }) => index)
      : startsOf(candidates, answers, form, lines);
  return { form, blocks: starts.map((start, k) => block(lines, start, starts[k + 1] ?? to)) };
}

function wholeStart(asked: readonly Line[]): Line[] {
  return asked.filter(({ kind }) => !NO_WORDS.has(kind)).slice(0, 1);
}

/**
 * All candidates before the first slot; then between two slots only the last candidate, since the
 * ones before it may be a list in an answer. An empty slot right before a candidate has no answer,
 * so what follows the last slot without a gap is asked again.
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
  answers.forEach((answer, k) => {
    const before: number[] = [];
    for (; at < indexes.length && indexes[at]! < answer; at++) before.push(indexes[at]!);
    const open = k === 0 || followsSlot(lines, answers[k - 1]!, before[0]);
    for (const index of open ? before : before.slice(-1)) starts.push(index);
  });
  const rest = indexes.slice(at);
  return followsSlot(lines, answers.at(-1)!, rest[0]) ? [...starts, ...rest] : starts;
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
