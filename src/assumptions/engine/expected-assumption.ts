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
import { saidIn } from './collect.ts';

const ASSUMPTION = /^\.contracts\/assumptions\/(?:confirmed\/|rejected\/)?[^/]+\.md$/;

export function expectedAssumption(ws: Workspace, before: FilesBefore, path: string): boolean {
  if (!ASSUMPTION.test(path)) return false;
  const now = read(textIfThere(ws.disk, join(ws.layout.root, path)), path);
  if (now === undefined) return false;
  if (!before.has(path)) return now.source.some((id) => isTaskId(id) && says(ws, id, now));
  const bytes = before.bytes(path);
  const text = bytes && decodeText(bytes, path);
  const was = read(text?.ok === true ? text.value : undefined, path);
  // A runner makes it less sure, never more.
  if (was === undefined || now.confidence > was.confidence) return false;
  return was.information === now.information && was.kind === now.kind && was.plan === now.plan;
}

function read(text: string | undefined, path: string): Assumption | undefined {
  const parsed = text === undefined ? undefined : parseAssumption(text, path);
  return parsed?.ok === true ? parsed.value : undefined;
}

function says(ws: Workspace, id: string, one: Assumption): boolean {
  return locate(ws.disk, ws.layout, id).some((state) => {
    const result = textIfThere(ws.disk, `${taskFolder(ws.layout, state, id)}/result.md`) ?? '';
    const said = saidIn(result).filter(({ kind }) => kind === one.kind);
    return sameAs(one, said) !== undefined;
  });
}
