/**
 * `delegate --interactive`: a task for a person and a client together, in this terminal. Claims as
 * delegate does and returns what is to be started; an attempt left without a result is continued on the
 * same desk.
 */
import { join, resolve } from 'node:path';
import { agentEnvironment, terminalEnvironment } from '../../process/adapter.ts';
import { assert, ok, refused, type Result } from '../../task/core/model/problem.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { put } from '../../task/store/disk/put.ts';
import { SETTINGS, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { insideHere } from '../../sandbox/engine/named-program.ts';
import { clientHome } from '../call/client-home.ts';
import { majorOf } from '../call/desk.ts';
import { hooksOf } from '../../permissions/engine/enforce/hook-log.ts';
import { bytesOf, type Context } from '../../workspace/tasks/attempt-context.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { findTask } from '../queries/find-task.ts';
import { HANDED_IN, takeForHost, type Delegated } from './delegate.ts';

export interface Conversation extends Omit<Delegated, 'brief'> {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Once the client has ended: takes away what was made for this call alone. */
  end(): void;
}

export async function converse(context: Context, id: string): Promise<Result<Conversation>> {
  const { ws } = context;
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const { contract, state } = found.value;
  const role = contract.ok ? executorOf(ws, contract.value) : undefined;
  const { adapter: known, adapter_name } = role ?? {};
  const deaf = role && (known === undefined ? `there is no adapter ${adapter_name}` : known.deaf);
  if (deaf !== undefined) {
    return refused({
      code: 'bad_value',
      file: shown(ws.layout, taskFolder(ws.layout, state, id)),
      message: `nobody can talk to ${role?.name ?? 'it'} in a terminal: ${deaf}`,
      fix: 'Name an agent whose adapter is a client, or take the brief yourself: contracts delegate',
    });
  }
  const run = ws.config.adapters[adapter_name ?? '']?.run ?? [known?.program ?? ''];
  // No confined agent writes the settings folder.
  const settings = join(ws.layout.root, SETTINGS);
  const isTheirs = (one: string): boolean => !isWithin(settings, resolve(ws.layout.root, one));
  const inside = insideHere(ws, [...run.slice(0, 1), ...run.slice(1).filter(isTheirs)]);
  if (inside !== undefined) {
    const message = `${inside} lies in the workspace, where agents write, and would run outside of a sandbox`;
    const fix = `Install ${known?.client?.program ?? 'the client'} outside of the workspace, such as with npm install --global; or contracts run calls it in a sandbox`;
    return refused({ code: 'untrusted', file: '.contracts/config.yaml', message, fix });
  }
  const adapter = (await role?.adapter?.load?.()) ?? role?.adapter;
  const taken = await takeForHost(context, id, HANDED_IN);
  if (!taken.ok) return taken;
  const call = {
    ...taken.value,
    ...hooksOf(ws),
    ...(await majorOf(ws, adapter)),
    state_dirs: adapter?.stateDirs?.(ws.env).map(({ path }) => path) ?? [],
    interactive: true,
  };
  const invocation = adapter?.prepare(call);
  assert(invocation !== undefined, 'an agent without an adapter was claimed for');
  for (const [name, text] of Object.entries(invocation.files)) {
    put(ws.putting, `${call.desk}/${name}`, bytesOf(text), { durable: false });
  }
  const home = clientHome(ws, call, invocation);
  const env = agentEnvironment(call, ws.env, ws.machine.nonce());
  return ok({
    id,
    attempt: call.attempt,
    brief_file: call.brief_file,
    desk: call.desk,
    argv: invocation.argv,
    // A client may be a script that finds its interpreter on PATH.
    env: {
      ...terminalEnvironment(ws.env),
      ...env,
      ...invocation.env,
      ...home?.env,
      PATH: ws.programs.path,
    },
    cwd: invocation.cwd,
    end: () => home?.remove(),
  });
}
