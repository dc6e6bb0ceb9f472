/**
 * The stories of plans, `.contracts/plans/<plan>/stories/<id>.md`: created before the first work on a task,
 * and brought up to date by the smallest edits when the task ends or a person asks. Nothing in them is
 * believed.
 */
import { dirname } from 'node:path';
import type { Problem } from '../../../task/core/model/problem.ts';
import { reminder } from '../../../squads/core/constitution.ts';
import { routeOf } from '../../../workspace/tasks/routes.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { executorOf } from '../../../agents/engine/roles.ts';
import { permissionsFor } from '../../../permissions/engine/enforce/effective-permissions.ts';
import { refuseChange } from '../../../task/core/model/permissions.ts';
import { isStory } from '../../core/story.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { makeFolder } from '../../../task/store/disk/disk.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { attemptFolder, DOCUMENTS, SETTINGS } from '../../../task/store/tasks/layout.ts';
import { planFolder, shown } from '../../../task/store/tasks/layout.ts';
import { putIfUnchanged } from '../../../task/store/disk/put.ts';
import { inside } from '../../../task/store/tasks/tasks.ts';
import { followedStory, statusOf, storyLeft } from '../../text/story-edit.ts';
import { bytesOf, type Running } from '../../../workspace/tasks/attempt-context.ts';
import { hasPlanFolder } from './notepad.ts';
import { completed } from '../../../workspace/tasks/complete-contract.ts';
import { readText, textIfThere } from '../../../workspace/open/text-file.ts';
import { liveTask } from './live-task.ts';
import { firstStory, newsOf } from './story-updates.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

/** undefined: the task gets none. */
export function storyPath(ws: Workspace, id: string, contract: Contract): string | undefined {
  const { plan } = contract.head;
  if (plan === undefined || !isStory(contract) || !hasPlanFolder(ws, plan)) return undefined;
  return `${planFolder(ws.layout, plan)}/stories/${id}.md`;
}

/** Creates the missing stories of tasks that a step is about to work on; none of these is blocked any more. */
export function makeStories(ws: Workspace, acting: readonly TaskRead[]): void {
  for (const { id, contract } of acting) {
    const path = contract.ok ? storyPath(ws, id, contract.value) : undefined;
    const text = path && textIfThere(ws.disk, path);
    if (path && (text === undefined || statusOf(text) === 'BLOCKED')) keepStory(ws, id);
  }
}

/** A file that changes meanwhile is left as it is. Returns its name if it was written. `given`: an agent's own text. */
export function keepStory(ws: Workspace, id: string, given?: string): string | undefined {
  const task = liveTask(ws, id);
  if (task === undefined || task.doubled) return undefined;
  const read = task.contract;
  const path = read && storyPath(ws, id, read);
  if (read === undefined || path === undefined || !madeFolder(ws, dirname(path))) return undefined;
  const contract = completed(ws, read);
  const { state, folder, attempts } = task;
  const news = newsOf(ws, contract, { folders: [folder], state, attempts });
  const file = shown(ws.layout, path);
  const isThere = ws.disk.stat(path) !== undefined;
  if (isThere && !inside(ws.disk, ws.layout.root, file).ok) return undefined;
  const old = isThere ? readText(ws.disk, path, file, { single_link: false }) : undefined;
  if (old?.ok === false) return undefined;
  const text = old?.value ?? firstStory(ws, id, contract, news.status);
  const edited = followedStory(text, news, text === given);
  if (edited === old?.value) return undefined;
  const put = putIfUnchanged(ws.putting, path, old && sha256(old.value), bytesOf(edited));
  return put === 'put' ? file : undefined;
}

/** One of the folder of the plan. False: something else has its place. */
export function madeFolder(ws: Workspace, folder: string): boolean {
  const found = ws.disk.stat(folder);
  if (found !== undefined) return found.kind === 'folder';
  makeFolder(ws.disk, folder);
  ws.disk.sync(dirname(folder));
  return true;
}

/** Article III, of the copy that the attempt hands in, which is put in place later, or of the file itself. */
export function remindOfStory(running: Running, folder: string): readonly Problem[] {
  const { ws, id, contract, number } = running;
  const path = contract && storyPath(ws, id, contract);
  if (contract === undefined || path === undefined) return [];
  const articles = routeOf(ws, contract)?.articles.filter(({ number }) => number === 'III') ?? [];
  const file = shown(ws.layout, path);
  const permissions = permissionsFor(ws.layout, executorOf(ws, contract), contract);
  if (refuseChange(permissions, { kind: 'write', path: file }) !== undefined) return [];
  const desk = `${attemptFolder(folder, number)}/desk`;
  const own = inside(ws.disk, desk, `${DOCUMENTS}/${file.slice(SETTINGS.length + 1)}`);
  const left = [own, inside(ws.disk, ws.layout.root, file)].flatMap((place) => {
    const text = place.ok ? textIfThere(ws.disk, place.path) : undefined;
    return text === undefined ? [] : storyLeft(text);
  });
  const [found = ''] = articles.length === 0 || left.includes('') ? [] : left;
  return found === '' ? [] : [reminder('story_not_kept', articles, { file, found })];
}
