/** Front matter that editors offer for files of agents and people. None is needed; more is read. */
import * as z from 'zod';
import { RESULT_STATUSES, STATUS_WORDS, VERDICTS } from './documents.ts';
import { ID_META, isTaskId } from './id.ts';

/** As it is written by us, and in small letters. */
function word<T extends string>(words: readonly T[]) {
  return z.enum([...words, ...words.map((one) => one.toLowerCase())]);
}

const task = z
  .string()
  .refine(isTaskId, 'the id of a task')
  .meta(ID_META)
  .optional()
  .describe('the id of the task that this belongs to');

export const statusHeadSchema = z.object({
  task,
  status: word(STATUS_WORDS).optional(),
  current_step: z.string().optional().describe('what is being done now, in one line'),
});

export const resultHeadSchema = z.object({
  task,
  status: word(RESULT_STATUSES).optional().describe('only COMPLETE is success'),
});

export const reviewHeadSchema = z.object({
  task,
  verdict: word(VERDICTS).optional().describe('or tick one box under ## Verdict'),
});

/** Questions and resolutions stand in the text; their heads say nothing that is read. */
export const plainHeadSchema = z.object({ task });
