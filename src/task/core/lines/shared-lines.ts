/** The larger shapes that several lines of the verbs share. */
import * as z from 'zod';
import { GIT_OPERATIONS, STRENGTHS } from '../model/permissions.ts';
import { PRIORITIES } from '../model/contract-shape.ts';
import {
  attempt,
  fix,
  kind,
  line,
  nth,
  outcome,
  owner,
  path,
  problems,
  reason,
  state,
  task,
  text,
  trigger,
  waitCode,
  waitsFor,
} from './line-parts.ts';
import type { ShapeOf } from './line-types.ts';
import { STATES } from '../model/state.ts';
import { receiptSchema } from '../attempts/record.ts';

export const action = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('wait'),
    code: waitCode,
    on: waitsFor,
    reason,
    fix,
    problems,
    until: text.exactOptional().describe('an instant, where it waits for time to pass'),
    behind: text.exactOptional().describe('the first task that it waits for'),
  }),
  z.strictObject({
    kind: z.literal('write'),
    what: z.enum(['answer_slots', 'blocked', 'form', 'decision', 'confirm', 'take', 'restore']),
    reason,
  }),
  z.strictObject({
    kind: z.literal('claim'),
    attempt,
    work: kind,
    owner,
    // PERSON when the boxes are read.
    gate: text.describe('the reviewer; empty when there is none'),
    recovers: z.boolean().describe('the open attempt of a dead owner is taken over first'),
    reason,
  }),
  z.strictObject({ kind: z.literal('settle'), attempt, reason }),
  z.strictObject({ kind: z.literal('stop'), attempt, reason }),
  z.strictObject({ kind: z.literal('archive'), from: state, to: path, reason }),
  z.strictObject({
    kind: z.literal('merge'),
    branch: text,
    commit: text,
    into: text.describe('the branch of the main checkout'),
    already: z.boolean().describe('it is merged already'),
    noticed: z.array(text).describe('what it wrote that runs by itself, and no pattern names'),
  }),
  z.strictObject({ kind: z.literal('move'), from: state, to: state, trigger, reason }),
]);

const asked = z.strictObject({ number: z.int().positive(), text });

/** File into which a person’s words, or a verdict, were written. */
export const written = {
  task,
  file: path,
  open: z.int().describe('questions that are still open'),
  took: asked.exactOptional().describe('the question that was answered'),
  next: asked.exactOptional().describe('the first one that is open'),
  also: z
    .array(task)
    .exactOptional()
    .describe('tasks with an equal question, asked before the work, that got the same answer'),
  apart: z.array(task).exactOptional().describe('those of them that somebody else has answered'),
};
export type WrittenFields = ShapeOf<z.ZodObject<typeof written>>;

export const attemptStory = z.strictObject({
  number: attempt,
  kind,
  nth,
  lost: z.boolean().describe('taken over by a later attempt after a crash'),
  agent: text,
  client: text.optional().describe('by which it was called; missing where no client was'),
  claimed: text,
  outcome: outcome.optional().describe('missing while it is open'),
  reason,
  seconds: z.number().optional(),
  adopted: attempt.optional().describe('the attempt whose result was taken over'),
  machine: text.optional().describe('of the worker that called it; missing where this machine did'),
  model: text.optional().describe('missing, as the three below, where the client reported nothing'),
  input_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
  cost_usd: z.number().optional(),
  denied: z.array(text).describe('what was refused while it ran'),
  questions: z.array(
    z.strictObject({
      question: text,
      answer: text,
      quote: text.exactOptional().describe('words of the contract that it is about'),
      options: z.array(text).exactOptional().describe('answers that it proposes, a box each'),
      also: z.array(task).exactOptional().describe('other tasks that ask it: one answer for all'),
    }),
  ),
  receipts: z.array(z.strictObject({ ...receiptSchema().shape, output: text })),
  signed: text
    .optional()
    .describe('of the receipts: hold (by NAME), unknown key, do not hold, or not signed'),
  findings: text,
  enforced: z
    .array(text)
    .describe('what enforced its permissions; empty where no agent was called'),
  changed: z.array(path),
  violations: z.array(text).describe('what the agent provably did outside its permissions'),
  noticed: z
    .array(text)
    .describe(
      'what changed outside its permissions; the author is unknown, unless the line says that it was its own doing',
    ),
  last_words: z
    .strictObject({ file: text.describe('relative to the folder of the task'), text })
    .optional(),
  folder: path,
});

export const permissions = z
  .strictObject({
    write: z.array(text),
    create: z.array(text),
    delete: z.array(text),
    append: z.array(text).describe('files that may only be appended to'),
    git: z.array(z.enum(GIT_OPERATIONS)),
    strength: z.enum(STRENGTHS),
    within: z.array(text).optional(),
    kept: z.array(text).optional().describe('files that only the runner writes'),
  })
  .describe('globs, and what may be asked of git');

/** An agent as `agents` shows it. */
export const agentFacts = {
  name: text,
  source: z.enum(['project', 'config', 'user', 'built-in']),
  file: text.describe('that describes it; empty when only the configuration does'),
  description: text,
  adapter: text,
  model: text.describe('empty: the client’s own'),
  hidden: z.boolean().describe('not listed for choice, but can be called by its name'),
  callable: z.boolean(),
  why: text.describe('why it cannot be called, or may not work; empty when no reason is known'),
  fix,
};

/** While an agent works. */
export const progress = {
  machine: text.exactOptional().describe('of the worker that has it, by its own words'),
  step: text
    .exactOptional()
    .describe('the current step in status.md, or that no worker has it; missing without an agent'),
  step_seconds: z
    .int()
    .exactOptional()
    .describe('since the agent last reported something, or the wait for a worker began'),
  lagging: z
    .boolean()
    .exactOptional()
    .describe('the last report is older than the limit of the task'),
};

/** A task as list and board show it. */
export const listed = {
  ...progress,
  id: task,
  state,
  title: text,
  agent: text,
  priority: z.enum(PRIORITIES),
  plan: text.exactOptional(),
  workflow: text.exactOptional(),
  phase: text.exactOptional().describe('of its workflow'),
  tags: z.array(text),
  attempt: z.int().describe('the highest; 0 when never claimed'),
  since: text.describe('ISO 8601: when contract.md was last written'),
  stands_since: text.describe(
    'ISO 8601: the claim of the open attempt, else the end of the last, else `since`',
  ),
  waits_for: z.union([waitsFor, z.literal('nothing')]),
  code: z.union([waitCode, z.literal('nothing')]),
  reason,
  fix,
  trouble: z.enum(['stuck', 'over_budget', 'failing', 'waits']).exactOptional(),
  archived: z.boolean().exactOptional().describe('found by list --search in the archive'),
};

/** Fields of what was done, by outcomes and receipts: src/task/core/attempts/account.ts. */
export const accounted = {
  files: z.int().describe('changed by these tasks'),
  added: z.int().optional().describe('lines; absent where git does not know them of all files'),
  removed: z.int().optional(),
  checks_passed: z.int(),
  sent_back: z.array(z.strictObject({ task, by: text, reason: text })).readonly(),
};
export type AccountedFields = ShapeOf<z.ZodObject<typeof accounted>>;

export const graphed = line('graph', 'list --graph', {
  nodes: z.array(
    z.strictObject({
      id: text.describe('as a contract names it, also of one that does not exist'),
      title: text.describe('empty when it is not live'),
      state: z.enum([...STATES, 'archived_done', 'archived_aborted', 'archived', 'unknown']),
    }),
  ),
  edges: z
    .array(z.strictObject({ from: text, to: text, on_cycle: z.boolean() }))
    .describe('`to` depends on `from`'),
  cycles: z.array(z.array(text)).describe('each once, its first id repeated at the end'),
});
