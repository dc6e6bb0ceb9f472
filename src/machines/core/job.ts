/**
 * Data that an owner and a worker exchange through the queue. Whatever came through it is untrusted: a job
 * counts by its signature, an answer by the token of its attempt and by what the owner then verifies.
 */
import * as z from 'zod/mini';
import { taskOrderSchema } from '../../clients/core/queue-order.ts';
import { ENDS } from '../../task/core/attempts/client-report.ts';
import { lazily } from '../../task/core/base/lazy.ts';

/** Begins the reason of a worker that found a part of the job missing in the queue. */
export const LOST = 'the queue no longer has ';
/** Begins the reason of a worker whose own set-up lacks something. */
export const UNFIT = 'not set up: ';
/** Words of the system, and of git, where a disk is full. */
export const NO_ROOM = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i;
/** Bytes of one packed tree, or of a packed change, in the queue. */
export const PACK_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of all files in such a pack. */
export const FILES_BYTES_MAX = 1024 * 1024 * 1024;
/** Files of a packed tree, and of a change. */
export const FILES_MAX = 200_000;
/** Bytes of a job with all that its worker reports and answers, but for packs. */
export const REPORT_BYTES_MAX = 24 * 1024 * 1024;
export const DESK_BYTES_MAX = 8 * 1024 * 1024;
export const DESK_FILES_MAX = 2000;

/** A pack in the queue, and the commit in it whose tree is meant. */
const packSchema = () =>
  z.object({
    id: z.string().check(z.regex(/^[\w./-]{1,200}$/)),
    commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)),
  });
export type Pack = z.infer<ReturnType<typeof packSchema>>;

/** Files of a desk: path and bytes in base64. */
const deskSchema = () =>
  z.array(z.object({ path: z.string(), data: z.string() })).check(z.maxLength(DESK_FILES_MAX));
export type DeskFiles = z.infer<ReturnType<typeof deskSchema>>;

/** Absolute, on the owner's machine. */
const path = () => z.string().check(z.regex(/^\/[^\0]+$/));

/** The signed text of a job. */
export const jobSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    /** The workspace of the owner, opaque. */
    workspace: z.string().check(z.regex(/^[0-9a-f]{8,64}$/)),
    /** Random: an answer without it is not of this attempt. */
    token: z.string().check(z.regex(/^[\w-]{16,64}$/)),
    order: taskOrderSchema(),
    /** The workspace below the top of its repository; empty when it is the top. */
    prefix: z.string().check(z.refine((one) => !/^\/|(?:^|\/)\.\.?(?:\/|$)/.test(one))),
    base: packSchema(),
    /** Address of a git remote at which base and change are; through the queue without it. */
    remote: z.optional(z.string().check(z.regex(/^[\w./~][^\s]{0,500}$/))),
    desk: deskSchema(),
    /** Named in the brief; replaced by the worker's own. */
    paths: z.object({ root: path(), desk: path(), workspace: path() }),
  }),
);
export type Job = z.infer<ReturnType<typeof jobSchema>>;

export interface Announced {
  readonly text: string;
  /** `NAME CODE`, of `text`. */
  readonly signature: string;
  /** The owner no longer waits for it. */
  readonly cancel?: true;
}

export const answerSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    workspace: z.string(),
    task: z.string(),
    attempt: z.int(),
    token: z.string(),
    machine: z.string(),
    enforced: z.array(z.string()).check(z.maxLength(20)),
    ending: z.object({
      reason: z.enum(ENDS),
      code: z.nullable(z.int()),
      signal: z.nullable(z.string()),
      error: z.optional(z.string()),
    }),
    /** All events of the call, a line each. */
    lines: z.array(z.string()),
    desk: deskSchema(),
    /** Missing where it changed no file. Its commit has the base as an ancestor. */
    change: z.optional(packSchema()),
  }),
);
export type Answer = z.infer<ReturnType<typeof answerSchema>>;

export const reportSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    machine: z.string(),
    /** Grows while it works; clocks are not compared. */
    beat: z.int(),
    /** Number of the first of `lines`; each is an event of the call as JSON. */
    from: z.int(),
    lines: z.array(z.string()),
    /** The text of status.md, where the agent wrote one. */
    status: z.optional(z.string()),
  }),
);

/** A worker as others see it. */
export const workerSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    name: z.string(),
    agents: z.array(z.string()),
    labels: z.array(z.string()),
    slots: z.int(),
    busy: z.int(),
    /** By the clock of the server, ms since the epoch. */
    seen_ms: z.number(),
  }),
);

/** The queue of jobs for an agent on machines with these labels. */
export function jobsQueue(agent: string, labels: readonly string[]): string {
  const safe = agent.replace(/[^\w-]/g, (one) => `.${one.codePointAt(0)?.toString(16)}.`);
  return ['jobs', safe, ...labels.toSorted()].join('~');
}

/** All queues whose jobs a worker with these agents and labels can do: for each set of its labels. */
export function queuesFor(agents: readonly string[], labels: readonly string[]): readonly string[] {
  const sets: (readonly string[])[] = [[]];
  for (const one of labels) sets.push(...sets.map((set) => [...set, one]));
  return agents.flatMap((agent) => sets.map((set) => jobsQueue(agent, set)));
}

/** The name of a job in its queue; an attempt has one. */
export function jobId(workspace: string, task: string, attempt: number): string {
  return [workspace.slice(0, 16), task, attempt].join('.');
}

/** Why something that came through the queue is not taken. */
export class Refusal extends Error {}
/** A worker lacks what the job needs: a person there mends it. */
export class Unfit extends Refusal {}
