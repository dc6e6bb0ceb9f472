/** Warns of what a person typed where it is not read: inside the comment of the form in blocked.md or review.md. */
import { join } from 'node:path';
import { awaitedReview } from '../../task/core/attempts/counters.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { wordsInComments } from '../../task/text/documents/ignored-comments.ts';
import { lies } from '../../workspace/tasks/read-task.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { templateSource, type Workspace } from '../../workspace/open/workspace.ts';

const HEADING = { blocked: 'Resolution', review: 'Findings' };

export function ignoredComments(ws: Workspace, task: TaskRead): readonly Problem[] {
  const form = formOf(ws, task);
  if (form === undefined) return [];
  const path = join(taskFolder(ws.layout, task.state, task.id), `${form}.md`);
  const file = shown(ws.layout, path);
  const read = readText(ws.disk, path, file);
  if (!read.ok) return [];
  return wordsInComments(read.value, templateSource(ws, form)).map(({ line, words }) =>
    problem({
      code: 'unread_words',
      severity: 'warning',
      file,
      line: line + 1,
      message: 'these words stand inside a comment and are not read',
      found: words,
      fix: `Write them below the comment, under ## ${HEADING[form]}`,
    }),
  );
}

/** The form that a person was given in this state. A review by an agent is no form. */
function formOf(ws: Workspace, task: TaskRead): 'blocked' | 'review' | undefined {
  const folder = taskFolder(ws.layout, task.state, task.id);
  if (task.state === 'blocked') return lies(ws, folder, 'blocked') ? 'blocked' : undefined;
  const awaits = task.state === 'review' && awaitedReview(task.attempts) !== undefined;
  return awaits && task.review !== undefined ? 'review' : undefined;
}
