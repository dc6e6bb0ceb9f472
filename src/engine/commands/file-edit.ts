/** The smallest edit of one file of a task, only if the file did not change since it was read. */
import { join } from 'node:path';
import { ok, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { putInTurn } from '../../task/store/disk/put.ts';
import { conflictProblems } from '../../task/text/markdown/merge-markers.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import type { WhyNot } from '../../task/text/documents/edit.ts';
import type { Written } from '../../workspace/tasks/capability.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function editFile(
  ws: Workspace,
  id: string,
  state: State,
  name: string,
  change: (text: string) => string | WhyNot,
): Result<Written> {
  const path = join(taskFolder(ws.layout, state, id), name);
  const file = shown(ws.layout, path);
  const refuse = (message: string, fix: string): Result<never> =>
    refused({ code: 'bad_value', file, message, fix });
  if (ws.disk.stat(path) === undefined)
    return refuse('there is no such file', 'Step once: contracts step');
  const read = readBytes(ws.disk, path, file);
  if (!read.ok) return read;
  const bytes = read.value;
  const text = decodeText(bytes, file);
  if (!text.ok) return text;
  const edited = change(text.value);
  if (typeof edited !== 'string') {
    return refuse(edited.message, edited.fix || `Edit it by hand: ${file}`);
  }
  const conflict = writtenConflict(edited, file, text.value);
  if (conflict !== undefined) return refused([conflict]);
  if (putInTurn(ws.putting, path, sha256(bytes), bytesOf(edited)) !== 'put') {
    return refuse('the file changed just now; nothing was written', 'Try again');
  }
  return ok({ id, file, open: 0 });
}

/** Words with both sides of a merge are not written: they would reach no agent. */
export function writtenConflict(text: string, file: string, before = ''): Problem | undefined {
  const found = conflictProblems(text, file, true);
  const fix = 'Write the words of one side, without the lines of marks';
  return found
    .slice(conflictProblems(before, file, true).length)
    .map((one) => ({ ...one, fix }))[0];
}
