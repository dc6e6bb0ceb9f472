/** `init`: makes what is missing and never overwrites; a second init changes nothing. */
import type { LineData } from '../core/events/command-lines.ts';
import { dirname, join, relative, resolve } from 'node:path';
import { Fault, problem, type Problem } from '../../task/core/model/problem.ts';
import { STATES } from '../../task/core/model/state.ts';
import { makeFolder, type Disk } from '../../task/store/disk/disk.ts';
import { findRoot, SETTINGS, TASKS } from '../../task/store/tasks/layout.ts';
import { makeFolders } from '../../task/store/tasks/tasks.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { personsOwnIn } from '../../workspace/open/persons-own.ts';
import { linkOn, openWorkspace, ownFolders } from '../../workspace/open/workspace.ts';
import { fromPackage } from './add-missing.ts';

export interface Initialised extends Pick<LineData<'initialised'>, 'root' | 'made'> {
  /** The folder of tasks, relative. */
  readonly tasks: string;
}

/** Why `init` would make nothing: to be asked first. */
export function whyNoInit(disk: Disk, dir: string): readonly Problem[] {
  const root = resolve(dir);
  let above = root;
  while (disk.stat(above) === undefined && dirname(above) !== above) above = dirname(above);
  if (disk.stat(above)?.kind === 'file') {
    const fix = 'Name a folder: contracts init FOLDER';
    return [problem({ code: 'not_a_file', file: above, message: 'this is a file', fix })];
  }
  const held = personsOwnIn({ ...ownFolders(process.env), env: process.env }, root);
  if (held !== undefined) return [held];
  const opened = openWorkspace({ capabilities: [], dir: root, ports: { disk } });
  if (!opened.ok && isWorkspace(disk, root)) return opened.problems;
  const wrong = linkOn(disk, root, SETTINGS) ?? linkOn(disk, root, tasksOf(disk, root));
  return wrong === undefined ? [] : [wrong];
}

function isWorkspace(disk: Disk, root: string): boolean {
  return findRoot(disk, root) === root;
}

/** Relative: the configuration may be there already, and name another folder. */
export function tasksOf(disk: Disk, root: string): string {
  const opened = openWorkspace({ capabilities: [], dir: root, ports: { disk } });
  return opened.ok && isWorkspace(disk, root) ? relative(root, opened.value.layout.tasks) : TASKS;
}

/** Throws a Fault where `whyNoInit` has a reason. */
export function init(disk: Disk, dir: string): Initialised {
  const root = resolve(dir);
  const [wrong] = whyNoInit(disk, root);
  if (wrong !== undefined) {
    throw new Fault('workspace', `${wrong.file}: ${wrong.message}`, { fix: wrong.fix });
  }
  const tasks = tasksOf(disk, root);
  makeFolders(disk, root);
  const made: string[] = [];
  const folder = (path: string): void => {
    if (makeFolder(disk, join(root, path))) made.push(`${path}/`);
  };
  const file = (path: string, text: () => string): void => {
    if (disk.stat(join(root, path)) !== undefined) return;
    disk.create(join(root, path), bytesOf(text()));
    made.push(path);
  };
  const offered = (name: string, task = ''): string =>
    fromPackage(disk, `templates/init/${name}`, { TASK: task });
  folder(SETTINGS);
  file(`${SETTINGS}/config.yaml`, () => offered('config.yaml'));
  // Made here, because `mv task .contracts/archive/` without it would make the task the archive.
  if (disk.stat(join(root, SETTINGS, 'archive')) === undefined) {
    folder(`${SETTINGS}/archive`);
    file(`${SETTINGS}/archive/.gitignore`, () => offered('folder.gitignore', '*'));
  }
  makeFolders(disk, dirname(join(root, tasks)));
  folder(tasks);
  file(`${tasks}/.gitignore`, () => offered('folder.gitignore', '*/*'));
  for (const state of STATES) {
    const path = `${tasks}/${state}`;
    if (disk.stat(join(root, path)) !== undefined) continue;
    folder(path);
    file(`${path}/.gitkeep`, () => '');
  }
  return { root, tasks, made };
}
