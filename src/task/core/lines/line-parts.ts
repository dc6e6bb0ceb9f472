/** Parts of the shapes of `--json` lines. While the command runs, only their types are used. */
import * as z from 'zod';
import { WAIT_CODES, WAITS_FOR } from '../model/wait-codes.ts';
import { PROBLEM_CODES } from '../model/problem.ts';
import { ATTEMPT_KINDS, OUTCOME_NAMES, OWNER_KINDS } from '../attempts/record.ts';
import { STATES } from '../model/state.ts';

/** The shape of a line: the two keys that every one starts with, and its own. */
export function line<E extends string, S extends z.core.$ZodShape>(
  event: E,
  about: string,
  own: S,
) {
  return z.strictObject({ v: z.literal(1), event: z.literal(event), ...own }).describe(about);
}

export const text = z.string();
export const task = z.string().describe('the id of the task');
export const attempt = z.int().describe('the number of the attempt, from 1');
export const reason = z.string().describe('why, in words');
export const fix = z.string().describe('what to do about it; empty when there is nothing to do');
export const path = z.string().describe('relative to the workspace root');

export const state = z.enum(STATES);
export const kind = z.enum(ATTEMPT_KINDS);
export const nth = z
  .int()
  .describe('which of its kind it is for the task: the second try, the first review');
export const owner = z.enum(OWNER_KINDS);
/** The triggers of the table and of kinds of tasks, which the schema lists (all-lines.ts). */
export const trigger = z.string();
export const waitsFor = z.enum(WAITS_FOR).describe('whose turn it is');
export const waitCode = z.enum(WAIT_CODES).describe('why it waits');
export const outcome = z.enum(OUTCOME_NAMES);

export const problem = z.strictObject({
  code: z.enum(PROBLEM_CODES),
  severity: z.enum(['error', 'warning']),
  file: path,
  line: z.int().describe('from 1; 1 when the whole file is meant'),
  col: z.int().describe('from 1, in characters'),
  message: text,
  found: text.exactOptional(),
  expected: text.exactOptional(),
  fix,
});
export const problems = z.array(problem);
