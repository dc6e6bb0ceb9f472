/** Where the questions of a questions.md are, when only the file itself is known. */
import type { Line } from '../markdown/line-scanner.ts';
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

type Form = 'heading' | 'numbered' | 'bullet' | 'whole';

export function isAnswerHeading(line: Line): boolean {
  const level = line.level === 3 || line.level === 4;
  return level && plainTitle(line.title) === 'answer';
}

const QUESTION_TITLE = /^(?:question|q)(?: ?\d+)?\b|^\d+\b/;

function isQuestionHeading(line: Line): boolean {
  return line.level === 3 && !isAnswerHeading(line) && QUESTION_TITLE.test(plainTitle(line.title));
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
  while (from < lines.length && ['front', 'blank', 'comment'].includes(lines[from]!.kind))
    from += 1;
  return { from: lines[from]?.level === 1 ? from + 1 : from, to: lines.length };
}

export function questionRegion(lines: readonly Line[]): Region {
  const { from, to } = regionOf(lines);
  const inside = lines.slice(from, to);
  const answers = inside.filter(isAnswerHeading).map((line) => line.index);
  const first = answers[0] ?? to;
  // Lists below the first slot may be answers.
  const asked = inside.filter((line) => line.index < first);
  const tests: [Form, (line: Line) => boolean][] = [
    ['heading', isQuestionHeading],
    ['numbered', (line) => topBullet(line, true)],
    ['bullet', (line) => topBullet(line, false)],
  ];
  const [form, test] = tests.find(([, matches]) => asked.some(matches)) ?? [
    'whole' as Form,
    () => false,
  ];
  const starts =
    form === 'whole' ? wholeStart(asked) : startsOf(inside.filter(test), answers, form, lines);
  return { form, blocks: starts.map((start, k) => block(lines, start, starts[k + 1] ?? to)) };
}

function wholeStart(asked: readonly Line[]): number[] {
  const first = asked.find((line) => !['blank', 'comment', 'front'].includes(line.kind));
  return first === undefined ? [] : [first.index];
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
