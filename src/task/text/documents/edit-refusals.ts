/** Why a text could not be put into a file (edit.ts), and what to do about it. */
import { VERDICTS } from '../../core/model/documents.ts';
import { scanMarkdown } from '../markdown/line-scanner.ts';
import { parseQuestions } from './questions.ts';
import { parseBlocked, resolutionHeading, verdictBoxes } from './review.ts';
import { keywordOf } from './status-words.ts';

/** `fix` is empty where only an edit by hand is left. */
export interface WhyNot {
  readonly message: string;
  readonly fix: string;
}

/** `number` is 0 when no question was open. */
export function whyNoAnswer(
  text: string,
  number: number,
  answer: string,
  original?: string,
): WhyNot {
  const { questions } = parseQuestions(text, original);
  const one = questions[number - 1];
  const open = questions.find((question) => question.answer === '');
  const still = open === undefined ? '' : `Question ${open.number} is open`;
  if (answer.trim() === '') return { message: 'the text is empty', fix: 'Write some text' };
  if (questions.length === 0) return { message: 'no question can be read in this file', fix: '' };
  if (number === 0) return { message: 'every question is already answered', fix: '' };
  if (one === undefined) {
    const many = questions.length === 1 ? 'there is 1' : `there are ${questions.length}`;
    return { message: `there is no question ${number}; ${many}`, fix: still };
  }
  if (one.missing === true) {
    const fix = 'Put it back, or move the folder to ready/: the agent gets the file as it is';
    return { message: `question ${number} is no longer in the file`, fix };
  }
  if (one.answer !== '') {
    const fix = still === '' ? '' : `${still}; this one can only be changed by hand`;
    return { message: `question ${number} is already answered`, fix };
  }
  return { message: 'the answer would be read back differently', fix: '' };
}

export function whyNoVerdict(text: string): WhyNot {
  const lines = scanMarkdown(text);
  const { word } = keywordOf('verdict', VERDICTS, text, lines);
  if (word !== undefined)
    return { message: `it has the verdict ${word}, but not in a box`, fix: '' };
  const message = verdictBoxes(lines).every(({ word: read }) => read === null)
    ? 'no box under ## Verdict can be read'
    : 'no way to tick these boxes gives one verdict';
  return { message, fix: '' };
}

export function whyNoResolution(text: string, resolution: string): WhyNot {
  if (resolution.trim() === '') return { message: 'the text is empty', fix: 'Write some text' };
  if (resolutionHeading(scanMarkdown(text)) === undefined) {
    return { message: 'there is no slot: a line ## Resolution', fix: '' };
  }
  const message =
    parseBlocked(text).resolution === ''
      ? 'the words would be read back differently'
      : 'there is already a resolution';
  return { message, fix: '' };
}
