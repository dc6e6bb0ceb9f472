/** The places of things in a workspace. No other file joins these names. */
import { dirname, join, resolve } from 'node:path';
import { attemptName } from '../../core/attempts/record.ts';
import type { State } from '../../core/model/state.ts';
import type { Disk } from '../disk/disk.ts';

export interface Layout {
  /** The workspace root, absolute. */
  readonly root: string;
  /** The folder of the state folders, absolute. */
  readonly tasks: string;
  /** The folder of plans, absolute, where they are looked at elsewhere. */
  readonly plans?: string;
}

export const SETTINGS = '.contracts';
export const TASKS = 'active_tasks';
const DESKS = '.desk';

/** The largest contract, result, record or other Markdown file that is read. */
export const TEXT_BYTES_MAX = 256 * 1024;

/** The current files at the top of a task folder. Files with other names are left alone. */
export const TASK_FILES = [
  'contract.md',
  'status.md',
  'questions.md',
  'result.md',
  'review.md',
  'blocked.md',
] as const;

/**
 * The nearest folder upwards with `.contracts/`, else with `active_tasks/`. `within`: not beyond a mount
 * point, as git, nor above that home, where files may be anybody's.
 */
export function findRoot(disk: Disk, from: string, within?: Bounds): string | undefined {
  return findUpwards(disk, from, SETTINGS, within) ?? findUpwards(disk, from, TASKS, within);
}

interface Bounds {
  /** All paths of the home, which may be reached by a link. */
  readonly homes: readonly string[];
}

function findUpwards(disk: Disk, from: string, name: string, within: Bounds | undefined) {
  let folder = resolve(from);
  const device = within && disk.stat(folder)?.device;
  for (;;) {
    if (disk.stat(join(folder, name))?.kind === 'folder') return folder;
    const parent = dirname(folder);
    if (parent === folder || within?.homes.includes(folder) === true) return undefined;
    if (device !== undefined && disk.stat(parent)?.device !== device) return undefined;
    folder = parent;
  }
}

export function stateFolder(layout: Layout, state: State): string {
  return `${layout.tasks}/${state}`;
}

export function taskFolder(layout: Layout, state: State, id: string): string {
  return `${layout.tasks}/${state}/${id}`;
}

export function attemptsFolder(task: string): string {
  return `${task}/attempts`;
}

export function attemptFolder(task: string, number: number, lost = false): string {
  return `${task}/attempts/${attemptName(number)}${lost ? '.lost' : ''}`;
}

export function desksFolder(layout: Layout): string {
  return `${layout.tasks}/${DESKS}`;
}

export function deskFolder(layout: Layout, id: string, number: number): string {
  return `${layout.tasks}/${DESKS}/${id}.${attemptName(number)}`;
}

export function archiveFolder(layout: Layout, id: string): string {
  return join(layout.root, SETTINGS, 'archive', id);
}

export function plansFolder({ root, plans = `${root}/${SETTINGS}/plans` }: Layout): string {
  return plans;
}

export function planFolder(layout: Layout, plan: string): string {
  return `${plansFolder(layout)}/${plan}`;
}

/** The worktrees of one workspace below a person's state folder. */
export function worktreesBelow(state_home: string, workspace: string): string {
  return join(state_home, 'contracts', 'worktrees', workspace);
}

/** Relative to the workspace root, with forward slashes, for people and problems. */
export function shown(layout: Layout, path: string): string {
  return path.startsWith(`${layout.root}/`) ? path.slice(layout.root.length + 1) : path;
}

/** In an attempt: what the commands that prepare its worktree printed. */
export const SETUP_LOG = 'setup.log';

/** On the desk: documents that are handed in, a mirror of `.contracts/`. In the attempt: the same as given. */
export const DOCUMENTS = 'documents';
/** `path` is below `.contracts/` in the workspace. */
export function onDesk(path: string): string {
  return `${DOCUMENTS}/${path.slice(SETTINGS.length + 1)}`;
}
/** In the attempt: documents as the runner put them in place. */
export const PLACED = 'placed';
/** In an attempt: a person asks its runner to stop it. */
export const STOP_FILE = 'stop.md';
