/** New stories that an approved task handed in, as contracts in draft, which a person confirms. */
import { isSomewhere } from '../../../engine/board/archive.ts';
import { makeTaskOnce } from '../../../engine/board/make-task.ts';
import { idRule, isTaskId } from '../../../task/core/model/id.ts';
import { problem } from '../../../task/core/model/problem.ts';
import { listAttempts } from '../../../task/store/tasks/claims.ts';
import { attemptFolder, DOCUMENTS, PLACED, SETTINGS } from '../../../task/store/tasks/layout.ts';
import { TEXT_BYTES_MAX } from '../../../task/store/tasks/layout.ts';
import { inside, listOrNothing } from '../../../task/store/tasks/tasks.ts';
import { parseContract, renderContract } from '../../../task/text/documents/contract.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import { templateOf, type Workspace } from '../../../workspace/open/workspace.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { isTaskOfPlan } from '../../core/plan-ids.ts';
import { draftOfStory } from '../../text/story-draft.ts';
import { hasPlanFolder } from './notepad.ts';
import { keepStory } from './stories.ts';

/** Safe to repeat after a crash: no name is used twice. */
export function draftStories({ ws, id: by, contract, emit }: Running, folder: string): void {
  const { plan, squad } = contract?.head ?? {};
  if (plan === undefined || !hasPlanFolder(ws, plan)) return;
  const stories = `plans/${plan}/stories`;
  for (const [id, story] of newStories(ws, folder, stories)) {
    const file = `${SETTINGS}/${stories}/${id}.md`;
    if (isTaskId(id) && isSomewhere(ws, id)) {
      keepStory(ws, id, story);
      continue;
    }
    const own = { id, squad, plan, created: ws.machine.now().toISOString() };
    const text = renderContract(draftOfStory(story, own), templateOf(ws, 'contract'));
    const read = parseContract(text, file);
    const isLong = Buffer.byteLength(text) > TEXT_BYTES_MAX;
    const unread = isLong ? 'it is too long' : read.ok ? undefined : read.problems[0]?.message;
    const why = whyNot(ws, id, file, story) ?? unread;
    if (why !== undefined) {
      const message = `no task is made of this story: ${why}`;
      const fix = 'To make it yourself: contracts new';
      const found = { code: 'bad_id', severity: 'warning', file, message, fix } as const;
      emit({ event: 'problem', problem: problem(found) });
    } else if (makeTaskOnce(ws, 'draft', id, text)) {
      keepStory(ws, id, story);
      const reason = `a story of ${by}. To begin work on it: contracts confirm ${id}`;
      emit({ event: 'wrote', task: id, file: 'contract.md', reason });
    }
  }
}

/** By name, those that were not there when an agent was called, as they were put in place last. */
function newStories(ws: Workspace, folder: string, stories: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { number, lost } of listAttempts(ws.disk, folder)) {
    const attempt = attemptFolder(folder, number, lost);
    const placed = `${attempt}/${PLACED}/${stories}`;
    for (const { name } of listOrNothing(ws.disk, placed)) {
      const id = name.replace(/\.md$/, '');
      const given = ws.disk.stat(`${attempt}/${DOCUMENTS}/${stories}/${name}`);
      if (id === name || (given !== undefined && !found.has(id))) continue;
      found.set(id, textIfThere(ws.disk, `${placed}/${name}`) ?? '');
    }
  }
  return found;
}

function whyNot(ws: Workspace, id: string, file: string, story: string) {
  if (!isTaskId(id)) return `its name ${idRule(id).message}`;
  // A plan would take it for the task of an item.
  if (isTaskOfPlan(id)) return 'only the runner gives such names';
  const there = inside(ws.disk, ws.layout.root, file);
  const now = there.ok ? textIfThere(ws.disk, there.path) : undefined;
  return now === story ? undefined : 'its file is not what was handed in, or cannot be read';
}
