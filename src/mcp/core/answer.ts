/** Answers of tools about a task, made of the lines that verbs print as JSON. Pure. */
import { fields, type Fields } from '../../task/core/base/json.ts';

export interface Question {
  readonly n: number;
  readonly question: string;
  /** Words of the contract that it is about. */
  readonly quote?: string;
  readonly options?: readonly string[];
  /** Other tasks that ask it: one answer for all. */
  readonly also?: readonly string[];
}

export interface Answer {
  readonly id: string;
  readonly state: string;
  /** Questions that are open. */
  readonly questions: readonly Question[];
  /** Work that was handed in last; null before that. */
  readonly result: Fields | null;
  /** Words for what comes now, as a sentence; a command in it is for a person to type. */
  readonly next: string;
}

const list = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map((one) => fields(one)) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** From the line `story` of `show`. */
export function answerOf(story: Fields, result: Fields | null): Answer {
  const id = textOf(story['id']);
  const asked = list(list(story['attempts']).at(-1)?.['questions']);
  const isAsking = story['state'] === 'questions';
  return {
    id,
    state: textOf(story['state']),
    questions: asked.flatMap(({ question, answer, ...more }, i) =>
      isAsking && answer === '' ? [{ n: i + 1, question: textOf(question), ...more }] : [],
    ),
    result,
    next: nextOf(story, id),
  };
}

function nextOf({ state, waits_for, code, reason, fix }: Fields, id: string): string {
  if (code === 'delegated') return `do what its brief says, then collect ${id}`;
  if (state === 'done' || state === 'aborted') return '';
  if (waits_for === 'host') return `delegate ${id}`;
  const why = textOf(reason);
  const typed = textOf(fix);
  if (waits_for === 'person') return `${why}. A person types: ${typed || 'contracts review'}`;
  if (code === 'nothing') return `${why}; delegate or collect moves it on`;
  return typed === '' ? why : `${why}: ${typed}`;
}

/** The last attempt of work, as far as a caller needs it. `text`: of result.md. */
export function resultOf(story: Fields, file: string, text: string): Fields {
  const attempts = list(story['attempts']);
  const receipts = list(attempts.findLast((one) => list(one['receipts']).length > 0)?.['receipts']);
  const checks = receipts.map(({ check, passed, reason }) => ({ check, passed, reason }));
  const findings = textOf(attempts.at(-1)?.['findings']);
  const { files } = story;
  return { file, text, files, checks, ...(findings === '' ? {} : { findings }) };
}

/** `show`: the answer, with what the contract wants and what the attempts came to. */
export function shownOf(story: Fields, answer: Answer): Fields {
  const { title, agent, adapter, criteria, checks, gates, depends_on, folder, current_step } =
    story;
  const attempts = list(story['attempts']).map(({ number, kind, outcome, reason, ...more }) => ({
    number,
    kind,
    outcome,
    reason,
    ...(more['machine'] === undefined ? {} : { machine: more['machine'] }),
    ...(more['findings'] === '' ? {} : { findings: more['findings'] }),
  }));
  const contract = { title, agent, adapter, criteria, checks, gates, depends_on };
  return { ...answer, ...contract, folder, step: current_step, attempts };
}

/** A refusal, by the first problem among the lines, else by what was printed. */
export function errorOf(lines: readonly Fields[], printed: string): Fields {
  const { code, message, file, expected, fix } = fields(
    lines.find(({ event }) => event === 'problem')?.['problem'],
  );
  if (code === undefined) return { code: 'failed', message: printed.trim() || 'it failed' };
  return { code, message, file, expected, fix };
}
