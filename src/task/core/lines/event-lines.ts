/** Lines of `step`, `run`, `collect` and `recover`. They only ever grow (docs/reference/json.md). */
import * as z from 'zod';
import { OUTCOME_CODES } from '../attempts/outcome-codes.ts';
import { CLIENT_ERRORS } from '../attempts/client-report.ts';
import { FAULT_CODES } from '../model/problem.ts';
import {
  attempt,
  fix,
  kind,
  line,
  nth,
  outcome,
  path,
  problem,
  problems,
  reason,
  state,
  task,
  text,
  trigger,
  waitCode,
  waitsFor,
} from './line-parts.ts';

const meaning = z.enum(['open', 'done', 'working', 'dropped']);

export const waiting = {
  task,
  state,
  code: waitCode,
  on: waitsFor,
  reason,
  fix,
  problems: problems.exactOptional(),
  until: text.exactOptional().describe('on time: when it continues by itself'),
  behind: task.exactOptional().describe('the first task that it waits for'),
};

const silence = {
  seconds: z.int().describe('for how long the agent had reported nothing'),
  limit_seconds: z.int().describe('for how long it may stay as it is, by the size of the task'),
};

export const EVENT_LINES = [
  line('moved', 'a task folder was renamed to another state', {
    task,
    from: state,
    to: state,
    trigger,
    reason,
    attempt: attempt.exactOptional(),
    problems: problems.exactOptional().describe('what still prevents a call'),
    noticed: z
      .int()
      .exactOptional()
      .describe('to done: how many changes outside its permissions count against no agent'),
    kept: text.exactOptional().describe('abort: where its work stays, if it has a worktree'),
  }),
  line('claimed', 'an attempt is this runner’s', {
    task,
    attempt,
    kind,
    nth,
    agent: text.describe('the executor, or the gate of a review; empty when no agent is called'),
    reason,
  }),
  line('called', 'an agent was started', { task, attempt, agent: text, adapter: text }),
  line('ended', 'the outcome of an attempt was committed', {
    task,
    attempt,
    kind,
    nth,
    outcome,
    code: z
      .enum(OUTCOME_CODES)
      .exactOptional()
      .describe('why it ended so; absent in an attempt of an earlier version'),
    reason,
    seconds: z.number().exactOptional().describe('of the call of the agent'),
    input_tokens: z
      .int()
      .exactOptional()
      .describe('these three as far as the client reported them'),
    output_tokens: z.int().exactOptional(),
    cost_usd: z.number().exactOptional(),
    error: z
      .enum(CLIENT_ERRORS)
      .exactOptional()
      .describe('why its client failed, where that is why nothing was handed in'),
    denied: z
      .array(text)
      .exactOptional()
      .describe('calls of tools that were refused while it worked, each with the reason'),
    violations: z
      .int()
      .exactOptional()
      .describe('how many changes outside its permissions are provably its own'),
    noticed: z
      .int()
      .exactOptional()
      .describe('how many changes outside its permissions count against no agent'),
  }),
  line('checked', 'the runner ran a check', {
    task,
    attempt,
    check: text,
    passed: z.boolean(),
    reason,
  }),
  line('progress', 'a line of the agent’s output', { task, attempt, text }),
  line('retries', 'the model did not answer, and the client calls it again by itself', {
    task,
    attempt,
    times: z.int().describe('1 for the first in a row'),
    text,
  }),
  line('status', 'the current step in status.md, when the agent has changed it', {
    task,
    attempt,
    text,
  }),
  line('lags', 'a running agent fell silent: its last report is older than its limit', {
    task,
    attempt,
    ...silence,
  }),
  line('goes_on', 'an agent that lagged reported something again', { task, attempt, ...silence }),
  line('recovered', 'the attempt of a dead owner was taken over', { task, attempt, reason }),
  line('wrote', 'answer slots, a blocked.md or draft were written, words kept, or a commit made', {
    task,
    file: path,
    reason,
    left: z
      .literal(true)
      .exactOptional()
      .describe('nothing was written: the change that should be reverted is still there'),
  }),
  line('gate_approved', 'one of several gates approved; the last approval is part of the move', {
    task,
    attempt,
    gate: text,
    number: z.number().int().positive().describe('which of the gates, from 1'),
    of: z.number().int().positive(),
    waits_for: text.describe('the gate that is asked next'),
  }),
  line('waits', 'nothing moves this task now', waiting),
  line('overlaps', 'another task writes the same at the same time', {
    task,
    with: task,
    path: text,
    reason,
  }),
  line('child_made', 'an agent gave a part of its task to another one: it is in ready', {
    task,
    parent: task,
    agent: text.describe('the agent that does it'),
    file: path.describe('of the contract on the desk of its parent’s agent'),
    reason,
  }),
  line('lost_race', 'another process was faster', { task, reason }),
  line('moved_by_hand', 'a person moved the folder; the task stays there', {
    task,
    to: z.union([state, z.literal('elsewhere')]),
    reason,
  }),
  line('box', 'a box of a plan was put back to what its task says', {
    plan: text,
    file: path,
    line: z.int().describe('1-based, in file'),
    was: meaning.describe('what a person may have marked'),
    now: meaning.describe('what its task, or the items below it, make of it'),
    task: task.exactOptional(),
    reason,
    fix,
  }),
  line('problem', 'something is wrong in a file', { problem }),
  line('fault', 'the environment failed', {
    task: task.exactOptional(),
    code: z.enum(FAULT_CODES).exactOptional().describe('what failed'),
    reason,
    fix,
  }),
] as const;
