/** Texts that would reach the agents of a contract, in which a merge left both sides: none of them is called. */
import { join } from 'node:path';
import type { Contract } from '../../task/core/model/contract.ts';
import { checklistsOf } from '../../task/core/model/criterion-check.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { SETTINGS, shown, TASK_FILES } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { readProse } from '../../workspace/open/prose-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { capabilitiesOf } from '../../workspace/tasks/capability.ts';
import { lastFolder } from '../board/archive.ts';

/** `folder` is the task's. */
export function bothSides(ws: Workspace, folder: string, contract: Contract): readonly Problem[] {
  const { disk, layout } = ws;
  const { head, context_files } = contract;
  const templates = join(layout.root, SETTINGS, 'templates');
  const own = disk.stat(templates)?.kind === 'folder';
  const lists = checklistsOf(contract).flatMap(({ file }) => file ?? []);
  const paths = [
    ...currentTexts(ws, folder).map((name) => join(folder, name)),
    ...(own ? listOrNothing(disk, templates) : []).map(({ name }) => join(templates, name)),
    ...[...context_files, ...lists].map((file) => join(layout.root, file)),
    ...head.context_from.filter(isTaskId).map((id) => join(lastFolder(ws, id), 'result.md')),
    ...capabilitiesOf(ws).flatMap((one) => one.texts?.(ws, contract, folder) ?? []),
  ];
  return paths.flatMap((path) => {
    if (disk.stat(path)?.kind !== 'file') return [];
    const read = readProse(disk, path, shown(layout, path), { single_link: false });
    return read.ok ? [] : read.problems.filter(({ code }) => code === 'conflict');
  });
}

const CURRENT_FILES: ReadonlySet<string> = new Set(
  TASK_FILES.filter((name) => name !== 'contract.md'),
);

/** The current files of a task beside its contract, and its notes, relative to it. */
export function currentTexts({ disk }: Workspace, folder: string): readonly string[] {
  return listOrNothing(disk, folder).flatMap(({ name, kind }) => {
    if (name !== 'notes' || kind !== 'folder') return CURRENT_FILES.has(name) ? [name] : [];
    return listOrNothing(disk, join(folder, name)).map((one) => join(name, one.name));
  });
}
