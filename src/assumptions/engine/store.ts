/**
 * Assumptions on the disk: open ones in `.contracts/assumptions/`, others in `confirmed/` or `rejected/` below
 * it. A person's `mv` or edit counts as any other.
 */
import { basename, dirname, join } from 'node:path';
import type { Problem } from '../../task/core/model/problem.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { makeDurable, namesInState } from '../../task/store/tasks/tasks.ts';
import { archivedState } from '../../engine/board/archive.ts';
import { archivedIds } from '../../engine/board/resolve-id.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { idFor } from '../../memory/core/learning.ts';
import { sameAs } from '../../memory/core/similar.ts';
import { weightOf, type Weight } from '../../memory/core/weight.ts';
import { editFile } from '../../memory/engine/edit-file.ts';
import { readFolder } from '../../memory/engine/read-folder.ts';
import { namesOf } from '../../memory/engine/store.ts';
import { editHead } from '../../memory/text/learning-file.ts';
import type { Assumption, KeptAssumption } from '../core/assumption.ts';
import { assumptionsFolder } from './folder.ts';
import { parseAssumption, renderAssumption } from '../text/assumption-file.ts';

type Closed = 'confirmed' | 'rejected';

export interface Assumptions {
  readonly open: readonly KeptAssumption[];
  readonly problems: readonly Problem[];
}

export function openAssumptions(ws: Workspace): Assumptions {
  return assumptionsIn(ws, assumptionsFolder(ws));
}

export function closedAssumptions(ws: Workspace, as: Closed): readonly KeptAssumption[] {
  return assumptionsIn(ws, join(assumptionsFolder(ws), as)).open;
}

function assumptionsIn(ws: Workspace, folder: string): Assumptions {
  const problems: Problem[] = [];
  return { open: readFolder(ws, folder, parseAssumption, problems), problems };
}

/** One that is open already, or that a person settled, gets the source. Returns one that was rejected. */
export function keepAssumption(ws: Workspace, one: Assumption): KeptAssumption | undefined {
  const isAlike = ({ plan, kind }: Assumption): boolean => plan === one.plan && kind === one.kind;
  const rejected = sameAs(one, closedAssumptions(ws, 'rejected').filter(isAlike));
  const known = [...openAssumptions(ws).open, ...closedAssumptions(ws, 'confirmed')];
  const same = rejected ?? sameAs(one, known.filter(isAlike));
  if (same !== undefined) {
    changeAssumption(ws, same, (now) => ({
      source: [...new Set([...now.source, ...one.source])],
      ...(one.kind === 'assumption' && { confidence: Math.min(now.confidence, one.confidence) }),
    }));
    return rejected;
  }
  const folder = assumptionsFolder(ws);
  makeDurable(ws.disk, ws.layout, folder);
  for (let number = 1; ; number++) {
    const name = `${idFor(one.information, number)}.md`;
    const places = [name, `confirmed/${name}`, `rejected/${name}`];
    if (places.some((place) => ws.disk.stat(join(folder, place)) !== undefined)) continue;
    const bytes = bytesOf(renderAssumption(one));
    if (putIfUnchanged(ws.putting, join(folder, name), undefined, bytes) === 'put')
      return undefined;
    // Another runner may have written the same one just now.
    return keepAssumption(ws, one);
  }
}

/** By what came of the tasks whose briefs showed them; equals stay as they are. */
export function heaviestFirst(
  all: readonly KeptAssumption[],
  ws: Workspace,
): readonly (KeptAssumption & Weight)[] {
  const names = namesOf(ws);
  const weighed = all.map((one) => ({ ...one, ...weightOf(one, names) }));
  return weighed.sort((a, b) => b.weight - a.weight);
}

/** False: as of `editFile`. */
export function changeAssumption(
  ws: Workspace,
  { file }: KeptAssumption,
  change: (one: Assumption) => Partial<Assumption>,
): boolean {
  const parse = (text: string) => parseAssumption(text, file);
  return editFile(ws, file, parse, (one, text) => editHead(text, change(one)));
}

/** Out of the open ones. */
export function closeAssumption(ws: Workspace, { file }: KeptAssumption, to: Closed): void {
  const path = join(ws.layout.root, file);
  const folder = join(assumptionsFolder(ws), to);
  makeDurable(ws.disk, ws.layout, folder);
  let name = basename(file);
  // A person may have put another one there.
  for (let number = 2; ws.disk.stat(join(folder, name)) !== undefined; number++)
    name = `${basename(file, '.md')}-${number}.md`;
  ws.disk.rename(path, join(folder, name));
  ws.disk.sync(folder);
  ws.disk.sync(dirname(path));
}

/** How many tasks are done. Those in the archive may be aborted. */
export function doneCount(ws: Workspace): number {
  const archived = archivedIds(ws).filter((id) => archivedState(ws, id) === 'archived_done');
  return namesInState(ws.disk, ws.layout, 'done').length + archived.length;
}

/** How many are done or in the archive, by their names alone. */
export function endedCount(ws: Workspace): number {
  return namesInState(ws.disk, ws.layout, 'done').length + archivedIds(ws).length;
}
