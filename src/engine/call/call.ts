/**
 * One call of an agent behind its gate (docs/protocol.md#start): its desk, the process, the durable
 * agent.md, the open gate, the watch while it runs. Judges nothing.
 */
import { dirname, relative } from 'node:path';
import {
  agentEnvironment,
  type AgentCall,
  type AgentProgress,
  type Elsewhere,
  type Invocation,
} from '../../process/adapter.ts';
import { watchClients } from '../../sandbox/engine/client-mounts.ts';
import type { Exit, Gated } from '../../process/process-room.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Ending, ClientReport } from '../../task/core/attempts/client-report.ts';
import { sandboxLevel } from '../../task/core/model/policy.ts';
import { assert, Fault } from '../../task/core/model/problem.ts';
import type { Reach } from '../../sandbox/core/writable-paths.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { openAgain } from '../../task/store/disk/real-disk.ts';
import { makeBelow, makeFolders } from '../../task/store/tasks/tasks.ts';
import { clientHome } from './client-home.ts';
import { confine, willConfine, type Confined } from '../../sandbox/engine/confine.ts';
import { networkClosed } from '../../sandbox/engine/network.ts';
import { redactDesk, redactedWords, secretsHere } from '../../workspace/tasks/redact.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { CallOptions } from '../brief/brief.ts';
import { majorOf, makeDesk } from './desk.ts';
import {
  hooksOf,
  liveIn,
  readHookLog,
  withDenied,
} from '../../permissions/engine/enforce/hook-log.ts';
import { gitHooks } from '../../permissions/engine/enforce/git-hooks.ts';
import { loadedAdapter } from '../attempt/readable-log.ts';
import { recordStart } from './record-start.ts';
import { bytesOf, findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { withoutSandbox } from '../../sandbox/engine/unconfined.ts';
import { supervise, type Watch } from './supervise.ts';

export interface Called {
  readonly ending: Ending;
  readonly seconds: number;
  /** Empty for a program that is no client. */
  readonly report: ClientReport;
  /** Paths that its sandbox let it write; undefined without a sandbox. */
  readonly reach?: Reach | undefined;
  readonly model: string | undefined;
  readonly left_behind: number;
  /** Enforcements of permissions that were in force while it ran. */
  readonly enforced: readonly string[];
  readonly words: readonly string[];
  /** New files in the folders of its client. */
  readonly seen: { readonly noticed: readonly string[] };
}

export const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
export const GRACE_MS = 5_000;

/** Makes the desk, calls the agent and waits for its end. Throws a Fault when it could not be started at all. */
export async function callAgent(
  running: Running,
  contract: Contract,
  options: CallOptions,
): Promise<Called> {
  const { relays } = options.role.adapter ?? {};
  const sandboxed = relays === undefined && willConfine(running.ws, contract);
  const desk = makeDesk(running, contract, { ...options, sandboxed });
  return callAtDesk(running, contract, options, { ...desk, sandboxed });
}

interface AtDesk extends Pick<CallOptions, 'role' | 'folder' | 'timeout_ms' | 'stall_ms'> {
  /** Gets each event of the client. */
  readonly heard?: (event: AgentProgress) => void;
}

/** Calls it at a desk that is there; `given_call` lacks what this machine adds. */
export async function callAtDesk(
  running: Running,
  contract: Contract,
  options: AtDesk,
  given_call: AgentCall & { readonly sandboxed: boolean },
): Promise<Called> {
  const { ws, id, number, kind, emit } = running;
  const adapter = options.role.adapter;
  assert(adapter !== undefined, `${options.role.name} passed pre-flight without an adapter`);
  const loaded = adapter.load === undefined ? adapter : await loadedAdapter(ws, adapter);
  const { sandboxed } = given_call;
  const version = await majorOf(ws, loaded);
  const clients = loaded.stateDirs?.(ws.env) ?? [];
  const relays = adapter.relays !== undefined;
  const call = {
    ...given_call,
    ...(relays && { elsewhere: elsewhereOf(running, contract, options) }),
    ...hooksOf(ws),
    ...version,
    state_dirs: clients.map(({ path }) => path),
  };
  // Made by the client itself where nothing confines it.
  if (call.sandboxed) for (const folder of call.state_dirs) makeFolders(ws.disk, folder);
  const made: string[] = [];
  const opens = sandboxed
    ? []
    : loaded.opens?.(call).filter((one) => makeBelow(ws.disk, call.root, one, made));
  const invocation = loaded.prepare({ ...call, opens: opens ?? [] });
  putFiles(ws, call, invocation);
  const home = clientHome(ws, call, invocation);
  const mark = ws.machine.nonce();
  let started: Gated | undefined;
  const watch = supervise(running, {
    desk: call.desk,
    root: call.root,
    // A worker watches its own agent.
    stall_ms: relays ? Infinity : options.stall_ms,
    read: (line) => {
      const events = loaded.read(line);
      if (options.heard !== undefined) events.forEach(options.heard);
      return events;
    },
    relays,
    hears: adapter.client !== undefined,
    stalled: () => started?.cancel('stalled'),
  });
  const place = findPlace(running);
  const attempt = attemptFolder(place?.folder ?? options.folder, number);
  const given = { ...agentEnvironment(call, ws.env, mark), ...invocation.env, ...home?.env };
  const hooks = gitHooks(ws, call, given);
  const env = { ...given, ...hooks.env };
  const started_with = {
    argv: invocation.argv,
    env,
    cwd: invocation.cwd,
    starts: [...(invocation.starts ?? []), adapter.program ?? ''],
    mark,
  };
  const scope = {
    kind: kind === 'ask' ? 'review' : kind,
    root: call.root,
    permissions: call.permissions,
    closed: networkClosed(ws, contract, 'agent', options.role),
    writes: [...call.extra_dirs, ...Object.values(home?.env ?? {})],
    clients,
    made,
    shows: hooks.shows,
    reads_env: adapter.reads_env ?? [],
  };
  const bare = relays ? NOT_HERE : withoutSandbox(running, contract, invocation, env);
  const confined: Confined = relays
    ? { ...NOT_HERE, ...started_with }
    : confine(ws, contract, scope, started_with);
  const enforced = ['brief', ...bare.enforced, ...confined.enforced];
  const timeout_ms = relays ? Infinity : options.timeout_ms;
  const news = sandboxed ? watchClients(clients, ws.machine.now, ws.env['HOME']) : undefined;
  try {
    hooks.make();
    const gated = ws.room.start(
      {
        ...startOf(ws, confined, mark),
        stdin: invocation.stdin,
        log: `${attempt}/output.log`,
        exit_file: `${call.desk}/exit.md`,
        timeout_ms,
      },
      { onLine: watch.onLine, signal: watch.signal },
    );
    started = gated;
    recordStart(running, gated, {
      role: options.role.name,
      adapter: adapter.name,
      mark,
      timeout_ms,
      file: 'agent.md',
      enforced: enforced.length === 1 ? undefined : enforced,
      model: call.model,
      reach: confined.reach,
    });
    const agent = options.role.name;
    emit({ event: 'called', task: id, attempt: number, agent, adapter: adapter.name });
    const exit = await opened(gated, watch, call.desk);
    const { session, noise = '', error } = watch.report();
    const printed = session === undefined ? `${noise} ${error?.text ?? ''}` : undefined;
    const isEnd = exit.code === 1 || exit.code === 126 || exit.code === 127;
    const broken = isEnd ? confined.broken(printed) : undefined;
    if (broken !== undefined) throw broken;
    const files = redactDesk(ws, call.desk);
    if (exit.reason === 'failed_to_start') {
      throw notStarted(`the agent could not be started: ${exit.error ?? 'unknown error'}`);
    }
    const log = readHookLog(running);
    const report = withDenied(watch.report(), log);
    return {
      ending: endingOf(exit, report),
      seconds: Math.round(exit.duration_ms / 100) / 10,
      report,
      // What ended with its sandbox cannot be counted: a number would be a guess.
      left_behind: enforced.includes('sandbox') ? 0 : exit.left_behind,
      model: call.model,
      enforced: [...enforced, ...liveIn(report, log), ...(report.machine?.enforced ?? [])],
      words: [...bare.words, ...confined.words, ...redactedWords(files)],
      reach: confined.reach,
      seen: { noticed: news?.() ?? [] },
    };
  } finally {
    confined.end();
    home?.remove();
    hooks.remove();
  }
}

/** Nothing of an agent that a worker calls runs here. */
const NOT_HERE = {
  enforced: [],
  words: [],
  broken: () => undefined,
  end: () => undefined,
};

/** How the agent itself ended, where a worker reported that and our own program came to its end. */
export function endingOf({ reason, code, signal }: Ending, { ended_there }: ClientReport): Ending {
  return reason === 'exited' && ended_there !== undefined ? ended_there : { reason, code, signal };
}

function elsewhereOf(
  { ws }: Running,
  contract: Contract,
  { role, timeout_ms, stall_ms }: AtDesk,
): Elsewhere {
  return {
    timeout_ms,
    stall_ms,
    sandbox: sandboxLevel(contract, ws.config),
    closed: networkClosed(ws, contract, 'agent', role) !== undefined,
    tasks: relative(ws.layout.root, ws.layout.tasks),
  };
}

/** The start of any program, agent or check. */
export function startOf(ws: Workspace, { gated_argv, env, cwd, ...one }: Confined, mark: string) {
  const [argv, sandboxed] = [gated_argv ?? one.argv, gated_argv !== undefined];
  const limits = { output_max_bytes: OUTPUT_BYTES_MAX, grace_ms: GRACE_MS };
  return {
    argv,
    env,
    cwd,
    sandboxed,
    programs: ws.programs,
    mark,
    secrets: secretsHere(ws),
    ...limits,
  };
}

/** On its desk; and into the project what the client would put there itself. */
function putFiles(ws: Workspace, call: AgentCall, { files, own_files = {} }: Invocation): void {
  for (const [name, text] of Object.entries(files)) {
    ws.disk.create(`${call.desk}/${name}`, bytesOf(text), { durable: false });
  }
  for (const [name, text] of Object.entries(own_files)) {
    const path = `${call.root}/${name}`;
    const isMissing = ws.disk.stat(dirname(path)) && ws.disk.stat(path) === undefined;
    if (isMissing) ws.disk.create(path, bytesOf(text), { durable: false });
  }
}

/** The gate opens only when agent.md is durable and the task is still where it was claimed. */
async function opened(gated: Gated, watch: Watch, desk: string): Promise<Exit> {
  watch.start();
  // A watch that is left running would keep the process alive.
  try {
    if (watch.signal.aborted) gated.abandon();
    else gated.open();
    const exit = await gated.done;
    openAgain(desk);
    return exit;
  } finally {
    watch.stop();
  }
}

export function notStarted(why: string): Fault {
  const fix = 'Look at limits of processes and open files, then run this again';
  return new Fault('program', why, { fix });
}
