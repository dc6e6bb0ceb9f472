/** Whether a runner wrote this learning: it says what a task of here taught. Then no agent is blamed for it. */
import { join } from 'node:path';
import { isTaskId } from '../../task/core/model/id.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import type { FilesBefore } from '../../workspace/tasks/capability.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { isLearningType, type Learning } from '../core/learning.ts';
import type { Harvested } from '../text/harvest.ts';
import { parseLearning } from '../text/learning-file.ts';
import { taughtBy } from './harvest.ts';

const LEARNING = /^\.contracts\/memory\/([a-z_]+)\/[^/]+\.md$/;

export function expectedLearning(ws: Workspace, before: FilesBefore, path: string): boolean {
  const folder = LEARNING.exec(path)?.[1];
  if (folder === undefined) return false;
  const type = isLearningType(folder) ? folder : undefined;
  const read = (text: string | undefined): Learning | undefined => {
    const parsed = text === undefined ? undefined : parseLearning(text, path, type);
    return parsed?.ok === true ? parsed.value.learning : undefined;
  };
  const now = read(textIfThere(ws.disk, join(ws.layout.root, path)));
  if (now === undefined) return false;
  if (before.has(path)) {
    const bytes = before.bytes(path);
    const text = bytes && decodeText(bytes, path);
    const was = read(text?.ok === true ? text.value : undefined);
    // A runner adds tasks to it, and changes nothing of what it says.
    const said = (one: Learning): string => JSON.stringify({ ...one, source: [], uses: [] });
    return was !== undefined && said(was) === said(now);
  }
  return now.source.some((id) => isTaskId(id) && teaches(ws, id, now));
}

function teaches(ws: Workspace, id: string, learning: Learning): boolean {
  const found = findTask(ws, id);
  if (!found.ok) return false;
  const folder = taskFolder(ws.layout, found.value.state, id);
  const { learnings, candidates } = taughtBy(ws, folder, found.value);
  // Its type may be another one: a person accepts candidates, and moves files.
  const said = ({ information, entities, tags, confidence }: Harvested): string =>
    JSON.stringify([information, entities, tags, confidence]);
  return [...learnings, ...candidates].some((one) => said(one) === said(learning));
}
