/** The shapes of the lines of `demo`; between them are those of the commands that it runs. */
import * as z from 'zod';
import { line, text } from '../../task/core/lines/line-parts.ts';

export const lines = [
  line('demo_runs', 'demo: the command that runs next; its own lines follow', {
    folder: text.describe('absolute'),
    command: z.array(text).describe('words after contracts'),
  }),
  line('demo_ended', 'demo: all commands ended as they should', {
    folder: text.describe('absolute'),
    look_at: z.array(z.strictObject({ path: text, about: text })).describe('in the folder'),
    next: z.array(text).describe('commands to type'),
  }),
] as const;
