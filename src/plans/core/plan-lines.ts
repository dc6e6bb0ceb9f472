/** The shapes of the lines of `plan`, and of `states --stories`. */
import * as z from 'zod';
import {
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
} from '../../task/core/lines/line-parts.ts';
import type { DataOf, LineOf } from '../../task/core/lines/line-types.ts';
import { STATES } from '../../task/core/model/state.ts';
import { STORY_STATUSES } from './story.ts';

const plan = text.describe('the name of the plan: of its folder in .contracts/plans/');
const planKey = text.describe('of an item: unique in its plan');
const planLine = z.int().describe('in plan.md, from 1');
const planWave = z.int().describe('from 1');
const planPercent = z.int().describe('done, in percent of the items that were not given up');
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

export const lines = [
  line('plan_draft', 'plan start: one contract, in the order in which they are made', {
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
    made: z.boolean().describe('just now; false: it existed, or --dry-run'),
  }),
  line('plan_started', 'plan start: the last line', {
    plan,
    dry_run: z.boolean(),
    made: z.int(),
    there: z.int().describe('tasks of the plan that already existed'),
    closed: z.int().describe('items whose boxes a person had closed: no tasks were made for them'),
    changed: z
      .array(z.strictObject({ id: task, key: planKey, line: planLine, keys: z.array(text) }))
      .describe('the plan now differs from these contracts; the contracts stay'),
    gone: z
      .array(z.strictObject({ id: task, state }))
      .describe('live tasks of the plan that no longer belong to an item'),
  }),
  line('plan_checked', 'plan check: the last line of a plan', {
    plan,
    file: path,
    items: z.int(),
    contracts: z.int().describe('that it makes; 0 where there are errors'),
    errors: z.int(),
    warnings: z.int(),
  }),
  line('plan_status', 'plan status', {
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
        mark: text.describe('in its box: a space, x, ~ or -'),
        tasks: z.array(
          z.strictObject({
            id: task,
            state: z
              .enum([...STATES, 'archived_done', 'archived_aborted', 'archived', 'unknown'])
              .describe('unknown: it does not exist yet'),
            agent: text,
            waits_for: z.union([waitsFor, z.literal('nothing')]),
            code: z.union([waitCode, z.literal('nothing')]),
            reason,
            fix,
          }),
        ),
      }),
    ),
    counts: planCounts,
    percent: planPercent,
    problems,
  }),
  line('plan', 'plan list: one of them', {
    plan,
    title: text,
    file: path,
    paused: z.boolean(),
    started: z.boolean(),
    counts: planCounts,
    percent: planPercent,
  }),
  line('plan_written', 'plan new --workflow, team start: the plan, which has no tasks yet', {
    plan,
    file: path,
  }),
  line('plan_paused', 'plan pause', {
    plan,
    paused: z.boolean(),
    changed: z.boolean().describe('false: it already was'),
  }),
  line('story_transition', 'states --stories: one row of the lifecycle of a story', {
    from: z.enum(STORY_STATUSES),
    to: z.enum(STORY_STATUSES),
    by: text.describe('who may trigger it'),
    when: text,
  }),
] as const;

export type PlanLine = LineOf<typeof lines>;
export type PlanData<E extends PlanLine['event']> = DataOf<typeof lines, E>;
