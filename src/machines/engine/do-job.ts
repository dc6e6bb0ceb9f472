/**
 * One job on the machine of a worker: its tree and its desk are made in a folder of their own, the agent is called
 * there as any agent of this machine, with the permissions of the job, and what it left is packed. Judges nothing.
 */
import { join } from 'node:path';
import { roleOf } from '../../agents/engine/roles.ts';
import { ownerRecord } from '../../engine/attempt/claim.ts';
import { callAtDesk, type Called } from '../../engine/call/call.ts';
import { callAt } from '../../engine/call/desk.ts';
import { prepareTree } from '../../engine/work/prepare-tree.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { makeAll, writeIn } from '../../process/own-folder.ts';
import { folderMark, realBelow, textOf } from '../../process/path-kind.ts';
import { willConfine } from '../../sandbox/engine/confine.ts';
import { homeOf } from '../../task/core/attempts/open-attempt.ts';
import { attemptName } from '../../task/core/attempts/record.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { attemptFolder, deskFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import { readTask, wholeTask } from '../../workspace/tasks/read-task.ts';
import type { Git } from '../../worktrees/engine/git.ts';
import { filesInLinks } from '../../worktrees/engine/committed.ts';
import { ownRepository } from '../../worktrees/engine/settle-attempt.ts';
import { treeOfFiles } from '../../worktrees/engine/write-tree.ts';
import { Refusal, type Answer, type Job } from '../core/job.ts';
import type { Carrier } from './carrier.ts';
import { filesOf, putFiles } from './desk-files.ts';
import { checkOut, makeStore, sameCommit } from './pack.ts';

export interface Doing {
  /** Settings and programs of the worker. */
  readonly ws: Workspace;
  readonly job: Job;
  /** In a folder that is empty, and of this job alone. */
  readonly places: Places;
  readonly carrier: Carrier;
  readonly machine: string;
  readonly signal: AbortSignal;
  /** Gets each event of the client. */
  readonly heard: (event: AgentProgress) => void;
}

/** An answer without the events of its call. */
type Done = Omit<Answer, 'lines'>;

type Places = ReturnType<typeof placesOf>;

/** Files that the owner put on the desk and does not need back. */
const GIVEN = ['brief.md', 'contract.md', 'previous', 'exit.md', 'acp.json'];

export function placesOf(folder: string, { prefix, order }: Job) {
  const tree = join(folder, 'tree');
  const layout = { root: join(tree, prefix), tasks: join(folder, 'tasks') };
  const desk = deskFolder(layout, order.task, order.attempt);
  return { tree, layout, desk, store: join(folder, 'store') };
}

export async function doJob(doing: Doing): Promise<Done> {
  const { job, places, heard } = doing;
  const { order, base } = job;
  const { tree, layout, desk } = places;
  const agents = await makeTree(doing);
  const own = makeStore(doing.ws, places.store, tree, agents);
  // As it was opened, but for its place: settings and programs are those of the worker.
  const opened = folderMark(layout.root);
  const ws = { ...doing.ws, layout, opened, capabilities: [], readers: new Map() };
  const { running, contract } = makeTask(doing, ws);
  const admin = agents.place.git_dir;
  const at = { folder: tree, usable: true, branch: 'main', base: base.commit, files: [] };
  const worktree = { git: agents, admin, ...at };
  await prepareTree(running, { root: layout.root, isolation: 'worktree', worktree });
  const role = roleOf(ws, order.agent);
  const folder = taskFolder(layout, homeOf(order), order.task);
  const { timeout_ms, stall_ms, permissions, model, documents } = order;
  const called = await callAtDesk(
    running,
    contract,
    { role, folder, timeout_ms, stall_ms, heard },
    {
      ...callAt(running, role, desk),
      root: layout.root,
      brief: textOf(join(desk, 'brief.md')),
      steps: [],
      ...given({ model, documents }),
      instructions: '',
      permissions,
      sandboxed: willConfine(ws, contract),
    },
  );
  return packed(doing, ws, own, called);
}

/** The tree with a repository for the agent. */
async function makeTree({ ws, job, places, carrier }: Doing): Promise<Git> {
  const { tree, layout } = places;
  const { commit } = job.base;
  makeAll(tree);
  const agents = makeStore(ws, join(tree, '.git'), tree, commit);
  await carrier.fetch(agents, job.base);
  checkOut(agents, commit);
  agents.out(['update-ref', 'refs/heads/main', commit]);
  // Its sandbox would let the agent write wherever a link leads.
  if (realBelow(layout.root) !== join(realBelow(tree), job.prefix))
    throw new Refusal(`its workspace ${job.prefix} leads out of its tree`);
  makeAll(layout.root);
  return agents;
}

/** The task as a claimed attempt, so that all that watches an agent finds it where it is on any machine. */
function makeTask({ job, places, signal }: Doing, ws: Workspace) {
  const { task: id, attempt: number, kind, agent } = job.order;
  const { layout, desk } = places;
  const state = homeOf(job.order);
  const home = taskFolder(layout, state, id);
  makeAll(desk);
  putFiles(ws, desk, job.desk);
  writeIn(join(desk, 'brief.md'), moved(textOf(join(desk, 'brief.md')), job, places));
  makeAll(home);
  writeIn(join(home, 'contract.md'), textOf(join(desk, 'contract.md')));
  const read = readTask(ws, state, id);
  if (read === undefined) throw new Refusal('its task cannot be made here');
  if (!read.contract.ok) throw new Refusal('its contract cannot be read');
  const { value: contract } = read.contract;
  const task = wholeTask(ws, read);
  const action = { work: kind, attempt: number, owner: 'process', recovers: false } as const;
  const owner = ownerRecord(ws, task, action, agent, undefined);
  const owner_bytes = bytesOf(renderRecord(owner, ''));
  makeAll(attemptFolder(home, number));
  writeIn(join(attemptFolder(home, number), 'owner.md'), owner_bytes);
  const attempt = { id, number, kind, owner, owner_bytes, task, contract, recovers: false };
  const running: Running = { ws, emit: () => undefined, signal, ...attempt };
  return { running, contract: asStrict(contract, job) };
}

/** The brief names places of the owner's machine. */
function moved(brief: string, { paths }: Job, { layout, desk }: Places): string {
  return brief
    .replaceAll(paths.desk, () => desk)
    .replaceAll(paths.root, () => layout.root)
    .replaceAll(paths.workspace, () => layout.root);
}

/** Never looser than the owner asks, nor than this machine's own settings. */
function asStrict(contract: Contract, { order: { sandbox, closed } }: Job): Contract {
  const head = { ...contract.head, sandbox, ...(closed && { network: 'none' as const }) };
  return { ...contract, head };
}

async function packed(doing: Doing, ws: Workspace, git: Git, called: Called): Promise<Done> {
  const { job, places, machine, heard, carrier } = doing;
  const { base, order, token, workspace } = job;
  const { task, attempt } = order;
  const { ending, enforced, report } = called;
  // From the log of its hook: no line of the client shows them.
  for (const words of report.denied) {
    const [tool = '', ...why] = words.split(': ');
    heard({ kind: 'denied', tool, why: why.join(': ') });
  }
  const place = { git, admin: git.place.git_dir };
  const { tree, ...lost } = treeOfFiles(ws, place, base.commit);
  mustHold(order, [
    ...lost.untaken,
    ...lost.nested.map(ownRepository),
    ...lost.forbidden,
    ...filesInLinks(ws, place, lost.links),
  ]);
  const left = tree === git.treeOf(base.commit) ? undefined : tree;
  const commit = left && sameCommit(git, left, base.commit);
  const branch = `heads/contracts/${task}/${attemptName(attempt)}.${token.slice(0, 8)}`;
  return {
    v: 1,
    workspace,
    task,
    attempt,
    token,
    machine,
    enforced: enforced.filter((one) => one !== 'brief'),
    ending: { ...ending, reason: ending.reason as Answer['ending']['reason'] },
    desk: filesOf(ws.disk, places.desk, GIVEN),
    ...(commit && { change: await carrier.send(git, commit, branch, base.commit) }),
  };
}

/** Files that no commit can have would be lost with this tree. */
function mustHold({ kind }: Job['order'], lost: readonly string[]): void {
  if (kind === 'work' && lost.length > 0)
    throw new Refusal(`no commit can have these files of its agent: ${lost.join('; ')}`);
}
