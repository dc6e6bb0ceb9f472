/**
 * What a plan says about its tasks as long as they are not claimed: that it is paused, that they are
 * worked on one at a time. Looked up when it is asked for, of that plan alone; each answer is the
 * disk's, so that whoever recorded what a look asked for sees it change.
 */
import type { Contract } from '../../../task/core/model/contract.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { problem, type Problem } from '../../../task/core/model/problem.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { planFolder, shown } from '../../../task/store/tasks/layout.ts';
import { inside } from '../../../task/store/tasks/tasks.ts';
import { saysOneAtATime } from '../../text/sequential.ts';
import { keptDesk } from '../../../workspace/tasks/read-attempts.ts';
import { readBytes, readText } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export const PLAN_FILE = 'plan.md';

export function planPath({ layout }: Pick<Workspace, 'layout'>, plan: string): string {
  return `${planFolder(layout, plan)}/${PLAN_FILE}`;
}

/** Of the file that pauses it. What it says is for people. */
export function pausedPath({ layout }: Workspace, plan: string): string {
  return `${planFolder(layout, plan)}/PAUSED`;
}

export function isPaused(ws: Workspace, plan: string): boolean {
  return PLAN_NAME.test(plan) && ws.disk.stat(pausedPath(ws, plan)) !== undefined;
}

/** Paused, and its plan.md may be gone: what waits for it goes on all the same. */
export function leftPaused(ws: Workspace, typed: string | undefined): string | undefined {
  const name = typed?.replace(/^(?:\.\/)?\.contracts\/plans\//, '').replace(/\/$/, '');
  return name !== undefined && isPaused(ws, name) ? name : undefined;
}

export function isOneAtATime(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  const path = planPath(ws, plan);
  if (ws.disk.stat(path) === undefined) return false;
  const read = readText(ws.disk, path, shown(ws.layout, path), { single_link: false });
  return read.ok && saysOneAtATime(read.value);
}

/** The plan.md that a contract of `plan new` is to make, relative to the workspace. */
export function requestedPlan(
  { layout }: Pick<Workspace, 'layout'>,
  { head: { plan, workflow, deliverables } }: Contract,
): string | undefined {
  if (workflow !== 'plan' || plan === undefined || !PLAN_NAME.test(plan)) return undefined;
  const file = shown(layout, planPath({ layout }, plan));
  return deliverables.includes(file) ? file : undefined;
}

/** Where on its desk an agent hands in its deliverables. */
export const ON_DESK = 'deliverables';

/** The task of a request: `folder` is where it stands. */
interface Request {
  readonly id: string;
  readonly contract: Contract;
  readonly folder: string;
  readonly attempts: readonly Attempt[];
}

/**
 * The hashes that a requested plan.md may have to be written over: of what the attempts made, which is
 * kept on their desks. undefined where it was handed in, and what it was then is not known.
 */
export function madeByAttempts(
  ws: Workspace,
  file: string,
  { folder, attempts }: Pick<Request, 'folder' | 'attempts'>,
): ReadonlySet<string> | undefined {
  const work = attempts.filter(({ kind }) => kind === 'work');
  const made = work.flatMap((attempt) => {
    const found = inside(ws.disk, `${keptDesk(folder, attempt)}/${ON_DESK}`, file);
    const read = found.ok ? readBytes(ws.disk, found.path, file) : undefined;
    return read?.ok === true ? [sha256(read.value)] : [];
  });
  const done = work.some(({ lost, outcome }) => !lost && outcome?.outcome === 'complete');
  return done && made.length === 0 ? undefined : new Set(made);
}

/** One that is there, and is not what an attempt made: a person's, and nothing is written over it. */
export function writtenByHand(ws: Workspace, request: Request): Problem | undefined {
  const { id, contract } = request;
  const file = requestedPlan(ws, contract);
  const path = `${ws.layout.root}/${file}`;
  if (file === undefined || ws.disk.stat(path) === undefined) return undefined;
  const made = madeByAttempts(ws, file, request);
  if (made === undefined) return undefined;
  const there = readBytes(ws.disk, path, file, { single_link: false });
  if (there.ok && made.has(sha256(there.value))) return undefined;
  const fix = `To keep it: contracts abort ${id}, then contracts plan start ${contract.head.plan}; to have it written by ${contract.head.agent ?? 'its agent'}: move it away`;
  const how =
    made.size === 0 ? 'was written by hand meanwhile' : 'was changed since it was handed in';
  return problem({
    code: 'bad_value',
    file,
    message: `the plan ${how}, and is not written over`,
    fix,
  });
}
