/**
 * What the runner tells the driver, in a file on the desk that is written before the driver starts.
 * Pure shapes; a file that does not fit is no order, and the driver refuses to work by guessing.
 */
import * as z from 'zod/mini';
import { GIT_OPERATIONS, STRENGTHS, type Authority } from '../../core/authority.ts';
import { lazily } from '../../core/lazily.ts';

const globs = lazily(() => z.array(z.string()));

/** All of it: a part that stayed behind would widen what the agent may do. */
const authority = (): { readonly [Key in keyof Required<Authority>]: z.ZodMiniType } => ({
  write: globs(),
  create: globs(),
  delete: globs(),
  append: globs(),
  git: z.array(z.enum(GIT_OPERATIONS)),
  strength: z.enum(STRENGTHS),
  within: z.optional(globs()),
  kept: z.optional(globs()),
  tools: z.optional(globs()),
});
const authoritySchema = lazily(() => z.strictObject(authority()) as z.ZodMiniType<Authority>);

export const orderSchema = lazily(() =>
  z.strictObject({
    v: z.literal(1),
    /** The agent's program and its arguments, filled in. */
    run: z.array(z.string()).check(z.minLength(1)),
    task: z.string(),
    /** The folder that it works in, absolute. */
    root: z.string(),
    desk: z.string(),
    brief_file: z.string(),
    authority: authoritySchema(),
    /** The agent's session to go on with. */
    session: z.optional(z.string()),
    /** To be set by the protocol, where `run` does not take it. */
    model: z.optional(z.string()),
    mode: z.optional(z.string()),
  }),
);
export type Order = z.infer<ReturnType<typeof orderSchema>>;
