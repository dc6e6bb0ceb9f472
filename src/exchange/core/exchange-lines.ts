/** The shapes of the lines of `import`. */
import * as z from 'zod';
import { line, path, problems, text } from '../../task/core/lines/line-parts.ts';

export const lines = [
  line('import_task', 'import: one task that was read', {
    from: text.describe('its id there'),
    id: text.exactOptional(),
    plan: text.exactOptional(),
    title: text,
    action: z.enum(['made', 'done', 'left_out']),
    reason: text,
    file: path,
    line: z.int(),
    commands: z.array(text).describe('offered as checks, and not run'),
  }),
  line('imported', 'import: the last line; read = made + done + left_out', {
    tool: text,
    path,
    to: z.enum(['plan', 'contracts']),
    dry_run: z.boolean(),
    read: z.int(),
    made: z.int(),
    done: z.int().describe('there; without receipts'),
    left_out: z.int(),
    plans: z.array(text),
    tables: z.array(path).describe('which foreign id has which id here'),
    problems,
  }),
  line('exported', 'export', {
    to: text,
    tasks: z.int(),
    text: text.exactOptional(),
    file: path.exactOptional(),
  }),
] as const;
