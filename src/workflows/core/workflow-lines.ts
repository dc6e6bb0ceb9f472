/** The shapes of the lines of `plan workflows` and `plan new --workflow`. */
import * as z from 'zod';
import { line, path, problems, text } from '../../task/core/lines/line-parts.ts';

export const lines = [
  line('workflow', 'plan workflows: one of them', {
    name: text,
    source: z.enum(['built-in', 'user', 'project']),
    file: path,
    description: text,
    inputs: z.array(
      z.strictObject({
        name: text,
        about: text,
        preset: text
          .exactOptional()
          .describe('its value where none is given; left out: one must be'),
      }),
    ),
    phases: z.array(text).describe('in the order of its items'),
    problems,
  }),
] as const;
