/**
 * One call of an agent behind its gate (PROTOCOL steps 3 to 5): the desk, the process, the durable
 * agent.md, the open gate, the watch while it runs. Knows what was started and how it ended; judges
 * nothing.
 */
import { dirname, join } from 'node:path';
import {
  agentEnvironment,
  secretValues,
  type Adapter,
  type AgentCall,
} from '../../agent/adapter.ts';
import type { Exit, Gated } from '../../agent/process-room.ts';
import type { Authority } from '../../core/authority.ts';
import type { Contract } from '../../core/contract.ts';
import type { Ending } from '../../core/judge.ts';
import type { Heard } from '../../core/heard.ts';
import { modelChain, modelFor } from '../../core/models.ts';
import { Fault } from '../../core/problem.ts';
import type { Reach } from '../../core/reach.ts';
import type { AgentRecord } from '../../core/record.ts';
import { attemptFolder, deskFolder, desksFolder, shown } from '../../store/layout.ts';
import { put } from '../../store/put.ts';
import { errorCode } from '../../store/disk.ts';
import { renderRecord } from '../../text/record.ts';
import { confine, willConfine } from '../confine.ts';
import type { Ground } from '../worktree/ground.ts';
import { renderBrief } from './brief.ts';
import { earlierFiles, firstStatus } from './current-files.ts';
import type { Role } from '../roles.ts';
import { hookPlugin, hookProgram, readHookLog, withDenied } from './hooked.ts';
import { atPlace, bytesOf, findPlace, type Running } from './running.ts';
import { watchOver, type Watch } from './watch-over.ts';

export interface CallOptions {
  readonly role: Role;
  readonly folder: string;
  readonly ground: Ground;
  readonly authority: Authority;
  readonly timeout_ms: number;
  readonly session: string | undefined;
  /** More files for the desk: the result that a reviewer judges. */
  readonly given: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** A sandbox will be around it. */
  readonly sandboxed?: boolean;
  /** The desk was begun by a process that died; nobody works there yet. */
  readonly cut_short?: boolean;
}

export interface Called {
  readonly ending: Ending;
  readonly seconds: number;
  /** What its client told; nothing of a program that is no client. */
  readonly heard: Heard;
  /** What its sandbox let it write; undefined where there was none. */
  readonly reach?: Reach | undefined;
  /** The model that it was called with, where one was named. */
  readonly model: string | undefined;
  readonly left_behind: number;
  /** Which enforcements of authority were in force while it ran. */
  readonly enforced: readonly string[];
  /** What that means for this call, in sentences. */
  readonly words: readonly string[];
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
export const GRACE_MS = 5_000;

/** Makes the desk: `active_tasks/.desk/<id>.<NNNN>/`, at a path that no move of the task changes. */
export function makeDesk(running: Running, contract: Contract, options: CallOptions): AgentCall {
  const { ws, id, number, kind } = running;
  const desk = deskFolder(ws.layout, id, number);
  makeFolder(running, desksFolder(ws.layout));
  // Numbers are never used twice: what stands there already was not put there by a runner.
  if (options.cut_short !== true && ws.disk.stat(desk) !== undefined) {
    throw new Fault(`${shown(ws.layout, desk)} is there before its attempt`, {
      fix: 'Move it away; the next step takes a new desk',
    });
  }
  makeFolder(running, desk);
  const write = (name: string, bytes: Uint8Array): void => {
    put(ws.putting, `${desk}/${name}`, bytes, { durable: false });
  };
  const earlier = earlierFiles(running, options.folder);
  const brief = renderBrief(running, contract, {
    kind,
    role: options.role,
    authority: options.authority,
    folder: options.folder,
    previous: earlier.length > 0,
    root: options.ground.root,
    shared_sandbox: options.sandboxed === true && options.ground.isolation === 'shared',
    conflict: options.ground.conflict,
  });
  write('contract.md', ws.disk.read(`${options.folder}/contract.md`, 1024 * 1024));
  if (kind === 'work') {
    write('status.md', bytesOf(firstStatus(running, ws.machine.now().toISOString())));
  }
  if (earlier.length > 0) {
    makeFolder(running, `${desk}/previous`);
    for (const file of earlier) write(join('previous', file.name), file.bytes);
  }
  for (const file of options.given) write(file.name, file.bytes);
  // The last one: where it lies, the desk is whole.
  write('brief.md', bytesOf(brief));
  const model = modelOf(running, contract, options.role);
  return {
    task: id,
    attempt: number,
    kind,
    agent: options.role.name,
    root: options.ground.root,
    workspace: ws.layout.root,
    desk,
    brief_file: `${desk}/brief.md`,
    contract_file: `${desk}/contract.md`,
    brief,
    steps: contract.steps,
    ...(model === undefined ? {} : { model }),
    ...(options.session === undefined ? {} : { session: options.session }),
    state_dirs: [],
    extra_dirs: [desk],
    instructions: options.role.definition?.instructions ?? '',
    authority: options.authority,
    permission: kind === 'review' ? 'read_only' : 'accept_edits',
    env_names: options.role.adapter?.env_names ?? [],
    interactive: false,
  };
}

/** The contract's own model is the executor's: who judges the work has one of his own. */
function modelOf(running: Running, contract: Contract, role: Role): string | undefined {
  const { kind, task, ws } = running;
  const about = kind === 'work' ? contract : undefined;
  const chain = modelChain(about, role.named, ws.config, role.adapter_name);
  return modelFor(chain, task.attempts, { kind, agent: role.name, resolved: task.has.blocked });
}

function makeWithParents(running: Running, folder: string): void {
  if (running.ws.disk.stat(folder) !== undefined) return;
  makeWithParents(running, dirname(folder));
  makeFolder(running, folder);
}

function makeFolder(running: Running, folder: string): void {
  if (running.ws.disk.stat(folder) !== undefined) return;
  try {
    running.ws.disk.mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Calls the agent and waits for its end. Throws a Fault when it could not be started at all. */
export async function callAgent(
  running: Running,
  contract: Contract,
  options: CallOptions,
): Promise<Called> {
  const { ws, id, number, kind, emit } = running;
  const adapter = options.role.adapter;
  if (adapter === undefined)
    throw new Error(`bug: ${options.role.name} passed pre-flight without an adapter`);
  const loaded = adapter.load === undefined ? adapter : await adapter.load();
  const hook = hookProgram(ws);
  const plugin = hookPlugin(ws);
  const sandboxed = willConfine(ws, contract);
  const call = {
    ...makeDesk(running, contract, { ...options, sandboxed }),
    ...(hook === undefined ? {} : { hook }),
    ...(plugin === undefined ? {} : { plugin }),
    state_dirs: loaded.stateDirs?.(ws.env) ?? [],
    sandboxed,
  };
  // Made by the client itself where nothing confines it.
  if (call.sandboxed) for (const folder of call.state_dirs) makeWithParents(running, folder);
  const invocation = loaded.prepare(call);
  for (const [name, text] of Object.entries(invocation.files)) {
    ws.disk.create(`${call.desk}/${name}`, bytesOf(text), { durable: false });
  }
  const mark = ws.machine.nonce();
  const watch = watchOver(running, { desk: call.desk, read: (line) => loaded.read(line) });
  const place = findPlace(running);
  const attempt = attemptFolder(place?.folder ?? options.folder, number);
  const confined = confine(
    ws,
    contract,
    {
      kind,
      root: call.root,
      authority: call.authority,
      writes: [...call.state_dirs, ...call.extra_dirs],
      reads_env: adapter.reads_env ?? [],
    },
    {
      argv: invocation.argv,
      env: { ...agentEnvironment(call, ws.env, mark), ...invocation.env },
      cwd: invocation.cwd,
      starts: [...(invocation.starts ?? []), adapter.program ?? ''],
      mark,
    },
  );
  const asks = invocation.live === true || (loaded.client !== undefined && call.hook !== undefined);
  const enforced = ['brief', ...(asks ? ['live'] : []), ...confined.enforced];
  const gated = ws.room.start(
    {
      argv: confined.argv,
      env: confined.env,
      cwd: confined.cwd,
      stdin: invocation.stdin,
      log: `${attempt}/output.log`,
      exit_file: `${call.desk}/exit.md`,
      mark,
      timeout_ms: options.timeout_ms,
      output_max_bytes: OUTPUT_BYTES_MAX,
      grace_ms: GRACE_MS,
      secrets: secretValues(secretNames(adapter, call), ws.env),
    },
    { onLine: watch.onLine, signal: watch.signal },
  );
  recordStart(running, gated, {
    role: options.role.name,
    adapter: adapter.name,
    mark,
    timeout_ms: options.timeout_ms,
    folder: options.folder,
    file: 'agent.md',
    ...(enforced.length === 1 ? {} : { enforced }),
    model: call.model,
    ...confined.reach,
  });
  emit({
    event: 'called',
    task: id,
    attempt: number,
    agent: options.role.name,
    adapter: adapter.name,
  });
  const exit = await opened(gated, watch);
  const broken = exit.code === 1 ? confined.broken() : undefined;
  confined.end();
  if (broken !== undefined) throw broken;
  const { words, reach } = confined;
  // What ended with its sandbox was seen by nobody: a number would be a guess.
  const left_behind = enforced.includes('sandbox') ? 0 : exit.left_behind;
  const ended = finish(exit, watch);
  const denied = withDenied(ended.heard.denied, readHookLog(running));
  const heard = { ...ended.heard, denied };
  return { ...ended, heard, left_behind, model: call.model, enforced, words, reach };
}

/** Addresses and folders of a client may stand in its log. */
function secretNames({ plain_env }: Adapter, { env_names }: AgentCall): readonly string[] {
  return plain_env === undefined ? env_names : env_names.filter((one) => !plain_env.includes(one));
}

/** The gate opens only when agent.md is durable and the task still stands where it was claimed. */
function opened(gated: Gated, watch: Watch): Promise<Exit> {
  watch.start();
  if (watch.signal.aborted) gated.abandon();
  else gated.open();
  return gated.done;
}

function finish(exit: Exit, watch: Watch): Omit<Called, 'enforced' | 'words' | 'model'> {
  watch.stop();
  if (exit.reason === 'failed_to_start') {
    throw new Fault(`the agent could not be started: ${exit.error ?? 'unknown error'}`, {
      fix: 'Look at limits of processes and open files, then step again',
    });
  }
  return {
    ending: { reason: exit.reason, code: exit.code, signal: exit.signal },
    seconds: Math.round(exit.duration_ms / 100) / 10,
    heard: watch.heard(),
    left_behind: exit.left_behind,
  };
}

export interface Start {
  readonly role: string;
  readonly adapter: string;
  readonly mark: string;
  readonly timeout_ms: number;
  readonly folder: string;
  /** Checks have a record of their own: that of the agent still says when it had to end. */
  readonly file: 'agent.md' | 'check.md';
  readonly enforced?: readonly string[];
  readonly model?: string | undefined;
  readonly writes?: readonly string[];
  readonly shut?: readonly string[];
}

/** Durable before the gate opens; a failure here leaves a gate that reads EOF. */
export function recordStart(running: Running, gated: Gated, start: Start): void {
  const { ws, number } = running;
  // Nothing runs: `done` says why, and there is no process to name.
  if (!gated.started) return;
  const now = ws.machine.now();
  const record: AgentRecord = {
    v: 1,
    role: start.role,
    adapter: start.adapter,
    mark: start.mark,
    started: now.toISOString(),
    timeout_ms: Number.isFinite(start.timeout_ms) ? start.timeout_ms : null,
    deadline: Number.isFinite(start.timeout_ms)
      ? new Date(now.getTime() + start.timeout_ms).toISOString()
      : null,
    ...(start.enforced === undefined ? {} : { enforced: [...start.enforced] }),
    ...(start.model === undefined ? {} : { model: start.model }),
    ...(start.writes === undefined ? {} : { writes: [...start.writes] }),
    ...(start.shut === undefined ? {} : { shut: [...start.shut] }),
    ...gated.process,
  };
  try {
    const bytes = bytesOf(renderRecord(record, ''));
    const written = atPlace(running, ({ folder }) => {
      put(ws.putting, `${attemptFolder(folder, number)}/${start.file}`, bytes);
      return true;
    });
    // Fenced, or removed: nothing may run for an attempt that is not there.
    if (written === undefined) gated.abandon();
  } catch (error) {
    gated.abandon();
    throw error;
  }
}
