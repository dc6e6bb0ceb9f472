/**
 * Plans follow one step (docs/reference/plans.md#boxes). Boxes are written at its end, one character each
 * and only if the plan is unchanged since it was read; the next step mends what a crash left.
 */
import { archivedState } from '../../../engine/board/archive.ts';
import { wait } from '../../../engine/core/words/waits.ts';
import { HOLD_WORDS } from '../../core/words.ts';
import {
  boxesToMark,
  closedTasks,
  wordsOfMark,
  type BoxToMark,
  type ItemStanding,
  type Standing,
} from '../../core/box-projection.ts';
import { isState } from '../../../task/core/model/state.ts';
import {
  BOX_MARKS,
  isClosed,
  type BoxMeaning,
  type PlanDocument,
  type PlanItem,
} from '../../core/plan-document.ts';
import { renamedItems } from '../../core/plan-renamed.ts';
import type { Problem } from '../../../task/core/model/problem.ts';
import { highestAttempt } from '../../../task/store/tasks/claims.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { plansFolder, taskFolder } from '../../../task/store/tasks/layout.ts';
import { putIfUnchanged } from '../../../task/store/disk/put.ts';
import { inside, locate } from '../../../task/store/tasks/tasks.ts';
import { markBoxes } from '../../text/boxes.ts';
import { readAttempts } from '../../../workspace/tasks/read-attempts.ts';
import { bytesOf } from '../../../workspace/tasks/attempt-context.ts';
import type { FollowedStep, Follower, TasksSeen } from '../../../workspace/tasks/capability.ts';
import { planOf } from '../../../engine/cache/known-task.ts';
import { faultEvent } from '../../../engine/attempt/fault-event.ts';
import { planPath } from './plan-facts.ts';
import { hasPlanFolder } from '../records/notepad.ts';
import { endedIn, standingIn, stateNow } from '../records/live-task.ts';
import { lostPlans } from './missing-plans.ts';
import { keepStops, keepWaves } from '../records/run-reports.ts';
import { keepStory, makeStories } from '../records/stories.ts';
import { orphansAmong } from './orphan-tasks.ts';
import { planFileOf, planNames, readPlan } from '../start/find-plans.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

interface Following extends FollowedStep {
  readonly board: TasksSeen;
  /** Plans whose renamed items were reported in this step. */
  readonly renamed: Set<string>;
}

export function followStep(step: FollowedStep): Follower {
  const { ws } = step;
  const renamed = new Set<string>();
  return {
    before: (board, acting) => {
      const following = { ...step, board, renamed };
      const named = acting.flatMap(({ contract }) => (contract.ok ? contract.value.head.plan : []));
      orFault(following, () => makeStories(ws, acting));
      // A person who marked a box is warned before anything of that plan begins.
      for (const name of new Set(named)) {
        if (name === undefined || !hasPlanFolder(ws, name)) continue;
        orFault(following, () => followPlan(following, name, false));
      }
    },
    after: (board) => {
      if (hasPlans(ws)) followPlans({ ...step, board, renamed });
    },
  };
}

/** A disk that fails here fails again where tasks are read, and is reported there. */
function hasPlans({ disk, layout }: Workspace): boolean {
  try {
    return disk.stat(plansFolder(layout)) !== undefined;
  } catch {
    return false;
  }
}

function followPlans(step: Following): void {
  const { ws, board, moved } = step;
  orFault(step, () => keepStops(ws, board.tasks.values(), moved));
  orFault(step, () => {
    const blocked = [...board.tasks.values()].filter(({ state }) => state === 'blocked');
    for (const id of new Set([...moved, ...blocked.map((task) => task.id)]))
      if (endedIn(ws, id) !== undefined || stateNow(ws, id) === 'blocked') keepStory(ws, id);
  });
  const names = planNames(ws);
  for (const name of names) orFault(step, () => followPlan(step, name, true));
  orFault(step, () => {
    for (const problem of lostPlans(ws, board, names)) {
      step.emit({ event: 'problem', problem });
    }
  });
}

function orFault({ emit }: Following, follow: () => void): void {
  try {
    follow();
  } catch (error) {
    emit(faultEvent(undefined, error));
  }
}

function followPlan(step: Following, plan: string, is_end: boolean): void {
  const { ws, emit } = step;
  const file = planFileOf(ws, plan);
  if (!inside(ws.disk, ws.layout.root, file).ok) return;
  const read = readPlan(ws, plan);
  if (!read.ok) {
    if (is_end) reportUnread(step, plan, read.problems);
    return;
  }
  const { document, text } = read.value;
  const standing = standingIn(ws, plan, document, (id) => stateOf(step, id));
  if (is_end) keepWaves(ws, plan, document, standing, step.moved);
  reportRenamed(step, plan, document, standing);
  const path = planPath(ws, plan);
  const written_ms = ws.disk.stat(path)?.mtime_ms ?? 0;
  const marks = boxesToMark(document, standing);
  if (marks.length === 0) return;
  keepStoriesOf(ws, marks);
  const edited = markBoxes(text, marks);
  if (putIfUnchanged(ws.putting, path, sha256(text), bytesOf(edited)) !== 'put') return;
  const known = {
    left: (id: string, was: BoxMeaning) => isLeftBehind(step, id, was, written_ms),
    approved: (id: string) => wasApproved(step, id),
  };
  for (const one of marks) {
    const words = wordsOfMark(one, known);
    if (words === undefined) continue;
    const { box, now, of, tasks } = one;
    const [task] = of === 'group' ? [] : tasks;
    emit({
      event: 'box',
      plan,
      file,
      line: box.line,
      was: box.meaning,
      now,
      ...(task === undefined ? {} : { task: task.id }),
      ...words,
    });
    for (const { id, state } of closedTasks(one)) {
      // Its agent may have ticked it, and failed after that.
      const begun = isState(state) && highestAttempt(ws.disk, taskFolder(ws.layout, state, id)) > 0;
      if (!begun)
        step.held.set(id, wait('held', HOLD_WORDS.box_closed(id, BOX_MARKS[box.meaning])));
    }
  }
}

/** Before the boxes are written, so that the next step repeats it after a crash. */
function keepStoriesOf(ws: Workspace, marks: readonly BoxToMark[]): void {
  for (const { box, now, of, tasks } of marks) {
    if (of !== 'task' || !(isClosed(now) || isClosed(box.meaning))) continue;
    for (const { id } of tasks) keepStory(ws, id);
  }
}

/**
 * Whether a move explains the old mark of a box: by this step, or by hand since the plan was written. Such
 * a move changes ctime and not mtime.
 */
function isLeftBehind(
  { ws, board, moved }: Following,
  id: string,
  was: BoxMeaning,
  written_ms: number,
): boolean {
  if (moved.has(id)) return was === 'open' || was === 'working' || !board.tasks.has(id);
  const [state] = locate(ws.disk, ws.layout, id);
  const found = state && ws.disk.stat(taskFolder(ws.layout, state, id));
  if (found === undefined) return false;
  return found.ctime_ms >= written_ms && found.ctime_ms > found.mtime_ms;
}

/** Only where an item has no task; `plan check` reports tasks that merely lost their item. */
function reportRenamed(
  { ws, board, moved, renamed, emit }: Following,
  plan: string,
  { items }: PlanDocument,
  standing: Standing,
): void {
  if (renamed.has(plan)) return;
  renamed.add(plan);
  const tasks = items.filter(({ kind }) => kind === 'task');
  const isNew = (item: PlanItem): boolean =>
    (item.box.meaning === 'open' || item.box.meaning === 'working') &&
    standing(item).every(({ state }) => state === 'unknown');
  const unmade = tasks.filter(isNew);
  if (unmade.length === 0) return;
  const owned = new Set([...moved, ...tasks.flatMap((item) => standing(item).map(({ id }) => id))]);
  const orphans = orphansAmong(plan, board.tasks.values(), owned);
  for (const problem of renamedItems({ name: plan, file: planFileOf(ws, plan) }, unmade, orphans)) {
    emit({ event: 'problem', problem });
  }
}

/** Only where a task waits for it: a plan that is being written may be incomplete. */
function reportUnread(
  { board, emit }: Following,
  plan: string,
  problems: readonly Problem[],
): void {
  const live = [...board.tasks.values()].some((task) => planOf(task) === plan);
  const [first] = problems;
  if (live && first !== undefined) emit({ event: 'problem', problem: first });
}

function wasApproved({ ws, board }: Following, id: string): boolean {
  const live = board.tasks.get(id);
  const attempts =
    live?.attempts ?? readAttempts(ws, taskFolder(ws.layout, 'done', id), id).attempts;
  return attempts.some((one) => !one.lost && one.outcome?.outcome === 'approved');
}

/**
 * The board's state, if the task is still there: another step, another runner or a person may have moved
 * it. One that is missed while it moves counts as missing, and its box waits for the next step.
 */
function stateOf({ ws, board, moved }: Following, id: string): ItemStanding['state'] {
  const known = board.tasks.get(id)?.state ?? board.doubles.get(id)?.[0];
  const isThere =
    known !== undefined && ws.disk.stat(taskFolder(ws.layout, known, id))?.kind === 'folder';
  if (moved.has(id) || (known !== undefined && !isThere)) return stateNow(ws, id);
  if (known !== undefined || board.faults.has(id)) return known ?? 'archived';
  return endedIn(ws, id) ?? archivedState(ws, id);
}
