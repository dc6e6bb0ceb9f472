/** questions.md, with answers. The agent's own text is no answer. */
import type { Question, QuestionsDocument } from '../../core/model/documents.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { questionRegion, type Block } from './question-blocks.ts';
import { answerText, isAnswerLine, placeQuestions, withoutSections } from './question-places.ts';
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
  return questionRegion(lines).blocks.map((block, index) => ({
    number: index + 1,
    text: questionText(lines.slice(block.start, block.end)),
    line: block.start + 1,
    has_slot: block.slot !== undefined,
    answer: block.slot === undefined ? '' : answerText(lines.slice(block.slot, block.stop)),
  }));
}

function readPlaced(lines: readonly Line[], own: readonly Line[]): Question[] {
  const placed = placeQuestions(lines, own);
  // Only the last line of the file can be half a line.
  const end = lines.findLastIndex(({ kind }) => kind !== 'blank');
  const answers = placed.map(({ added }) => {
    const answer = answerText(added, (added.at(-1)?.index ?? -1) >= end ? own : []);
    return answer !== '' && isAdded(added, lines, own) ? answer : '';
  });
  return placed.map(({ asked, block }, index) => ({
    number: index + 1,
    text: questionText(asked),
    line: block === undefined ? 1 : block.start + 1,
    has_slot: block?.slot !== undefined,
    ...(block === undefined ? { missing: true as const } : {}),
    answer: answers[index]!,
    ...(answers[index] === slotText(lines, block) ? {} : { is_beside: true as const }),
  }));
}

function slotText(lines: readonly Line[], { slot, stop }: Partial<Block> = {}): string {
  return slot === undefined ? '' : answerText(withoutSections(lines.slice(slot, stop)));
}

/** At least one line of it is more often in the file than in the agent's text. */
function isAdded(answer: readonly Line[], lines: readonly Line[], own: readonly Line[]): boolean {
  const given = answer.map((line) => line.raw.trim());
  const words = new Set(given.filter((line) => line !== '' && !isAnswerLine(line)));
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
  const { blocks, form } = questionRegion(source);
  const placed = isAlone ? blocks : placeQuestions(lines, source).map(({ block }) => block);
  const questions = isAlone ? readAlone(lines) : readPlaced(lines, source);
  return placed.map((block, k) => {
    const heading = form === 'heading' && source[blocks[k]!.start]!.level > 2;
    return { block, answered: questions[k]?.answer !== '', heading };
  });
}
