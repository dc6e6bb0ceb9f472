/** The reader of texts for agents: one in which a merge left both sides is refused. */
import { refused, type Result } from '../../task/core/model/problem.ts';
import { conflictProblems } from '../../task/text/markdown/merge-markers.ts';
import { readText } from './text-file.ts';

/** As `readText`. In a code block both sides may be an example. */
export function readProse(...given: Parameters<typeof readText>): Result<string> {
  const text = readText(...given);
  const conflicts = text.ok ? conflictProblems(text.value, given[2], true) : [];
  return conflicts.length > 0 ? refused(conflicts) : text;
}
