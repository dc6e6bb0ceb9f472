/** The tools that are offered, by name: what each takes. Descriptions are short: a model reads all of them always. */
import * as z from 'zod';
import { newTask } from './new-task.ts';

const text = z.string();
const id = text;
const whole = z.int().min(0);

/** Answers of all tools, whole where they are about one task. Not listed: no client hands it to its model. */
export const OUTPUT = z.looseObject({
  id: text.optional(),
  state: text.optional(),
  questions: z.array(z.looseObject({ n: whole, question: text })).optional(),
  result: z.looseObject({}).nullish(),
  next: text.optional(),
});

export interface Tool {
  readonly description: string;
  readonly input: z.ZodObject;
  /** Changes nothing. */
  readonly reads?: true;
}

/** A second list of tasks in the schema would cost as much as all other tools. */
const several = z
  .array(z.looseObject({ title: text }))
  .max(50)
  .optional()
  .describe('several, in place of the fields');

export const TOOLS = {
  new: {
    description:
      'Write a task as a contract into draft/. What must hold: run (commands), deliverable (files), criterion (words). A person confirms it.',
    input: z.strictObject({ ...newTask.shape, tasks: several }),
  },
  delegate: {
    description: 'Claim a ready task and get its brief: do it, then collect.',
    input: z.strictObject({ id }),
  },
  collect: {
    description: 'Judge what was handed in, or wait for who works on it.',
    input: z.strictObject({ id, wait_s: z.number().min(0).max(45).optional() }),
  },
  questions: {
    description: 'Open questions, of one task or all; asks the person where it can.',
    input: z.strictObject({ id: id.optional() }),
    // It may write an answer that the person gave.
  },
  show: {
    description: 'All about a task.',
    input: z.strictObject({ id }),
    reads: true,
  },
  list: {
    description: 'Tasks and what they wait for.',
    input: z.strictObject({
      text: text.optional(),
      state: z.array(text).optional(),
      agent: z.array(text).optional(),
      plan: z.array(text).optional(),
      waits_for: z.array(text).optional(),
      all: z.boolean().optional(),
      limit: whole.max(200).optional(),
    }),
    reads: true,
  },
} as const satisfies Readonly<Record<string, Tool>>;

/** Inside an attempt: what its agent writes on its desk. */
export const DESK_TOOLS = {
  ask_question: {
    description: 'Ask the person; then stop. Each question with its options, if it has some.',
    input: z.strictObject({
      questions: z
        .array(z.strictObject({ question: text, options: z.array(text).optional() }))
        .min(1),
    }),
  },
  report_status: {
    description: 'Say what you are doing now.',
    input: z.strictObject({ step: text, completed: z.array(text).optional() }),
  },
  submit_result: {
    description: 'Hand in: for each criterion whether it holds, and how you know; then stop.',
    input: z.strictObject({
      status: z.enum(['COMPLETE', 'FAILED', 'BLOCKED']),
      criteria: z.array(z.strictObject({ text, holds: z.boolean(), evidence: text })).optional(),
      deliverables: z.array(text).optional(),
      validation: text.optional(),
      notes: text.optional(),
    }),
  },
} as const satisfies Readonly<Record<string, Tool>>;

/** Input of a tool inside an attempt, as its schema has it. */
export type DeskInput<N extends keyof typeof DESK_TOOLS> = z.infer<(typeof DESK_TOOLS)[N]['input']>;
