/**
 * One job on the machine of a worker: its tree and its desk are made in a folder of their own, the agent is called
 * there as any agent of this machine, with the permissions of the job, and what it left is packed. Judges nothing.
 */
import { join } from 'node:path';
import { roleOf, type Role } from '../../agents/engine/roles.ts';
import { callAtDesk, type Called } from '../../engine/call/call.ts';
import { clientProgram } from '../../engine/call/desk.ts';
import { ownerRecord } from '../../engine/attempt/claim.ts';
import { prepareTree } from '../../engine/work/prepare-tree.ts';
import { namesFor, type Adapter, type AgentProgress } from '../../process/adapter.ts';
import { makeAll, writeIn } from '../../process/own-folder.ts';
import { folderMark, realBelow } from '../../process/path-kind.ts';
import { willConfine } from '../../sandbox/engine/confine.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { attemptName } from '../../task/core/attempts/record.ts';
import { homeOf } from '../../task/core/attempts/open-attempt.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { attemptFolder, deskFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { runningOf, type Emit, type Running } from '../../workspace/tasks/attempt-context.ts';
import { readTask, wholeTask } from '../../workspace/tasks/read-task.ts';
import { treeOfFiles } from '../../worktrees/engine/write-tree.ts';
import type { Answer, Job } from '../core/job.ts';
import { Refusal } from '../core/job.ts';
import { filesOf, putFiles } from './desk-files.ts';
import type { Carrier } from './carrier.ts';
import { checkOut, makeStore } from './pack.ts';
import { sameCommit, type Store } from './pack.ts';

export interface Doing {
  /** Settings and programs of the worker. */
  readonly ws: Workspace;
  readonly job: Job;
  /** Empty, and of this job alone. */
  readonly folder: string;
  readonly carrier: Carrier;
  readonly machine: string;
  readonly signal: AbortSignal;
  /** Gets each event of the client. */
  readonly heard: (event: AgentProgress) => void;
  readonly emit: Emit;
}

/** Files that the owner put on the desk and does not need back. */
const GIVEN = ['brief.md', 'contract.md', 'previous', 'exit.md', 'acp.json'];

/** The folders of one job. */
function placesOf({ folder, job }: Pick<Doing, 'folder' | 'job'>) {
  const tree = join(folder, 'tree');
  const layout = { root: join(tree, job.prefix), tasks: join(folder, 'tasks') };
  const { task, attempt } = job.order;
  return { tree, layout, desk: deskFolder(layout, task, attempt) };
}

/** The file in which the agent of a job writes its status. */
export function statusOf(doing: Pick<Doing, 'folder' | 'job'>): string {
  return join(placesOf(doing).desk, 'status.md');
}

export async function doJob(doing: Doing): Promise<Omit<Answer, 'lines'>> {
  const { job } = doing;
  const { order, base } = job;
  const { layout, tree } = placesOf(doing);
  const { agents, own } = await makeTree(doing);
  // As it was opened, but for its place: settings and programs are those of the worker.
  const ws = {
    ...doing.ws,
    layout,
    opened: folderMark(layout.root),
    capabilities: [],
    readers: new Map(),
  };
  const running = makeTask({ ...doing, ws });
  const contract = contractFor(running, job);
  const worktree = {
    ...agents,
    folder: tree,
    usable: true,
    branch: 'main',
    base: base.commit,
    files: [],
  };
  await prepareTree(running, { root: layout.root, isolation: 'worktree', worktree });
  const { timeout_ms, stall_ms } = order;
  const folder = taskFolder(layout, homeOf(order.kind), order.task);
  const role = heardRole(roleOf(ws, order.agent), doing.heard);
  const options = { role, folder, timeout_ms, stall_ms };
  const called = await callAtDesk(running, contract, options, callFor(running, contract, doing));
  return packed(doing, ws, own, called);
}

/** The tree with a repository for the agent, and a store of ours that looks into it. */
async function makeTree(doing: Doing) {
  const { ws, folder, job } = doing;
  const { tree, layout } = placesOf(doing);
  makeAll(tree);
  const agents = makeStore(ws, join(tree, '.git'), tree, job.base.commit);
  await doing.carrier.fetch(agents, job.base);
  checkOut(agents, job.base.commit);
  agents.git.out(['update-ref', 'refs/heads/main', job.base.commit]);
  // Its sandbox would let the agent write wherever a link leads.
  if (realBelow(layout.root) !== join(realBelow(tree), job.prefix))
    throw new Refusal(`its workspace ${job.prefix} leads out of its tree`);
  makeAll(layout.root);
  return { agents, own: makeStore(ws, join(folder, 'store'), tree, agents.git) };
}

/** The task as a claimed attempt, so that all that watches an agent finds it where it is on any machine. */
function makeTask({ ws, job, folder, signal, emit }: Doing): Running {
  const { task: id, attempt, kind } = job.order;
  const { desk, layout } = placesOf({ folder, job });
  const state = homeOf(kind);
  const home = taskFolder(layout, state, id);
  makeAll(desk);
  putFiles(ws, desk, job.desk);
  const brief = moved(ws.disk.read(join(desk, 'brief.md'), 16 * 1024 * 1024), job, {
    layout,
    desk,
  });
  writeIn(join(desk, 'brief.md'), brief);
  makeAll(attemptFolder(home, attempt));
  const contract = ws.disk.read(join(desk, 'contract.md'), 1024 * 1024);
  writeIn(join(home, 'contract.md'), contract);
  const task = readTask(ws, state, id);
  if (task === undefined) throw new Refusal('its task cannot be made here');
  const action = { work: kind, attempt, owner: 'process', recovers: false } as const;
  const owner = ownerRecord(ws, wholeTask(ws, task), action, job.order.agent, undefined);
  writeIn(join(attemptFolder(home, attempt), 'owner.md'), renderRecord(owner, ''));
  const read = readTask(ws, state, id);
  const running = read && runningOf({ ws, emit, signal }, read, attempt);
  if (running === undefined) throw new Refusal('its task cannot be made here');
  return running;
}

/** The brief names places of the owner's machine. */
function moved(
  bytes: Uint8Array,
  { paths }: Job,
  { layout, desk }: Pick<ReturnType<typeof placesOf>, 'layout' | 'desk'>,
): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(paths.desk, () => desk)
    .replaceAll(paths.root, () => layout.root)
    .replaceAll(paths.workspace, () => layout.root);
}

/** Never looser than the owner asks, nor than this machine's own settings. */
function contractFor({ contract }: Running, { order }: Job): Contract {
  if (contract === undefined) throw new Refusal('its contract cannot be read');
  const { sandbox, closed } = order;
  const head = { ...contract.head, sandbox, ...(closed && { network: 'none' as const }) };
  return { ...contract, head };
}

/** Each line that its client prints is heard as well. */
function heardRole(role: Role, heard: Doing['heard']): Role {
  const tap = (one: Adapter): Adapter => ({
    ...one,
    read: (line) => {
      const all = one.read(line);
      for (const event of all) heard(event);
      return all;
    },
  });
  const { name, definition, settings, adapter_name, named, adapter } = role;
  const { load } = adapter ?? {};
  const tapped = adapter && {
    ...tap(adapter),
    ...(load && { load: async () => tap(await load()) }),
  };
  return { name, definition, settings, adapter_name, named, adapter: tapped };
}

function callFor(running: Running, contract: Contract, doing: Doing) {
  const { ws, id, number, kind } = running;
  const { order } = doing.job;
  const { desk, layout } = placesOf(doing);
  const { adapter } = roleOf(ws, order.agent);
  const brief_file = join(desk, 'brief.md');
  return {
    task: id,
    attempt: number,
    kind,
    agent: order.agent,
    root: layout.root,
    workspace: layout.root,
    desk,
    brief_file,
    contract_file: join(desk, 'contract.md'),
    brief: Buffer.from(ws.disk.read(brief_file, 16 * 1024 * 1024)).toString('utf8'),
    steps: [],
    ...given({ model: order.model, found: clientProgram(ws, adapter), documents: order.documents }),
    state_dirs: [],
    extra_dirs: [desk],
    instructions: '',
    permissions: order.permissions,
    permission: kind === 'review' ? ('read_only' as const) : ('accept_edits' as const),
    env_names: namesFor(adapter ?? {}, ws.env),
    interactive: false,
    sandboxed: willConfine(ws, contract),
  };
}

async function packed(
  doing: Doing,
  ws: Workspace,
  own: Store,
  { ending, enforced, report }: Called,
): Promise<Omit<Answer, 'lines'>> {
  const { job, machine, heard, carrier } = doing;
  const { base, order, token, workspace } = job;
  const { task, attempt } = order;
  // From the log of its hook: no line of the client shows them.
  for (const words of report.denied) {
    const [tool = '', ...why] = words.split(': ');
    heard({ kind: 'denied', tool, why: why.join(': ') });
  }
  const { tree } = treeOfFiles(ws, own, base.commit);
  const left = tree === own.git.treeOf(base.commit) ? undefined : tree;
  const commit = left && sameCommit(own.git, left, base.commit);
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
    desk: filesOf(ws.disk, placesOf(doing).desk, GIVEN),
    ...(commit && { change: await carrier.send(own.git, commit, branch, base.commit) }),
  };
}
