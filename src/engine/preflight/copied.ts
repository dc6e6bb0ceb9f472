/** A task folder that was copied by hand with the attempts of the other, which it would go on from. */
import { join } from 'node:path';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { isSomewhere } from '../board/archive.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** None where the other is nowhere any more: then this one was renamed. */
export function copiedAttempts(
  ws: Workspace,
  { id, state, attempts }: Pick<TaskRead, 'id' | 'state' | 'attempts'>,
): readonly Problem[] {
  const from = attempts.find(({ owner }) => owner !== undefined && owner.task !== id)?.owner?.task;
  if (from === undefined || !isSomewhere(ws, from)) return [];
  const file = shown(ws.layout, join(taskFolder(ws.layout, state, id), 'attempts'));
  const message = `this is a copy of ${from}, with its attempts`;
  const fix = `Remove its folder attempts, or make a task without: contracts new --like ${from}`;
  return [problem({ code: 'other_task', file, message, fix })];
}
