/** The baseline as a file, for a dead runner and for hosts; written before the gate opens. */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { permissionsSchema } from '../../../task/core/model/permissions-schema.ts';
import { parsedJson } from '../../../task/core/base/json.ts';
import { lazily } from '../../../task/core/base/lazy.ts';
import { unlessGone } from '../../../task/store/disk/disk.ts';
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { bytesAt } from '../../../task/store/snapshots/folder-snapshot.ts';
import { atPlace, bytesOf, type Running } from '../../../workspace/tasks/attempt-context.ts';
import { journalNow } from '../../../workspace/open/journal.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import type { Workdir } from '../../../worktrees/engine/workdir.ts';
import type { KeptFile, Baseline } from './snapshot.ts';

const BEFORE = 'before.json';
const BEFORE_BYTES_MAX = 64 * 1024 * 1024;
/** Files up to which a tree is counted where everything may be written. */
const OPEN_FILES_MAX = 2_000;

/** A map is kept as an array of pairs. */
const marks = lazily(() =>
  z.pipe(
    z.array(z.tuple([z.string(), z.string()])),
    z.transform((pairs) => new Map(pairs)),
  ),
);
const beforeSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    permissions: permissionsSchema(),
    tree: z.nullable(z.object({ files: marks(), folders: z.array(z.string()) })),
    trusted: z.string(),
    // Missing in one of an earlier version: then nothing is a runner's.
    journal: z.optional(z.record(z.string(), z.number())),
    contracts: z.array(z.tuple([z.string(), z.array(z.string())])),
    git: marks(),
    nested: marks(),
    places: marks(),
    tasks: marks(),
    own: marks(),
    /** Path, bytes as base64, file mode (-1: unknown). */
    kept: z.array(z.tuple([z.string(), z.string(), z.number()])),
  }),
);

/** False where the attempt is gone, or belongs to another runner. */
export function keepBaseline(running: Running, baseline: Baseline): boolean {
  const { number, ws } = running;
  const bytes = bytesOf(JSON.stringify(recordOf(baseline)));
  const isKept = atPlace(running, ({ folder }) => {
    const path = join(attemptFolder(folder, number), BEFORE);
    // An interrupted delegation is continued: the earlier baseline saw more.
    if (ws.disk.stat(path) === undefined) ws.disk.create(path, bytes, { durable: false });
    return true;
  });
  return isKept === true;
}

function recordOf({ permissions, contracts, seen, trusted, journal, kept }: Baseline): unknown {
  const { tree, tasks } = seen;
  const small = kept.size > 0 || (tree?.files.size ?? 0) <= OPEN_FILES_MAX;
  return {
    v: 1,
    permissions,
    tree:
      tree !== undefined && small ? { files: [...tree.files], folders: [...tree.folders] } : null,
    trusted,
    journal,
    contracts: [...contracts],
    git: [...seen.git],
    nested: [...seen.nested],
    places: [...tasks.places],
    tasks: [...tasks.files],
    own: [...tasks.own],
    kept: [...kept].map(([path, { bytes, mode }]) => [
      path,
      Buffer.from(bytes).toString('base64'),
      mode ?? -1,
    ]),
  };
}

/** undefined when none can be read; `attempt`: its folder. */
export function readBaseline(
  ws: Workspace,
  attempt: string,
  workdir: Workdir,
): Baseline | undefined {
  const bytes = bytesAt(ws.disk, join(attempt, BEFORE), BEFORE_BYTES_MAX);
  if (bytes === undefined) return undefined;
  const parsed = beforeSchema().safeParse(parsedJson(Buffer.from(bytes).toString('utf8')));
  if (!parsed.success) return undefined;
  const { permissions, trusted, contracts, tree, git, nested, places, tasks, own, kept } =
    parsed.data;
  const journal = parsed.data.journal ?? journalNow(ws);
  return {
    workdir,
    permissions,
    trusted,
    journal,
    contracts: new Map(contracts),
    seen: {
      tree: tree === null ? undefined : { ...tree, folders: new Set(tree.folders), gits: [] },
      git,
      nested,
      tasks: { places, files: tasks, own },
    },
    kept: new Map(
      kept.map(([path, base64, mode]): [string, KeptFile] => [
        path,
        { bytes: Buffer.from(base64, 'base64'), mode: mode === -1 ? undefined : mode },
      ]),
    ),
  };
}

export function dropBaseline(ws: Workspace, attempt: string): void {
  const path = join(attempt, BEFORE);
  unlessGone(() => {
    if (ws.disk.stat(path) !== undefined) ws.disk.remove(path);
  }, undefined);
}
