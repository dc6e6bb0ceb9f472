/** The order to the driver, in a file on the desk. The driver refuses a file of another shape. */
import * as z from 'zod/mini';
import { permissionsSchema } from '../../task/core/model/permissions-schema.ts';
import { lazily } from '../../task/core/base/lazy.ts';
import type { CommandOptions } from './command.ts';

export interface AcpOptions extends CommandOptions {
  /** The session's mode, as the agent calls it. */
  readonly mode?: string | undefined;
}

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
    permissions: permissionsSchema(),
    /** The agent's session to go on with. */
    session: z.optional(z.string()),
    /** To be set by the protocol, where `run` does not take it. */
    model: z.optional(z.string()),
    mode: z.optional(z.string()),
  }),
);
export type Order = z.infer<ReturnType<typeof orderSchema>>;
