/**
 * The shapes of the lines of the verbs that are no step: one for each kind of line. A verb that
 * says something new gets its shape here first; without it the line does not compile.
 */
import * as z from 'zod';
import { AGENT_LINES } from './agent-lines.ts';
import {
  attempt,
  fix,
  line,
  path,
  problems,
  reason,
  state,
  task,
  text,
  waitsFor,
} from './line-parts.ts';
import { PLAN_LINES } from './plan-lines.ts';
import { STATES } from './state.ts';
import { STORY_STATUSES } from './story.ts';
import { action, attemptStory, listed, written } from './verb-parts.ts';

export const VERB_LINES = [
  z
    .strictObject({
      ...line('initialised'),
      root: text.describe('the workspace root, absolute'),
      made: z.array(path).describe('empty when everything was there'),
      added_to: z.array(path).describe('files that were there and have lines more now'),
      by_hand: z
        .array(z.strictObject({ file: path, text, why: z.optional(text) }))
        .describe('agreed to, and left for a person: the file is there and not ours'),
      clients: z
        .array(z.strictObject({ name: text, adapter: text, callable: z.boolean() }))
        .describe('agent clients on PATH; callable: by a built-in adapter of that name'),
      proposals: z.array(text).describe('words for --with: what could be made and is not there'),
    })
    .describe('init'),
  z
    .strictObject({
      ...line('created'),
      id: task,
      state,
      file: path,
      problems,
      person_is_gate: z.boolean().describe('the runner cannot check all that it asks for'),
    })
    .describe('new'),
  ...PLAN_LINES,
  z.strictObject({ ...line('answered'), ...written }).describe('answer'),
  z.strictObject({ ...line('resolved'), ...written }).describe('resolve'),
  z.strictObject({ ...line('noted'), ...written }).describe('note'),
  z.strictObject({ ...line('approved'), ...written }).describe('approve'),
  z.strictObject({ ...line('needs_work'), ...written }).describe('needs-work'),
  z.strictObject({ ...line('reject'), ...written }).describe('reject'),
  z
    .strictObject({ ...line('planned'), task, action })
    .describe('step, archive and merge, with --dry-run: what it would do'),
  z
    .strictObject({ ...line('archived'), task, from: state, to: path, reason })
    .describe('archive: a task was taken out of done or aborted'),
  z
    .strictObject({
      ...line('merged'),
      task,
      branch: text,
      into: text.describe('the branch of the main checkout'),
      how: z.enum(['already', 'fast_forward', 'merge']),
      commit: text.describe('where that branch is now'),
      removed: z.boolean().describe('its worktree and its branch'),
      kept: text.describe('why they were left; empty when they were not'),
    })
    .describe('merge: the work of a task is in the branch'),
  z
    .strictObject({
      ...line('merge_conflict'),
      task,
      branch: text,
      into: text,
      reason,
      moved: z.boolean().describe('the task stands in blocked now'),
    })
    .describe('merge: it does not go together; the checkout is as it was'),
  z
    .strictObject({
      ...line('delegated'),
      id: task,
      attempt,
      desk: text,
      brief: text.describe('to be given to the agent'),
      brief_file: text,
    })
    .describe('delegate'),
  z.strictObject({ ...line('task'), ...listed }).describe('list: one task'),
  z
    .strictObject({ ...line('count'), state, tasks: z.int() })
    .describe('list --by state: how many stand in it'),
  z
    .strictObject({
      ...line('column'),
      state,
      count: z.int(),
      tasks: z.array(z.strictObject(listed)),
    })
    .describe('board: one state'),
  z
    .strictObject({
      ...line('graph'),
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
    })
    .describe('graph'),
  z
    .strictObject({ ...line('waiting'), ...listed })
    .describe('review: one that waits for the person'),
  z
    .strictObject({
      ...line('edited'),
      task,
      file: path,
      errors: z.int().describe('what is wrong with it as saved'),
    })
    .describe('edit: the editor was closed'),
  z
    .strictObject({
      ...line('completion'),
      shell: z.enum(['bash', 'zsh', 'fish']),
      script: text.describe('to be read by the shell'),
    })
    .describe('completion'),
  z
    .strictObject({
      ...line('story'),
      id: task,
      state,
      folder: path,
      title: text,
      objective: text,
      agent: text,
      adapter: text,
      criteria: z.array(text),
      checks: z.array(text),
      gates: z.array(text),
      depends_on: z.array(z.strictObject({ id: task, state: text })),
      worktree: text.describe('absolute: where its agent works; empty while it has none'),
      parent: task.optional().describe('the task whose agent had it made'),
      children: z
        .array(z.strictObject({ id: task, state: text }))
        .describe('those that its agent had made'),
      attempts: z.array(attemptStory),
      differ: z.array(text).describe('deliverables in done that are not what was verified'),
      notes: z.array(z.strictObject({ name: text, text })),
      resolutions: z.array(text),
      current_step: text,
      waits_for: z.union([waitsFor, z.literal('nothing')]),
      reason,
      fix,
      problems,
    })
    .describe('show'),
  z.strictObject({ ...line('output'), task, attempt, text }).describe('logs: a line of output.log'),
  z
    .strictObject({
      ...line('watching'),
      interval_seconds: z.number(),
      bell: z.boolean().describe('changes are told by the system; else only the interval looks'),
    })
    .describe('watch: it has begun'),
  z
    .strictObject({
      ...line('check'),
      tasks: z.int().describe('live tasks that were looked at'),
      errors: z.int(),
      warnings: z.int(),
    })
    .describe('check: the last line'),
  z
    .strictObject({
      ...line('double'),
      task,
      sides: z.array(
        z.strictObject({
          state,
          folder: path,
          reached: text.describe('how far it is'),
          commit: z
            .strictObject({ hash: text, at: text, subject: text, branch: text })
            .optional()
            .describe('that brought it there; missing where git does not know it'),
          newest: z.boolean(),
          command: text.describe('keeps this side'),
        }),
      ),
      differs: z.array(text),
    })
    .describe('doctor: a task that stands in two states'),
  z.strictObject({ ...line('fixed'), text }).describe('doctor --fix: what was mended'),
  z
    .strictObject({ ...line('ability'), name: text, holds: z.boolean(), means: text })
    .describe('doctor: what this machine can do'),
  ...AGENT_LINES,
  z
    .strictObject({
      ...line('transition'),
      from: z.array(state),
      when: text,
      to: state,
      by: z.enum(['runner', 'person']),
    })
    .describe('states: one row of the table'),
  z
    .strictObject({
      ...line('story_transition'),
      from: z.enum(STORY_STATUSES),
      to: z.enum(STORY_STATUSES),
      by: text.describe('who may trigger it'),
      when: text,
    })
    .describe('states --stories: one row of the lifecycle of a story'),
] as const;
