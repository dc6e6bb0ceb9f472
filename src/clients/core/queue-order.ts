/** The order to our relay, in a file on the desk: what a worker on another machine is to do. Refused in another shape. */
import * as z from 'zod/mini';
import { ATTEMPT_KINDS } from '../../task/core/attempts/record.ts';
import { permissionsSchema } from '../../task/core/model/permissions-schema.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { lazily } from '../../task/core/base/lazy.ts';

/** The part of it that goes into the job. */
export const taskOrderSchema = lazily(() =>
  z.strictObject({
    task: z.string().check(z.refine(isTaskId)),
    attempt: z.int().check(z.minimum(1)),
    kind: z.enum(ATTEMPT_KINDS),
    /** The agent as its workers name it. */
    agent: z.string(),
    labels: z.array(z.string()),
    permissions: permissionsSchema(),
    documents: z.optional(permissionsSchema()),
    model: z.optional(z.string()),
    timeout_ms: z.number(),
    stall_ms: z.number(),
    sandbox: z.enum(['auto', 'bwrap', 'none']),
    closed: z.boolean(),
  }),
);

export const queueOrderSchema = lazily(() =>
  z.strictObject({
    v: z.literal(1),
    /** As configured: variables are filled in by the relay. */
    url: z.string(),
    /** As configured. */
    remote: z.optional(z.string()),
    /** Absolute. */
    root: z.string(),
    workspace: z.string(),
    desk: z.string(),
    /** The folder of tasks, relative to `root`: no worker gets it. */
    tasks: z.string(),
    order: taskOrderSchema(),
  }),
);
export type QueueOrder = z.infer<ReturnType<typeof queueOrderSchema>>;
