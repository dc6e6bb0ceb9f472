/** Whether a runner wrote this learning: it says what a task of here taught. Then no agent is blamed for it. */
import { join } from 'node:path';
import { PERSON } from '../../task/core/model/contract.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import type { FilesBefore } from '../../workspace/tasks/capability.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { isByPerson, isLearningType, type Learning } from '../core/learning.ts';
import { parseLearning } from '../text/learning-file.ts';
import { CANDIDATES } from './folder.ts';
import { taughtBy, type Taught } from './harvest.ts';

const LEARNING = /^\.contracts\/memory\/([a-z_]+)\/[^/`\p{C}]+\.md$/u;

export function expectedLearning(ws: Workspace, before: FilesBefore, path: string): boolean {
  const [, folder] = LEARNING.exec(path) ?? [];
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
    const isOnly = (ids: readonly string[], old: readonly string[]): boolean =>
      ids.every((id) => old.includes(id) || isTask(ws, id));
    return (
      was !== undefined &&
      said(was) === said(now) &&
      was.source.every((id) => now.source.includes(id)) &&
      isOnly(now.source, was.source) &&
      isOnly(now.uses, was.uses)
    );
  }
  // What a person moves while an agent works cannot be told from what that agent moves.
  const [first = '', ...more] = now.source.filter((id) => id !== PERSON);
  const isNew = now.feedback === 0 && now.uses.length === 0 && more.every((id) => isTask(ws, id));
  return isNew && isTask(ws, first) && teaches(ws, first, now, folder);
}

function isTask(ws: Workspace, id: string): boolean {
  return id !== PERSON && isTaskId(id) && findTask(ws, id).ok;
}

function teaches(ws: Workspace, id: string, learning: Learning, folder: string): boolean {
  const found = findTask(ws, id);
  if (!found.ok) return false;
  const { learnings, candidates } = taughtBy(
    ws,
    taskFolder(ws.layout, found.value.state, id),
    found.value,
  );
  const said = ({ type, information, entities, tags, confidence, by_person }: Taught): string =>
    JSON.stringify(redactedRecord(ws, [type, information, entities, tags, confidence, by_person]));
  const of = folder === CANDIDATES ? candidates : learnings;
  return of.some((one) => said(one) === said({ ...learning, by_person: isByPerson(learning) }));
}
