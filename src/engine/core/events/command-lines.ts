/** The shapes of the lines of all verbs but step. A line without a shape here does not compile. */
import * as z from 'zod';
import { PRIORITIES } from '../../../task/core/model/contract-shape.ts';
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
  waitCode,
  waitsFor,
} from '../../../task/core/lines/line-parts.ts';
import { waiting } from '../../../task/core/lines/event-lines.ts';
import type { DataOf, LineOf } from '../../../task/core/lines/line-types.ts';
import { receiptSchema } from '../../../task/core/attempts/record.ts';
import {
  accounted,
  action,
  attemptStory,
  graphed,
  listed,
  progress,
  written,
} from '../../../task/core/lines/shared-lines.ts';

const signed = text.describe('hold (by NAME), unknown key, do not hold, not signed, or by hand');

export const VERB_LINES = [
  line('initialised', 'init', {
    root: text.describe('the workspace root, absolute'),
    made: z.array(path).describe('empty when everything was there'),
    added_to: z.array(path).describe('files that were there and have lines more now'),
    by_hand: z
      .array(z.strictObject({ file: path, text, why: z.optional(text) }))
      .describe('agreed to, and left for a person: the file is there and not ours'),
    clients: z
      .array(
        z.strictObject({
          name: text,
          adapter: text,
          callable: z.boolean(),
          login: z.optional(z.enum(['yes', 'no', 'unknown'])),
          words: z.optional(text),
        }),
      )
      .describe('agent clients on PATH; login and words: where they were asked'),
    proposals: z.array(text).describe('words for --with: what could be made and is not there'),
  }),
  line('taken_back', 'init --remove', {
    root: text.describe('the workspace root, absolute'),
    removed: z.array(path).describe('files, and folders that held nothing more'),
    taken_from: z.array(path).describe('files that have lines less now'),
    by_hand: z
      .array(z.strictObject({ file: path, text, why: text }))
      .describe('left for a person: it is not as it was added'),
  }),
  line('trusted', 'trust: what it names may be started', {
    root: text.describe('the workspace root, absolute'),
    trusted: z.boolean(),
    grants: z
      .array(z.strictObject({ what: text, words: text }))
      .describe('what runs outside of a sandbox or loosens one'),
    changed: z
      .array(z.strictObject({ path, task: text, attempt: z.int() }))
      .describe('what agents changed without permission'),
  }),
  line('created', 'new', {
    id: task,
    state,
    file: path,
    problems,
    person_is_gate: z.boolean().describe('the runner cannot check all that it asks for'),
  }),
  line('answered', 'answer', { ...written }),
  line('asked', 'ask: what a round of questions came to', {
    tasks: z.int().describe('drafts and ready tasks that were to be asked'),
    called: z.int().describe('those whose round ended'),
    of: z.int().describe('those with questions that are open now'),
    questions: z.int().describe('open ones, equal ones counted once'),
  }),
  line('resolved', 'retry, answer', { ...written }),
  line('noted', 'note', { ...written }),
  line('approved', 'approve', { ...written }),
  line('needs_work', 'needs-work', { ...written }),
  line('reject', 'reject', { ...written }),
  line('planned', 'step, archive and merge, with --dry-run: what it would do', { task, action }),
  line('explained', 'step --explain: the facts that decide what happens next with a task', {
    task,
    facts: z
      .array(z.strictObject({ fact: text, answer: text }))
      .describe('in the order in which they were asked'),
    action,
    words: text.describe('what happens next, or why it waits'),
  }),
  line('archived', 'archive: a task was taken out of done or aborted', {
    task,
    from: state,
    to: path,
    reason,
  }),
  line('merged', 'merge: the work of a task is in the branch', {
    task,
    branch: text,
    into: text.describe('the branch of the main checkout'),
    how: z.enum(['already', 'fast_forward', 'merge']),
    commit: text.describe('where that branch is now'),
    removed: z.boolean().describe('its worktree and its branch'),
    kept: text.describe('why they were left; empty when they were not'),
  }),
  line('merge_conflict', 'merge: it does not go together; the checkout is as it was', {
    task,
    branch: text,
    into: text,
    reason,
    moved: z.boolean().describe('the task is in blocked now'),
  }),
  line('not_merged', 'merge: no branch has it, or a check fails with it; it stays in done', {
    task,
    branch: text,
    into: text,
    reason,
  }),
  line('pull_request', 'merge --pr: a branch was pushed', {
    task,
    branch: text,
    into: text,
    url: text.describe('or what the program printed instead'),
  }),
  line('delegated', 'delegate', {
    id: task,
    attempt,
    desk: text,
    brief: text.describe('to be given to the agent'),
    brief_file: text,
  }),
  line('brief', 'show --brief: what the next attempt would be given', {
    id: task,
    attempt,
    brief: text,
    bytes: z.int(),
    tokens: z.int().describe('about: a quarter of the bytes'),
  }),
  line('task', 'list: one task; doctor: one at work', { ...listed }),
  line('overview', 'status', {
    workspace: text.describe('absolute; empty where there is none'),
    paused: text.optional().describe('why, where everything is paused'),
    counts: z.array(z.strictObject({ state, tasks: z.int() })),
    running: z.array(
      z.strictObject({
        ...listed,
        seconds: z.int().describe('since its claim'),
        step: text.describe('the current step in status.md; empty without one'),
      }),
    ),
    needs_person: z.array(z.strictObject(listed)).describe('the most urgent first'),
    for_host: z
      .array(z.strictObject(listed))
      .describe('what waits for the session of an agent to take it'),
    next: z.array(text).describe('commands that make sense now'),
    problems,
    handoff: text.optional().describe('status --write: the newest file, relative to the workspace'),
  }),
  line('column', 'list --board: one state', {
    state,
    count: z.int(),
    tasks: z.array(z.strictObject(listed)),
  }),
  graphed,
  line('waiting', 'review: one that waits for the person', { ...listed }),
  line('edited', 'edit: the editor was closed, or flags changed the contract', {
    task,
    file: path,
    errors: z.int().describe('what is wrong with it as saved'),
  }),
  line('completion', 'completion', {
    shell: z.enum(['bash', 'zsh', 'fish']),
    script: text.describe('to be read by the shell'),
  }),
  line('story', 'show', {
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
    workflow: text.describe('and its phase, in words; or empty'),
    depends_on: z.array(z.strictObject({ id: task, state: text })),
    dependents: z.array(z.strictObject({ id: task, state: text })).describe('live tasks that wait'),
    dependents_note: text.optional().describe('why they are not listed'),
    without: z
      .array(z.strictObject({ id: task, title: text, state: text, text }))
      .describe('tasks whose results it takes and that are not done: it went on without them'),
    archived: z.boolean(),
    priority: z.enum(PRIORITIES),
    tags: z.array(text),
    created: text.describe('ISO 8601: as the contract says, else when it was last written'),
    claimed: text.optional().describe('ISO 8601: the last attempt of work'),
    ended: text.optional().describe('ISO 8601: when it came to done or aborted'),
    calls: z
      .int()
      .describe('tries: attempts of work that count; reviews that call an agent are in `reviews`'),
    reviews: z.int().describe('attempts of review, those that asked a person among them'),
    files: z
      .array(z.strictObject({ path, added: z.nullable(z.int()), removed: z.nullable(z.int()) }))
      .describe('what the last attempt of work changed, in lines; null where that is not known'),
    files_note: text.describe('what is not certain about `files`'),
    input_tokens: z.int().optional().describe('of all attempts, as the two below'),
    output_tokens: z.int().optional(),
    cost_usd: z.number().optional(),
    worktree: text.describe('absolute: where its agent works; empty while it has none'),
    session: text.describe('the command that opens the last session of its client; or empty'),
    parent: task.optional().describe('the task whose agent had it made'),
    children: z
      .array(z.strictObject({ id: task, state: text }))
      .describe('those that its agent had made'),
    attempts: z.array(attemptStory),
    signed: text.describe('how receipts and approvals hold, in a line; empty where there are none'),
    differ: z.array(text).describe('deliverables in done that are not what was verified'),
    notes: z.array(z.strictObject({ name: text, text })),
    resolutions: z.array(text),
    current_step: text,
    ...progress,
    waits_for: z.union([waitsFor, z.literal('nothing')]),
    code: z.union([waitCode, z.literal('nothing')]),
    reason,
    fix,
    problems,
  }),
  line('receipts', 'show --receipts', {
    id: task,
    receipts: z.array(
      z.strictObject({ attempt, signed, tree: text, ...receiptSchema().shape, output: text }),
    ),
    approvals: z.array(
      z.strictObject({
        attempt,
        verdict: text.describe('empty where a person moved the task to done'),
        gate: text,
        signed,
      }),
    ),
    problems,
  }),
  line('paused', 'pause', {
    paused: z.boolean(),
    reason: text.describe('empty when none was given'),
    stop: z.boolean().describe('running agents are stopped, too'),
  }),
  line('output', 'logs: a line of output.log', { task, attempt, text }),
  line('watching', 'watch: it has begun', {
    interval_seconds: z.number(),
    bell: z.boolean().describe('the system reports changes; else only the interval looks'),
  }),
  line('ending', 'run, do and watch, last: what is done, and what is not', {
    done: z.array(task),
    waits: z
      .array(z.strictObject({ event: z.literal('waits'), ...waiting }))
      .describe('what needs a person or a host, the most urgent first; then named tasks'),
    behind: z.number().int().nonnegative().describe('others that wait for tasks'),
    next: fix.describe('the next command; empty where there is none'),
    ...accounted,
  }),
  line('account', 'status --since: what was done since then', {
    since: text.describe('ISO 8601'),
    done: z.array(task),
    ...accounted,
    calls: z.int().describe('calls of agents that ended'),
    seconds: z.number(),
    tokens: z.number().describe('as far as clients reported them, as the cost'),
    cost_usd: z.number(),
  }),
  line('gathered', 'wait: what became of the tasks', {
    completed: z.array(
      z.strictObject({
        id: task,
        agent: text,
        success: z.boolean().describe('it is done'),
        state: text.describe('done, aborted, blocked, archived, or not there any more'),
        reason,
        deliverables: z.array(path),
        result: text.describe('its result.md; of a long one the beginning, and where the rest is'),
      }),
    ),
    pending: z.array(
      z.strictObject({
        id: task,
        state,
        waits_for: z.union([waitsFor, z.literal('nothing')]),
        code: z.union([waitCode, z.literal('nothing')]),
        reason,
        fix,
      }),
    ),
  }),
  line('check', 'check: the last line', {
    tasks: z.int().describe('live tasks that were checked'),
    errors: z.int(),
    warnings: z.int(),
  }),
  line('double', 'doctor: a task that is in two states', {
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
  }),
  line('signed', 'doctor: how receipts and approvals hold', { text }),
  line('fixed', 'doctor --fix: what was repaired', { text }),
  line('ability', 'doctor: what this machine can do', {
    name: text,
    holds: z.boolean(),
    means: text,
    facts: z.record(text, z.unknown()).exactOptional().describe('of a queue, or of a worker on it'),
  }),
  ...AGENT_LINES,
  line('transition', 'states: one row of the table', {
    from: z.array(state),
    when: text,
    to: state,
    by: z.enum(['runner', 'person']),
  }),
] as const;

/** The fields that a verb gives for a line of that event. */
export type LineData<E extends LineOf<typeof VERB_LINES>['event']> = DataOf<typeof VERB_LINES, E>;
