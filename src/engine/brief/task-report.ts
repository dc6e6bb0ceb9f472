/** What became of a task, for its parent and for tasks that use its result. */
import { join } from 'node:path';
import type { Contract } from '../../task/core/model/contract.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import type { DependencyState } from '../../task/core/model/task.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { lastFolder, stateOfTask } from '../board/archive.ts';
import type { LineData } from '../core/events/command-lines.ts';

/** Characters of the result of one task. */
const RESULT_CHARS_MAX = 2_000;

/** `text`: its result, or why there is none. */
export type TaskReport = LineData<'story'>['without'][number];

const WORDS: Partial<Readonly<Record<DependencyState, string>>> = {
  archived_done: 'done',
  archived_aborted: 'aborted',
  archived: 'archived',
  unknown: 'not there any more',
};

export function reportOf(ws: Workspace, id: string): TaskReport {
  const state = stateOfTask(ws, id);
  const folder = lastFolder(ws, id);
  const contract = readContract(ws, folder, id).contract;
  const title = contract.ok ? contract.value.title : '';
  const why = state === 'done' || state === 'archived_done' ? '' : lastWord(ws, folder, id);
  const parts = [why, resultText(ws, folder)].filter((one) => one !== '');
  return { id, title, state: stateWord(state), text: parts.join('\n\n') };
}

/** Tasks whose results a join takes, and that are not done. */
export function withoutOf(ws: Workspace, { head }: Contract): TaskReport[] {
  const joined = head.context_from.filter((id) => isTaskId(id) && !head.depends_on.includes(id));
  return joined.map((id) => reportOf(ws, id)).filter(({ state }) => state !== 'done');
}

/** How the last attempt of a task that is not done ended. */
export function lastWord(ws: Workspace, folder: string, id: string): string {
  const { attempts } = readAttempts(ws, folder, id);
  const last = attempts.findLast((one) => !one.lost && one.outcome !== undefined)?.outcome;
  return last === undefined ? '' : `Its last attempt ended as ${last.outcome}: ${last.reason}`;
}

export function stateWord(state: DependencyState): string {
  return WORDS[state] ?? state;
}

/** Its result.md; of a long one the beginning, and where the rest is. */
export function resultText(ws: Workspace, folder: string): string {
  const path = join(folder, 'result.md');
  const text = textIfThere(ws.disk, path)?.trim() ?? '';
  if (text.length <= RESULT_CHARS_MAX) return text;
  // Never half of a character.
  return `${text.slice(0, RESULT_CHARS_MAX).replace(/[\ud800-\udbff]$/, '')}\n\n… the rest is in ${shown(ws.layout, path)}`;
}
