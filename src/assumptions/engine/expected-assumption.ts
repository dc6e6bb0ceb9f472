/** Whether a runner wrote this assumption: a result of here says it. Then no agent is blamed for it. */
import { join } from 'node:path';
import { isTaskId } from '../../task/core/model/id.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import type { FilesBefore } from '../../workspace/tasks/capability.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { sameAs } from '../../memory/core/similar.ts';
import type { Assumption } from '../core/assumption.ts';
import { parseAssumption } from '../text/assumption-file.ts';
import { isAskedAbout } from './ask.ts';
import { saidIn } from './collect.ts';
import { doneCount } from './store.ts';

const ASSUMPTION = /^\.contracts\/assumptions\/(confirmed\/|rejected\/)?[^/]+\.md$/;

export function expectedAssumption(ws: Workspace, before: FilesBefore, path: string): boolean {
  const found = ASSUMPTION.exec(path);
  const now = found && read(textIfThere(ws.disk, join(ws.layout.root, path)), path);
  if (!now) return false;
  const isAsked = now.asked && isAskedAbout(ws, now.plan, path) && now.done <= doneCount(ws);
  if (!before.has(path)) {
    // What a person settles while an agent works cannot be told from what that agent settles.
    const isOpen = found[1] === undefined && now.uses.every((id) => isTask(ws, id));
    const [first = '', ...more] = now.source;
    return (
      isOpen &&
      (isAsked || !now.asked) &&
      more.every((id) => isTask(ws, id)) &&
      says(ws, first, now)
    );
  }
  const bytes = before.bytes(path);
  const text = bytes && decodeText(bytes, path);
  const was = read(text?.ok === true ? text.value : undefined, path);
  // A runner makes it less sure, never more.
  if (was === undefined || now.confidence > was.confidence) return false;
  const isSame = was.asked === now.asked && was.done === now.done;
  const known = new Set([...was.source, ...was.uses]);
  return (
    was.information === now.information &&
    was.kind === now.kind &&
    was.plan === now.plan &&
    (isSame || isAsked) &&
    [...now.source, ...now.uses].every((id) => known.has(id) || isTask(ws, id))
  );
}

function read(text: string | undefined, path: string): Assumption | undefined {
  const parsed = text === undefined ? undefined : parseAssumption(text, path);
  return parsed?.ok === true ? parsed.value : undefined;
}

function isTask(ws: Workspace, id: string): boolean {
  return isTaskId(id) && locate(ws.disk, ws.layout, id).length > 0;
}

function says(ws: Workspace, id: string, one: Assumption): boolean {
  if (!isTaskId(id)) return false;
  return locate(ws.disk, ws.layout, id).some((state) => {
    const result = textIfThere(ws.disk, `${taskFolder(ws.layout, state, id)}/result.md`) ?? '';
    const said = saidIn(result).filter(({ kind }) => kind === one.kind);
    return sameAs(one, said) !== undefined;
  });
}
