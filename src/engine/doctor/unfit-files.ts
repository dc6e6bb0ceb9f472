/** Files of ours that are not as they must be. Empty ones count as missing; agents are reported where they are read. */
import { join } from 'node:path';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { desksFolder, SETTINGS, shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { EMPTY } from '../../agents/engine/catalog.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { linkOn, type Workspace } from '../../workspace/open/workspace.ts';

const INIT = {
  message: 'this file is empty: contracts init did not end, or its text was removed',
  fix: 'Write its text again: contracts init',
};
/** Folders that are not looked through: no text of theirs is needed, or others report it. */
const OTHERS = /^(?:agents|archive|assumptions|cache|handoffs|imported|keys|memory|worktrees)$|^\./;

/** Files without their text, and files or links in place of folders; a state is reported with the board. */
export function unfitFiles({ disk, layout }: Workspace): Problem[] {
  const within = (folder: string, depth: number): readonly string[] =>
    listOrNothing(disk, join(layout.root, folder)).flatMap(({ name, kind }) => {
      const path = `${folder}/${name}`;
      if (kind !== 'folder') return /\.(?:md|ya?ml)$/.test(name) ? [path] : [];
      return depth > 0 && !OTHERS.test(name) ? within(path, depth - 1) : [];
    });
  const [tasks, desks = ''] = [layout.tasks, desksFolder(layout)].map((one) => shown(layout, one));
  const own = [SETTINGS, `${SETTINGS}/archive`, tasks];
  const made = own.map((folder, i) => `${folder}/${i === 0 ? 'config.yaml' : '.gitignore'}`);
  const all = [...new Set([...made, ...within(SETTINGS, 2)])];
  const empty = all.filter((file) => textIfThere(disk, join(layout.root, file))?.trim() === '');
  return [
    ...[`${SETTINGS}/archive`, desks].flatMap((path) => linkOn(disk, layout.root, path) ?? []),
    ...empty.map((file): Problem => {
      const how = made.includes(file) ? INIT : EMPTY;
      return problem({ code: 'missing_file', severity: 'warning', file, ...how });
    }),
  ];
}
