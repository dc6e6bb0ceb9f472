/** `init`: makes what is missing and never overwrites; a second init changes nothing. */
import type { LineData } from '../core/events/command-lines.ts';
import { dirname, join, relative, resolve } from 'node:path';
import { Fault, problem, type Problem } from '../../task/core/model/problem.ts';
import { STATES } from '../../task/core/model/state.ts';
import { makeFolder, type Disk } from '../../task/store/disk/disk.ts';
import { findRoot, SETTINGS, TASKS } from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import { listOrNothing, makeFolders } from '../../task/store/tasks/tasks.ts';
import { nonce } from '../../process/nonce.ts';
import { personsOwnIn } from '../../workspace/open/persons-own.ts';
import { linkOn, openWorkspace, ownFolders } from '../../workspace/open/workspace.ts';
import { addAll, fromPackage } from './add-missing.ts';

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
  const tasks = tasksOf(disk, root);
  const inner = ['.desk', ...STATES].map((name) => `${tasks}/${name}`);
  return [`${SETTINGS}/archive`, tasks, ...inner].flatMap(
    (folder) => linkOn(disk, root, folder) ?? [],
  );
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
    if (!makeFolder(disk, join(root, path))) return;
    disk.sync(dirname(join(root, path)));
    made.push(`${path}/`);
  };
  const file = (path: string, text: string): void => {
    made.push(...addAll({ putting: { disk, unique: nonce }, root }, [{ file: path, text }]).made);
  };
  // In a folder that holds something else a person may have removed the file. In an empty one a crash left it out.
  const folderWith = (path: string, name: string, text: string): void => {
    folder(path);
    const held = listOrNothing(disk, join(root, path)).map((one) => one.name);
    const isOpen = held.every((one) => one.startsWith(TEMPORARY)) || held.includes(name);
    if (isOpen) file(`${path}/${name}`, text);
  };
  const offered = (name: string, task = ''): string =>
    fromPackage(disk, `templates/init/${name}`, { TASK: task });
  folder(SETTINGS);
  file(`${SETTINGS}/config.yaml`, offered('config.yaml'));
  // Made here, because `mv task .contracts/archive/` without it would make the task the archive.
  folderWith(`${SETTINGS}/archive`, '.gitignore', offered('folder.gitignore', '*'));
  makeFolders(disk, dirname(join(root, tasks)));
  folder(tasks);
  file(`${tasks}/.gitignore`, offered('folder.gitignore', '*/*'));
  for (const state of STATES) folderWith(`${tasks}/${state}`, '.gitkeep', '');
  return { root, tasks, made };
}
