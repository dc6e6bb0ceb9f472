/** The points where agents are called: verbs that call none do not load them. */
import type { CallPoints, FilesBefore } from '../../../workspace/tasks/capability.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { PLAN_FILE, planToWrite } from './plan-facts.ts';
import { followStep } from './follow-step.ts';
import { briefOfPlan } from '../records/handoff.ts';
import { remindOfStory } from '../records/stories.ts';
import { resolveStories } from '../records/resolve-stories.ts';
import { epicsOfPlans } from '../records/epics.ts';
import { noteLearnings, leadsToNotepad } from '../records/notepad.ts';
import { draftStories } from '../records/draft-stories.ts';
import { basename, dirname, join } from 'node:path';
import { boxesToMark, type BoxToMark } from '../../core/box-projection.ts';
import { isTaskId } from '../../../task/core/model/id.ts';
import { SETTINGS } from '../../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../../task/store/disk/put.ts';
import { bytesAt, entriesOf } from '../../../task/store/snapshots/folder-snapshot.ts';
import { decodeText } from '../../../task/text/yaml/front-matter.ts';
import { markBoxes } from '../../text/boxes.ts';
import { parsePlan } from '../../text/plan.ts';
import { liveTask, standingIn } from '../records/live-task.ts';
import { endedWaves, isReport } from '../records/run-reports.ts';
import { readPlan } from '../start/find-plans.ts';
import { leadsToStory } from '../records/story-updates.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { KEPT_BYTES_MAX } from '../../../permissions/engine/audit/snapshot.ts';

export const calls: CallPoints = {
  brief: briefOfPlan,
  check: async (ws, { root, contract, path }) =>
    (await import('../start/check-plan.ts')).invalidPlan(ws, root, contract, path),
  // No notes for other plans.
  documents: (ws, id, contract) => {
    const { type } = contract.head;
    const written = planToWrite(ws, contract);
    const plan = written ?? contract.head.plan;
    if (plan === undefined || !PLAN_NAME.test(plan)) return undefined;
    const folder = `plans/${plan}`;
    const stories = `${folder}/stories`;
    const own = written === undefined ? [] : [`${folder}/${PLAN_FILE}`];
    const shown = [`${folder}/notepad.md`, `${stories}/${id}.md`, ...own];
    return { folder, shown, ...(type === 'story' ? { others: stories } : {}) };
  },
  expected_write: isRunners,
  handed_over: resolveStories,
  on_done: (running, folder) => {
    noteLearnings(running, folder);
    draftStories(running, folder);
  },
  remind: remindOfStory,
  follow: followStep,
  ledger: epicsOfPlans,
};

const OF_PLAN = new RegExp(`^${SETTINGS.replace('.', '\\.')}/plans/([^/]+)/(.+)$`);

/**
 * True if a runner wrote a file below the plans. Nothing is recorded for it: the files are projections of tasks, so
 * the tasks tell. `path` is relative to the workspace, and exists. Only where the earlier content was kept.
 */
export function isRunners(ws: Workspace, before: FilesBefore, path: string): boolean {
  if (!OF_PLAN.test(path)) return false;
  const now = bytesOf(ws, path);
  if (basename(path).startsWith(TEMPORARY)) {
    return now === undefined || isTorn(ws, before, path, now);
  }
  const was = before.bytes(path);
  if (now === undefined || before.has(path) !== (was !== undefined)) return false;
  return isRunnersWrite(ws, path, was, now);
}

function bytesOf(ws: Workspace, path: string): Uint8Array | undefined {
  const full = join(ws.layout.root, path);
  return ws.disk.stat(full) === undefined ? undefined : bytesAt(ws.disk, full, KEPT_BYTES_MAX);
}

/** A temporary file of a runner that was killed begins like one of the files beside it. */
function isTorn(ws: Workspace, before: FilesBefore, path: string, now: Uint8Array): boolean {
  const folder = dirname(path);
  return entriesOf(ws.disk, join(ws.layout.root, folder)).some(({ name, kind }) => {
    if (kind !== 'file' || name.startsWith(TEMPORARY)) return false;
    const beside = `${folder}/${name}`;
    const bytes = bytesOf(ws, beside);
    const begun = bytes !== undefined && Buffer.from(bytes).subarray(0, now.length).equals(now);
    return begun || isRunnersWrite(ws, beside, before.bytes(beside), now);
  });
}

/** `before`: undefined where there was no file. */
function isRunnersWrite(
  ws: Workspace,
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
): boolean {
  const [, plan, name] = OF_PLAN.exec(path) ?? [];
  if (plan === undefined || name === undefined || !PLAN_NAME.test(plan)) return false;
  const was = before === undefined ? undefined : decodeText(before, path);
  const now = decodeText(after, path);
  if (!now.ok || was?.ok === false || was?.value === now.value) return false;
  const [from, to] = [was?.value, now.value];
  if (name === PLAN_FILE) return from !== undefined && leadsToBoxes(ws, plan, from, to);
  if (name === 'notepad.md') return leadsToNotepad(ws, plan, from ?? '', to);
  const [folder, file = '', ...deeper] = name.split('/');
  if (deeper.length > 0) return false;
  if (folder === 'stories') {
    const id = file.replace(/\.md$/, '');
    return file.endsWith('.md') && isTaskId(id) && leadsToStory(ws, id, from, to);
  }
  if (folder !== 'runs' || from !== undefined) return false;
  return isReport(ws, plan, file, to, () => wavesOf(ws, plan));
}

/** Both texts lead to the same boxes, and no box claims a done that never was. */
function leadsToBoxes(ws: Workspace, plan: string, from: string, to: string): boolean {
  const [was, now] = [marked(ws, plan, from), marked(ws, plan, to)];
  if (was === undefined || now === undefined || was.text !== now.text) return false;
  return now.marks
    .filter(({ box: { offset } }) => from[offset] !== to[offset])
    .every((one) => wasSo(ws, one));
}

function marked(ws: Workspace, plan: string, text: string) {
  const read = parsePlan(text, PLAN_FILE);
  if (!read.ok) return undefined;
  const marks = boxesToMark(read.value, standingIn(ws, plan, read.value));
  return { text: markBoxes(text, marks), marks };
}

/** True for a box that is not up to date. */
function wasSo(ws: Workspace, { box: { meaning }, tasks }: BoxToMark): boolean {
  if (meaning === 'open' || meaning === 'working') return true;
  return meaning === 'done' && tasks.length > 0 && tasks.every(({ id }) => wasApproved(ws, id));
}

function wasApproved(ws: Workspace, id: string): boolean {
  const attempts = liveTask(ws, id)?.attempts ?? [];
  return attempts.some(({ outcome }) => outcome?.outcome === 'approved');
}

function wavesOf(ws: Workspace, plan: string): ReturnType<typeof endedWaves> {
  const read = readPlan(ws, plan);
  if (!read.ok) return [];
  const { document } = read.value;
  return endedWaves(ws, plan, document, standingIn(ws, plan, document));
}
