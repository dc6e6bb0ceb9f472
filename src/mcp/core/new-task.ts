/** Tasks as tools take them: fields with the names of the flags of `new`. */
import * as z from 'zod';

const text = z.string();
const texts = z.array(text).optional();

/** One task to write into draft/. */
export const newTask = z.strictObject({
  title: text.optional(),
  from: text.optional().describe('its whole text, in place of fields'),
  deliverable: texts,
  run: texts,
  criterion: texts,
  agent: text.optional(),
  adapter: text.optional(),
  squad: text.optional(),
  depends_on: texts,
  context_file: texts,
  gate: texts,
  timeout: text.optional(),
  sh: text.optional(),
  worktree: z.boolean().optional(),
  id: text.optional(),
  like: text.optional(),
});
export type NewTask = z.infer<typeof newTask>;

/** Words of the command line; values never become flags. */
export function wordsOf(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll('_', '-')}`;
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().map((one) => `${flag}=${String(one)}`);
  });
}

/** The command line of `new` for it; its `from` is a file. */
export function newWords({ title, ...fields }: NewTask): readonly string[] {
  const words = ['new', ...wordsOf(fields)];
  return title === undefined ? words : [...words, '--', title];
}
