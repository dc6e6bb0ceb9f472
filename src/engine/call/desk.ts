/** The desk of one call: the folder in which an agent reads and writes (docs/protocol.md#enter). */
import { join } from 'node:path';
import { namesFor, type Adapter, type AgentCall } from '../../process/adapter.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { deskFolder, desksFolder, shown } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { makeFolder } from '../../task/store/disk/disk.ts';
import { isScript, modelNow, type Role } from '../../agents/engine/roles.ts';
import { renderBrief, type CallOptions } from '../brief/brief.ts';
import { doorOf, giveDocuments } from '../attempt/documents.ts';
import { earlierFiles, firstStatus, resultForm } from '../attempt/current-files.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

/** Makes the desk: `active_tasks/.desk/<id>.<NNNN>/`, at a path that no move of the task changes. */
export function makeDesk(running: Running, contract: Contract, options: CallOptions): AgentCall {
  const { ws, id, number, kind } = running;
  const desk = deskFolder(ws.layout, id, number);
  makeFolder(running.ws.disk, desksFolder(ws.layout));
  // Numbers are never used twice, so no runner made what is there already.
  if (options.cut_short !== true && ws.disk.stat(desk) !== undefined) {
    throw new Fault('tree', `${shown(ws.layout, desk)} is there before its attempt`, {
      fix: 'Move it away; the next step takes a new desk',
    });
  }
  makeFolder(running.ws.disk, desk);
  const write = (name: string, bytes: Uint8Array): void => {
    put(ws.putting, `${desk}/${name}`, bytes, { durable: false });
  };
  const earlier = earlierFiles(running, options.folder);
  const brief = renderBrief(running, contract, options, earlier.length > 0);
  write('contract.md', ws.disk.read(`${options.folder}/contract.md`, 1024 * 1024));
  if (kind === 'work') {
    write('status.md', bytesOf(firstStatus(running, ws.machine.now().toISOString())));
    const isOwn = kindOf(ws, contract).decision === undefined && !isScript(ws, contract);
    if (isOwn) write('result.md', bytesOf(resultForm(ws, id, contract)));
  }
  if (earlier.length > 0) {
    makeFolder(running.ws.disk, `${desk}/previous`);
    for (const file of earlier) write(join('previous', file.name), file.bytes);
  }
  for (const file of options.given) write(file.name, file.bytes);
  const door = doorOf(running, contract, options.role);
  giveDocuments(running, options.folder, desk, door);
  // The last one: where it is, the desk is whole.
  write('brief.md', bytesOf(brief));
  const model = modelNow(ws, running.task, contract, {
    kind,
    role: options.role,
    resolved: running.task.has_blocked,
  });
  return {
    ...callAt(running, options.role, desk),
    root: options.guard.workdir.root,
    brief,
    steps: contract.steps,
    ...given({ model, session: options.session }),
    instructions: options.role.definition?.instructions ?? '',
    permissions: options.guard.permissions,
    ...(door.taken.length > 0 && { documents: door.permissions }),
  };
}

/** The parts of a call that follow from its attempt, its agent and its desk, on any machine. */
export function callAt({ ws, id, number, kind }: Running, { name, adapter }: Role, desk: string) {
  return {
    task: id,
    attempt: number,
    kind,
    agent: name,
    workspace: ws.layout.root,
    desk,
    brief_file: `${desk}/brief.md`,
    contract_file: `${desk}/contract.md`,
    ...given({ found: clientProgram(ws, adapter) }),
    state_dirs: [],
    extra_dirs: [desk],
    permission: kind === 'work' ? 'accept_edits' : 'read_only',
    env_names: namesFor(adapter ?? {}, ws.env),
    interactive: false,
  } as const;
}

/** The path of a client that is named without one: an agent could have put another one on PATH. */
function clientProgram(ws: Workspace, adapter: Adapter | undefined): string | undefined {
  const { client, program = '/' } = adapter ?? {};
  return client === undefined || program.includes('/') ? undefined : ws.programs.find(program);
}

/** The version of its program, where that matters; never asked of one that an agent could have put there. */
export async function majorOf(ws: Workspace, { askMajor, program = '' }: Partial<Adapter> = {}) {
  if (askMajor === undefined) return {};
  const path = program.includes('/') ? program : (ws.programs.find(program) ?? '');
  if (!ws.programs.isBeyond(path)) return {};
  return given({ major: await askMajor(path, { ...ws.env, PATH: ws.programs.path }) });
}
