/**
 * What this file system and machine can do (docs/protocol.md#faults-of-the-disk), tried in a folder inside
 * active_tasks, which is removed again.
 */
import { basename, join } from 'node:path';
import { isInstalled } from '../../process/program.ts';
import { STATES } from '../../task/core/model/state.ts';
import { errorCode, removeTree } from '../../task/store/disk/disk.ts';
import { desksFolder, stateFolder } from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import { sandboxHere } from '../../sandbox/engine/confine.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Ability } from '../setup/probe-clients.ts';

/** A task that cannot be moved into its next state would be a fault in the middle of its work. */
function probeStates(ws: Workspace): Ability {
  for (const state of STATES) {
    const folder = stateFolder(ws.layout, state);
    if (ws.disk.stat(folder) === undefined) continue;
    const probe = join(folder, `${TEMPORARY}${ws.putting.unique()}`);
    try {
      ws.disk.mkdir(probe);
      ws.disk.remove(probe);
    } catch (error) {
      return unwritable(`${state}/`, error);
    }
  }
  return { name: 'writing', holds: true, means: 'active_tasks and its states can be written' };
}

function unwritable(what: string, error: unknown): Ability {
  const why = errorCode(error) ?? 'unknown error';
  return { name: 'writing', holds: false, means: `${what} cannot be written: ${why}` };
}

export function probeMachine(ws: Workspace): readonly Ability[] {
  const folder = join(ws.layout.tasks, `${TEMPORARY}probe-${ws.putting.unique()}`);
  try {
    ws.disk.mkdir(folder);
  } catch (error) {
    return [unwritable('active_tasks', error)];
  }
  try {
    return [
      probeStates(ws),
      probeRename(ws, folder),
      probeExclusive(ws, folder),
      probeCase(ws, folder),
      probeDevices(ws, folder),
      ...probePrograms(ws),
    ];
  } finally {
    removeTree(ws.disk, folder);
  }
}

const BYTES = new TextEncoder().encode('probe\n');

/** Renaming onto a full folder must fail, else two processes could win one claim. */
function probeRename(ws: Workspace, folder: string): Ability {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  for (const one of [from, to]) {
    ws.disk.mkdir(one);
    ws.disk.create(join(one, 'file'), BYTES);
  }
  const refused = fails(() => ws.disk.rename(from, to));
  return either('claims', refused, [
    'renaming onto a full folder is refused: a claim has one winner',
    'renaming onto a full folder replaces it: claims are not safe here',
  ]);
}

function probeExclusive(ws: Workspace, folder: string): Ability {
  const path = join(folder, 'once');
  ws.disk.create(path, BYTES);
  const refused = fails(() => ws.disk.create(path, BYTES));
  const lost = 'O_EXCL is not kept: writes may be lost here';
  return either('exclusive files', refused, ['O_EXCL is kept', lost]);
}

function probeCase(ws: Workspace, folder: string): Ability {
  ws.disk.create(join(folder, 'case'), BYTES);
  const folds = ws.disk.stat(join(folder, 'CASE')) !== undefined;
  const one = 'upper and lower case are one name here; ids are lower case';
  return { name: 'names', holds: true, means: folds ? one : 'case is kept apart' };
}

/** State folders on different mounts would make every move fail. */
function probeDevices(ws: Workspace, folder: string): Ability {
  const places = [...STATES.map((state) => stateFolder(ws.layout, state)), desksFolder(ws.layout)];
  const apart = places.filter((home) => {
    if (ws.disk.stat(home)?.kind !== 'folder') return false;
    const here = join(folder, `move-${basename(home)}`);
    const there = join(home, `${TEMPORARY}probe-${ws.putting.unique()}`);
    ws.disk.create(here, BYTES, { durable: false });
    const failed = fails(() => ws.disk.rename(here, there));
    if (!failed) ws.disk.remove(there);
    return failed;
  });
  const names = apart.map((one) => basename(one)).join(', ');
  return either('moves', apart.length === 0, [
    'all state folders and .desk are on one file system',
    `no move into ${names} is possible: put it on the file system of active_tasks`,
  ]);
}

function probePrograms(ws: Workspace): Ability[] {
  const path = ws.env['PATH'] ?? '';
  const isQueued = Object.values(ws.config.adapters).some(({ type }) => type === 'queue');
  const need = isQueued ? 'agents on a queue need it' : 'it is not needed';
  return [
    either('processes', ws.machine.self().boot !== '', [
      'dead owners are detected by boot id, pid and start time',
      'there is no boot id here: dead owners are detected by pid and start time alone',
    ]),
    probeSandbox(ws),
    either('git', isInstalled('git', path, ws.layout.root), [
      `git is installed; ${need}`,
      `git is not installed; ${need}`,
    ]),
  ];
}

function either(name: string, holds: boolean, [yes, no]: readonly [string, string]): Ability {
  return { name, holds, means: holds ? yes : no };
}

function probeSandbox(ws: Workspace): Ability {
  const here = sandboxHere(ws, undefined);
  const means = here.works
    ? 'agents and checks are confined by bubblewrap: existing files that they may not write stay as they are (up to 500 in the folders of those that they may), new files beside their own are reported, and other homes, keys and processes are not there'
    : `agents are not confined, ${here.why === '' ? 'as configured' : `because ${here.why}`}: changes outside their permissions are found afterwards, what they read is not`;
  const as_root = '; as root it is weaker: files of every user are open to it where it may write';
  const weaker = process.getuid?.() === 0 ? as_root : '';
  return { name: 'sandbox', holds: here.works, means: `${means}${weaker}` };
}

function fails(attempt: () => void): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}
