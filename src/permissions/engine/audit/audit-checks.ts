/** What checks changed outside the permissions: they run the agent's code, and are no way around. */
import { groupedBy } from '../../../task/core/base/groups.ts';
import { dirname } from 'node:path';
import {
  refuseChange,
  SETTING_FILES,
  SETTING_FOLDERS,
} from '../../../task/core/model/permissions.ts';
import { checkName, type Check, type Contract } from '../../../task/core/model/contract.ts';
import {
  changesBetween,
  markAt,
  snapshotFolder,
  type Change,
} from '../../../task/store/snapshots/folder-snapshot.ts';
import {
  OWN,
  snapshot,
  TREE_FILES_MAX,
  type Snapshot,
} from '../../../task/store/snapshots/fingerprint.ts';
import { permissionsFor } from '../enforce/effective-permissions.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { executorOf } from '../../../agents/engine/roles.ts';
import { gitConfigured, isElsewhere } from '../../../trust/changed-settings.ts';
import type { Workdir } from '../../../worktrees/engine/workdir.ts';
import { distrust } from './mark-untrusted.ts';
import { shortened } from './format-findings.ts';

const LISTED_MAX = 100;

/** `tree`: the files just before, where they are known. Call the result after the checks: a line a change. */
export function watchChecks(
  running: Running,
  contract: Contract,
  checks: readonly Check[],
  workdir: Workdir,
  tree?: Snapshot,
): () => readonly string[] {
  const { ws } = running;
  const shared = workdir.isolation === 'shared';
  const whole = shared ? (tree ?? snapshot(ws.disk, ws.layout)) : undefined;
  const before = whole ?? settingsOf(running);
  const trusted = gitConfigured(ws, ws.layout.root);
  return () => {
    const after = whole === undefined ? settingsOf(running) : snapshot(ws.disk, ws.layout);
    const files = after === undefined ? [] : beyond(running, contract, before, after);
    return [...gitBeyond(running, trusted), ...files].map(
      (line) => `${checks.map(checkName).join(', ')}: ${line}`,
    );
  };
}

/** A hook or a setting of git runs for whoever calls git next. */
function gitBeyond(running: Running, trusted: string): readonly string[] {
  const now = gitConfigured(running.ws, running.ws.layout.root);
  if (trusted === now || isElsewhere(trusted, now)) return [];
  distrust(running, { files: undefined, kept: new Map(), trusted }, [
    { area: 'git', own_workdir: false, path: 'config', kind: 'write' },
  ]);
  return ['changed what configures git'];
}

function settingsOf({ ws }: Running): Snapshot {
  const options = {
    files_max: TREE_FILES_MAX,
    left_out: new Set(['.git', 'node_modules']),
    skipped: OWN,
    below: [...SETTING_FOLDERS, ...SETTING_FILES],
  };
  return snapshotFolder(ws.disk, ws.layout.root, options)?.files ?? new Map();
}

function beyond(running: Running, contract: Contract, before: Snapshot, after: Snapshot) {
  const { ws } = running;
  // What could not be looked at for a moment has not changed.
  const isShut = (path: string): boolean =>
    after.get(path) === 'shut' && markAt(ws.disk, `${ws.layout.root}/${path}`) === before.get(path);
  const changes = changesBetween(before, after).filter(({ path }) => !isShut(path));
  if (changes.length === 0) return [];
  const permissions = permissionsFor(ws.layout, executorOf(ws, contract), contract);
  const found = changes.flatMap((change) => {
    const refusal = refuseChange(permissions, change);
    return refusal === undefined ? [] : { ...change, why: refusal.why };
  });
  distrust(
    running,
    { files: before, kept: new Map() },
    found.map(({ path, kind }) => ({ area: 'file', own_workdir: false, path, kind })),
  );
  return folded(before, found);
}

interface Refused extends Change {
  readonly why: string;
}

/** A check that builds creates whole folders: each new one is reported once. */
function folded(before: Snapshot, found: readonly Refused[]): readonly string[] {
  const known = new Set<string>(['.']);
  for (const path of before.keys()) {
    for (let up = dirname(path); !known.has(up); up = dirname(up)) known.add(up);
  }
  const groups = groupedBy(found, ({ kind, path: top }) => {
    if (kind === 'create') while (!known.has(dirname(top))) top = dirname(top);
    return top;
  });
  const lines = [...groups].map(([top, [first, ...more]]) =>
    more.length === 0 ? first!.why : `${first!.why}; and ${more.length} more in ${top}/`,
  );
  return shortened(lines, LISTED_MAX);
}
