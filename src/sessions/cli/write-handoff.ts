/** status --write: the state of things as a numbered file, and nothing where the newest says the same. */
import { verb } from '../../cli/terminal/verb-context.ts';
import { overview } from '../../engine/queries/overview.ts';
import { writeHandoff } from '../engine/handoff.ts';

const status = verb(({ ws, out }) => {
  const { file, written } = writeHandoff(ws);
  if (out.json) out.data({ v: 1, event: 'overview', ...overview(ws), handoff: file });
  out.print(written ? `wrote ${out.path(file)}` : `${out.path(file)} says the same already`);
});

export const runs = { status };
