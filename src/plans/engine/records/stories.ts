/**
 * The stories of plans, `.contracts/plans/<plan>/stories/<id>.md`: made where one is missing and kept up
 * to date at each move of its task, by the smallest edits. A projection: what is in it is never believed.
 * A file that somebody changed between our look and our write is left to the next step.
 */
import type { Contract } from '../../../task/core/model/contract.ts';
import { isStory } from '../../core/story.ts';
import { isTaskId } from '../../../task/core/model/id.ts';
import type { State } from '../../../task/core/model/state.ts';
import { makeFolder } from '../../../task/store/disk/disk.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { planFolder, shown, taskFolder } from '../../../task/store/tasks/layout.ts';
import { putIfUnchanged } from '../../../task/store/disk/put.ts';
import { inside, listOrNothing, locate } from '../../../task/store/tasks/tasks.ts';
import { followedStory, isStale } from '../../text/story-edit.ts';
import { readAttempts } from '../../../workspace/tasks/read-attempts.ts';
import { bytesOf, type Context } from '../../../workspace/tasks/attempt-context.ts';
import type { TasksSeen } from '../../../workspace/tasks/capability.ts';
import { faultEvent } from '../../../engine/attempt/fault-event.ts';
import { hasPlanFolder } from './notepad.ts';
import { completed } from '../../../workspace/tasks/complete-contract.ts';
import { readText } from '../../../workspace/open/text-file.ts';
import { readContract } from '../../../workspace/tasks/read-contract.ts';
import { firstStory, newsOf } from './story-updates.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const STORIES = 'stories';

/** Where the story of a task is, when it has one or would get one. */
export function storyPath(ws: Workspace, id: string, contract: Contract): string | undefined {
  const { plan } = contract.head;
  if (plan === undefined || !isStory(contract) || !hasPlanFolder(ws, plan)) return undefined;
  return `${planFolder(ws.layout, plan)}/${STORIES}/${id}.md`;
}

/** After each move: whoever works on it next reads it as it is now. */
export function followStory({ ws, emit }: Pick<Context, 'ws' | 'emit'>, id: string): void {
  try {
    follow(ws, id);
  } catch (error) {
    emit(faultEvent(id, error));
  }
}

function follow(ws: Workspace, id: string): void {
  const [state, ...others] = locate(ws.disk, ws.layout, id);
  if (state === undefined || others.length > 0) return;
  const read = readContract(ws, taskFolder(ws.layout, state, id), id).contract;
  if (read.ok) keepStory(ws, id, state, read.value);
}

/**
 * At the end of a step: those that are missing, those of tasks at work, and those that say another state
 * than the one that their task was brought to by a person, another runner, or a step that was cut short.
 * Asks nothing of the disk for tasks that are no stories of a plan.
 */
export function followStories(
  ws: Workspace,
  board: TasksSeen,
  moved: ReadonlySet<string>,
  names: readonly string[],
): void {
  const plans = new Map(names.map((name) => [name, storiesOf(ws, name)]));
  const followed = new Set<string>();
  for (const task of board.tasks.values()) {
    const contract = task.contract.ok ? task.contract.value : undefined;
    const plan = contract?.head.plan;
    if (contract === undefined || plan === undefined || !isStory(contract)) continue;
    const missing = plans.get(plan)?.has(task.id) === false;
    const at_work = task.state !== 'draft' && task.state !== 'ready';
    if (!missing && !at_work && !moved.has(task.id)) continue;
    follow(ws, task.id);
    followed.add(task.id);
  }
  for (const [plan, stories] of plans) {
    for (const id of stories)
      if (!followed.has(id) && isBehind(ws, board, plan, id)) follow(ws, id);
  }
}

function isBehind(ws: Workspace, board: TasksSeen, plan: string, id: string): boolean {
  const path = `${planFolder(ws.layout, plan)}/${STORIES}/${id}.md`;
  const text = readText(ws.disk, path, shown(ws.layout, path), { single_link: false });
  if (!text.ok) return false;
  const state = board.tasks.get(id)?.state ?? endedIn(ws, id);
  return state !== undefined && isStale(text.value, state);
}

/** Where a task stands that is not live: done and aborted are asked by name and never listed. */
export function endedIn(ws: Workspace, id: string): State | undefined {
  return (['done', 'aborted'] as const).find(
    (state) => ws.disk.stat(taskFolder(ws.layout, state, id))?.kind === 'folder',
  );
}

/** Ids of tasks of which a story is there. */
function storiesOf(ws: Workspace, plan: string): ReadonlySet<string> {
  if (!hasPlanFolder(ws, plan)) return new Set();
  const folder = `${planFolder(ws.layout, plan)}/${STORIES}`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return new Set();
  const files = listOrNothing(ws.disk, folder).filter(({ kind }) => kind === 'file');
  const ids = files.flatMap(({ name }) => /^(.+)\.md$/.exec(name)?.[1] ?? []);
  return new Set(ids.filter(isTaskId));
}

function keepStory(ws: Workspace, id: string, state: State, read: Contract): void {
  const path = storyPath(ws, id, read);
  if (path === undefined || !madeFolder(ws, path)) return;
  const contract = completed(ws, read);
  const folder = taskFolder(ws.layout, state, id);
  const { attempts } = readAttempts(ws, folder, id);
  const news = newsOf(ws, contract, { folders: [folder], state, attempts });
  const file = shown(ws.layout, path);
  if (ws.disk.stat(path) === undefined) {
    const text = followedStory(firstStory(ws, id, contract, news.status), news);
    putIfUnchanged(ws.putting, path, undefined, bytesOf(text));
    return;
  }
  if (!inside(ws.disk, ws.layout.root, file).ok) return;
  const text = readText(ws.disk, path, file, { single_link: false });
  if (!text.ok) return;
  const edited = followedStory(text.value, news);
  if (edited !== text.value) putIfUnchanged(ws.putting, path, sha256(text.value), bytesOf(edited));
}

/** False where something else stands in its place. */
function madeFolder(ws: Workspace, path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const found = ws.disk.stat(folder);
  if (found !== undefined) return found.kind === 'folder';
  makeFolder(ws.disk, folder);
  return true;
}
