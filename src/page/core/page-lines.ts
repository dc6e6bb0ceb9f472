/** The shapes of the lines of `report` and `ui`. */
import * as z from 'zod';
import { line, path, text } from '../../task/core/lines/line-parts.ts';

export const lines = [
  line('reported', 'report', {
    to: z.enum(['html', 'markdown']),
    tasks: z.int(),
    file: path.exactOptional().describe('that was written, from the current folder'),
    text: text.exactOptional().describe('where no file was written'),
  }),
  line('serving', 'ui: the page can be opened', {
    url: text.describe('with the token of this run, which opens it'),
    read_only: z.boolean(),
  }),
] as const;
