/**
 * The shapes of the lines of the verbs that are no step: one for each kind of line. A verb that
 * says something new gets its shape here first; without it the line does not compile.
 */
import * as z from 'zod';
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
import { STATES } from './state.ts';
import { STORY_STATUSES } from './story.ts';
import { action, agentFacts, attemptStory, authority, listed, written } from './verb-parts.ts';

const plan = text.describe('the name of the plan: of its folder in .contracts/plans/');
const planKey = text.describe('of an item: unique in its plan');
const planLine = z.int().describe('in plan.md, from 1');
const planWave = z.int().describe('from 1');
const planPercent = z.int().describe('done, of what was not given up');
const planCounts = z
  .strictObject({
    items: z.int(),
    done: z.int(),
    dropped: z.int(),
    working: z.int(),
    blocked: z.int(),
    open: z.int(),
  })
  .describe('items that are tasks, each once');

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
      person_is_gate: z.boolean().describe('it asks for no check that the runner can run'),
    })
    .describe('new'),
  z
    .strictObject({
      ...line('plan_draft'),
      plan,
      id: task,
      key: planKey,
      kind: z.enum(['task', 'checkpoint']),
      line: planLine,
      wave: planWave.exactOptional(),
      agent: text.describe('who works on it'),
      checks: z.array(text),
      gates: z.array(text),
      deliverables: z.array(path),
      depends_on: z.array(task),
      made: z.boolean().describe('just now; false: it was there, or nothing was to be made'),
    })
    .describe('plan start: one contract, in the order in which they are made'),
  z
    .strictObject({
      ...line('plan_started'),
      plan,
      dry_run: z.boolean(),
      made: z.int(),
      there: z.int().describe('tasks of the plan that were there already'),
      closed: z.int().describe('items whose boxes a person had closed: nothing was made for them'),
      changed: z
        .array(z.strictObject({ id: task, key: planKey, line: planLine, keys: z.array(text) }))
        .describe('the plan says something else than these contracts by now; they stay'),
      gone: z
        .array(z.strictObject({ id: task, state }))
        .describe('live tasks of the plan that are of no item any more'),
    })
    .describe('plan start: the last line'),
  z
    .strictObject({
      ...line('plan_checked'),
      plan,
      file: path,
      items: z.int(),
      contracts: z.int().describe('that it makes; 0 where there are errors'),
      errors: z.int(),
      warnings: z.int(),
    })
    .describe('plan check: the last line of a plan'),
  z
    .strictObject({
      ...line('plan_status'),
      plan,
      title: text,
      file: path,
      squad: text.exactOptional(),
      paused: z.boolean(),
      started: z.boolean().describe('a task of it exists'),
      waves: z.array(z.strictObject({ number: planWave, title: text })),
      rows: z.array(
        z.strictObject({
          key: planKey,
          kind: z.enum(['task', 'group', 'checkpoint']),
          title: text,
          line: planLine,
          wave: planWave.exactOptional(),
          depth: z.int().describe('how deep it is nested'),
          mark: text.describe('in its box: a blank, x, ~ or -'),
          tasks: z.array(
            z.strictObject({
              id: task,
              state: z
                .enum([...STATES, 'archived_done', 'archived_aborted', 'archived', 'unknown'])
                .describe('unknown: it is not made yet'),
              agent: text,
              waits_for: z.union([waitsFor, z.literal('nothing')]),
              reason,
              fix,
            }),
          ),
        }),
      ),
      counts: planCounts,
      percent: planPercent,
      problems,
    })
    .describe('plan status'),
  z
    .strictObject({
      ...line('plan'),
      plan,
      title: text,
      file: path,
      paused: z.boolean(),
      started: z.boolean(),
      counts: planCounts,
      percent: planPercent,
    })
    .describe('plan list: one of them'),
  z
    .strictObject({
      ...line('plan_paused'),
      plan,
      paused: z.boolean(),
      changed: z.boolean().describe('false: it was so already'),
    })
    .describe('plan pause, plan resume'),
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
      parent: task.optional().describe('the task whose agent had it made'),
      children: z
        .array(z.strictObject({ id: task, state: text }))
        .describe('those that its agent had made'),
      attempts: z.array(attemptStory),
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
  z.strictObject({ ...line('agent'), ...agentFacts }).describe('agents: one of them'),
  z
    .strictObject({
      ...line('agent_story'),
      ...agentFacts,
      known: z.boolean().describe('false: its file cannot be read, so nobody knows its rights'),
      models: z.array(text).describe('tried in this order'),
      authority,
      tools: z.array(text).optional().describe('in our words; missing: all of them'),
      client_tools: z.array(text).describe('the same as the client calls them'),
      skills: z.array(z.strictObject({ name: text, found: z.boolean() })),
      delegates_to: z.array(text),
      instructions: text,
      problems,
    })
    .describe('agents show'),
  z
    .strictObject({
      ...line('agent_tested'),
      agent: text,
      adapter: text,
      called: z.boolean(),
      ok: z.boolean(),
      why: text.describe('empty when it is well'),
      session: text.optional(),
      seconds: z.number().optional(),
      model: text.optional(),
      input_tokens: z.int().optional(),
      output_tokens: z.int().optional(),
      cost_usd: z.number().optional(),
      kept: text.optional().describe('the scratch folder, where it was not well'),
    })
    .describe('agents test'),
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
