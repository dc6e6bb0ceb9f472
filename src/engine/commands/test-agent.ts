/**
 * `agents test`: a tiny task for one agent, called as in the workspace but in a scratch folder, which is
 * removed. Nothing of the workspace is touched.
 */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Event } from '../../task/core/lines/event.ts';
import type { LineData } from '../core/events/command-lines.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import type { OutcomeRecord } from '../../task/core/attempts/record.ts';
import { SETTINGS, TASKS, taskFolder } from '../../task/store/tasks/layout.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { bytesOf, type Context, type Emit } from '../../workspace/tasks/attempt-context.ts';
import { isAdapter, roleOf, type Role } from '../../agents/engine/roles.ts';
import { step } from '../step/step.ts';
import { mustBeTrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { findTask } from '../queries/find-task.ts';
import { fromPackage } from '../setup/add-missing.ts';
import { init } from '../setup/init.ts';
import { makeFolders } from '../../task/store/tasks/tasks.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import { removeTree } from '../../task/store/disk/disk.ts';

const ID = 'agents-test';
const FILE_BYTES_MAX = 16 * 1024 * 1024;

type Reported = 'agent' | 'adapter' | 'called' | 'ok' | 'why';
export interface AgentTested extends Pick<LineData<'agent_tested'>, Reported> {
  readonly outcome: OutcomeRecord | undefined;
}

export async function testAgent(
  ws: Workspace,
  name: string,
  options: Pick<Context, 'signal' | 'emit'>,
): Promise<Result<AgentTested>> {
  if (!agentsOf(ws).has(name) && !isAdapter(ws, name)) {
    return unknown(name, 'this agent does not exist', 'See: contracts agents');
  }
  const role = roleOf(ws, name);
  const { mode } = role.adapter ?? {};
  if (mode === 'human' || mode === 'host') {
    const why = `${name} is called by ${role.adapter_name}, so there is no program to try`;
    return unknown(name, why, 'Name an agent whose adapter is a client or a command');
  }
  if (role.adapter?.relays !== undefined) {
    const why = `${name} works on another machine (${role.adapter_name}), which gets tasks of this repository alone`;
    return unknown(name, why, `Try it with a task: contracts new "Say hello" --agent ${name}`);
  }
  mustBeTrusted(ws);
  const scratch = scratchOf(ws, ws.config.adapters[role.adapter_name]?.run);
  const head = Object.entries(given({ adapter: role.adapter_name, model: role.named.model }));
  const contract = fromPackage(ws.disk, 'templates/init/trial-contract.md', {
    TRIAL_HEAD: head.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join('\n'),
  });
  ws.disk.create(join(taskFolder(scratch.layout, 'ready', ID), 'contract.md'), bytesOf(contract));
  const events: Event[] = [];
  const emit: Emit = (event) => {
    events.push(event);
    options.emit(event);
  };
  await step(scratch, { only: new Set([ID]), emit, signal: options.signal });
  const found = findTask(scratch, ID);
  const attempts = found.ok ? found.value.attempts : [];
  // A review may have come after it, which waits for a person.
  const outcome = attempts.find(({ kind }) => kind === 'work')?.outcome;
  // Nobody answers here, and to ask is to be called well.
  const well = outcome?.outcome === 'complete' || outcome?.outcome === 'questions';
  removeTree(ws.disk, scratch.layout.root);
  return ok({
    agent: name,
    adapter: role.adapter_name,
    called: events.some(({ event }) => event === 'called'),
    ok: well,
    why: well ? '' : (outcome?.reason ?? whyNot(events, role)),
    outcome,
  });
}

/** A copy of the settings and of the files that `run` names, without what would make another call. */
function scratchOf(ws: Workspace, run: readonly string[] = []): Workspace {
  const root = join(tmpdir(), `contracts-agent-${ws.machine.nonce().slice(0, 12)}`);
  ws.disk.mkdir(root);
  init(ws.disk, root);
  for (const file of run.filter((one) => checkPath(one) === undefined)) {
    const from = join(ws.layout.root, file);
    if (ws.disk.stat(from)?.kind !== 'file') continue;
    makeFolders(ws.disk, dirname(join(root, file)));
    ws.disk.create(join(root, file), ws.disk.read(from, FILE_BYTES_MAX));
  }
  const layout = { root, tasks: join(root, TASKS) };
  ws.disk.mkdir(taskFolder(layout, 'ready', ID));
  const { on_state: _bell, active_tasks: _place, ...config } = ws.config;
  return {
    ...ws,
    layout,
    config: { ...config, isolation: 'shared', retries_max: 0, agents: {}, categories: {} },
    problems: [],
    active: new Set(),
    readers: new Map(),
    dead_hosts: new Set(),
    trusted: true,
  };
}

/** Why it was not called, as the step reports it. */
function whyNot(events: readonly Event[], { adapter }: Role): string {
  const last = events.findLast(({ event }) => event === 'fault' || event === 'waits');
  if (last?.event === 'fault') return last.reason;
  if (last?.event !== 'waits') return 'it was not called';
  const [first] = last.problems ?? [];
  if (first === undefined) return last.reason;
  const program = adapter?.program;
  // The contract of this test names an adapter and no agent, so the step would report another agent's name.
  return first.code === 'missing_program' && program !== undefined
    ? `${program} is not installed. ${first.fix}`
    : `${first.message}. ${first.fix}`;
}

function unknown(found: string, message: string, fix: string): Result<never> {
  return refused({ code: 'unknown_agent', file: `${SETTINGS}/agents`, message, found, fix });
}
