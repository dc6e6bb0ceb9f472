/** The shape of the lines of `worker`. */
import * as z from 'zod';
import { attempt, line, task, text } from '../../task/core/lines/line-parts.ts';

export const lines = [
  line('worker', 'worker: what it does, an event a line', {
    what: z.enum(['queue', 'waits', 'takes', 'ended', 'refused', 'late', 'drains']),
    task: task.exactOptional(),
    attempt: attempt.exactOptional(),
    exit_code: z.int().exactOptional().describe('of its agent, at ended'),
    reason: text,
  }),
] as const;
