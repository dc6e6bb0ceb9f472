/** The tasks that hold all these words anywhere in their text, archived ones too. Reads much: only where asked. */
import { dirname, join } from 'node:path';
import { STATES } from '../../task/core/model/state.ts';
import { archiveFolder, attemptsFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { archivedState } from '../board/archive.ts';
import { isLike, listTasks } from './list.ts';
import { holdsWords, type ListedTask, type Listing, type ListQuery } from './listing.ts';

/** Without `states` in the query all states are searched, and the archive. */
export function searchTasks(ws: Workspace, query: ListQuery, words: string): Listing {
  const isFound = (folder: string, id: string): boolean =>
    holdsWords([id, ...textsIn(ws, folder)], words);
  const { tasks, problems } = listTasks(ws, { ...query, states: query.states ?? new Set(STATES) });
  const archive = dirname(archiveFolder(ws.layout, 'x'));
  const old = query.states === undefined ? listOrNothing(ws.disk, archive) : [];
  return {
    tasks: [
      ...tasks.filter(({ state, id }) => isFound(taskFolder(ws.layout, state, id), id)),
      ...old
        .filter(({ name, kind }) => kind === 'folder' && isFound(join(archive, name), name))
        .map(({ name }) => archivedTask(ws, name))
        .filter((task) => isLike(task, query) && query.waits_for === undefined),
    ],
    problems,
  };
}

function textsIn(ws: Workspace, folder: string): readonly string[] {
  const attempts = attemptsFolder(folder);
  const tries = listOrNothing(ws.disk, attempts).map(({ name }) => `${attempts}/${name}`);
  return [folder, `${folder}/notes`, ...tries].flatMap((at) =>
    listOrNothing(ws.disk, at)
      .filter(({ name, kind }) => kind === 'file' && name.endsWith('.md'))
      .map(({ name }) => textIfThere(ws.disk, `${at}/${name}`) ?? ''),
  );
}

function archivedTask(ws: Workspace, id: string): ListedTask {
  const seen: { mtime_ms?: number } = {};
  const { contract } = readContract(ws, archiveFolder(ws.layout, id), id, seen);
  const { title, head } = contract.ok ? contract.value : { title: '', head: undefined };
  const { tags = [], priority = 'medium' } = head ?? {};
  const state = archivedState(ws, id) === 'archived_aborted' ? 'aborted' : 'done';
  const since = new Date(seen.mtime_ms ?? 0).toISOString();
  const named = { id, state, title, agent: [head?.agent ?? []].flat()[0] ?? '', priority } as const;
  const ended = { waits_for: 'nobody', code: 'ended', reason: 'archived', archived: true } as const;
  const times = { attempt: 0, since, stands_since: since, fix: `contracts show ${id}` };
  return { ...named, tags, ...times, ...ended };
}
