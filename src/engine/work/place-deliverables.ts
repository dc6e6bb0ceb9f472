/**
 * Moves deliverables from the desk (`deliverables/<path>`) to their places in the shared tree, when the
 * agent reports COMPLETE. A file that changed since the claim stays, and the task waits for a person.
 * Safe to repeat after a crash.
 */
import { dirname } from 'node:path';
import { ended, type Judgement } from '../core/words/outcomes.ts';
import { refuseChange } from '../../task/core/model/permissions.ts';
import type { WorkOutcome } from '../../task/core/attempts/record.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { inside, makeBelow } from '../../task/store/tasks/tasks.ts';
import { ON_DESK } from '../../task/store/tasks/layout.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';
import { permissionsFor } from '../../permissions/engine/enforce/effective-permissions.ts';
import { ABSENT, isGlob, parsed } from '../verify/deliverables.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';

/** `source` is the attempt whose agent worked: its claim is compared. */
export function deliver(
  running: Running,
  desk: string,
  judged: Judgement<WorkOutcome>,
  source = running.number,
): Judgement<WorkOutcome> {
  const { ws, contract } = running;
  if (judged.outcome !== 'complete' || contract === undefined || !isShared(ws, contract)) {
    return judged;
  }
  if (ws.disk.stat(`${desk}/${ON_DESK}`)?.kind !== 'folder') return judged;
  const permissions = permissionsFor(ws.layout, executorOf(ws, contract), contract);
  const delivered: string[] = [];
  const refused: string[] = [];
  for (const path of contract.head.deliverables) {
    if (isGlob(path) || refuseChange(permissions, { kind: 'create', path }) !== undefined) continue;
    const found = inside(ws.disk, `${desk}/${ON_DESK}`, path, { single_link: true });
    const bytes = found.ok ? readBytes(ws.disk, found.path, path) : undefined;
    if (bytes?.ok !== true) continue;
    const brought = bring(ws, path, atClaim(running, source, path), bytes.value);
    (brought ? delivered : refused).push(path);
  }
  if (refused.length === 0) return { ...judged, delivered };
  const { agent } = running.owner;
  return { ...judged, ...ended('not_delivered', { paths: refused, agent, task: running.id }) };
}

/** A hash, or `absent`. */
function atClaim({ task, number, owner }: Running, source: number, path: string): string {
  const own = source === number ? owner : task.attempts.find((one) => one.number === source)?.owner;
  return own?.baseline.map(parsed).find((one) => one.path === path)?.hash ?? ABSENT;
}

/** False where it changed, or something that is no file is in the way. */
function bring(ws: Workspace, path: string, was: string, bytes: Uint8Array): boolean {
  const full = `${ws.layout.root}/${path}`;
  const now = inside(ws.disk, ws.layout.root, path);
  const { root } = ws.layout;
  if (!now.ok && (!now.missing || !makeBelow(ws.disk, root, dirname(path), []))) return false;
  const there = now.ok ? readBytes(ws.disk, full, path, { single_link: false }) : undefined;
  if (there?.ok === false) return false;
  const hash = there === undefined ? undefined : sha256(there.value);
  if (hash === sha256(bytes)) return true;
  if (hash !== undefined && hash !== was) return false;
  return putIfUnchanged(ws.putting, full, hash, bytes) === 'put';
}
