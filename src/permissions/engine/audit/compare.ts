/** What changed while an agent worked: in the tree, in git and in the tasks, judged by core. */
import { join } from 'node:path';
import { judgeChanges, type Found, type Proof, type Verdicts } from '../../core/judge-changes.ts';
import { reaches, type Reach } from '../../../sandbox/core/writable-paths.ts';
import type { ChangeKind } from '../../../task/core/model/permissions.ts';
import { CLIENT_OWN_FILES } from '../../../clients/core/records.ts';
import {
  bytesAt,
  changesBetween,
  type Change,
} from '../../../task/store/snapshots/folder-snapshot.ts';
import { readHookLog } from '../enforce/hook-log.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';
import { gitDifferences, isNested } from './git-differences.ts';
import { oddIn } from '../../../workspace/open/odd-files.ts';
import { isOwnKey } from '../../../trust/sign.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { shown, taskFolder } from '../../../task/store/tasks/layout.ts';
import { NOTHING, writtenSince, type Written } from '../../../workspace/open/journal.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { shortened } from './format-findings.ts';
import { writtenBeside } from './shared-tree.ts';
import {
  gitOf,
  isSetting,
  KEPT_BYTES_MAX,
  lookAtAll,
  OWN_TIE,
  type Seen,
  type Baseline,
} from './snapshot.ts';
import { WAITED } from './task-snapshot.ts';
import { isState, type State } from '../../../task/core/model/state.ts';

const LISTED_MAX = 200;
const TOO_MANY = 'the tree has too many files: its changes were not checked';

export interface CompareOptions {
  /** Paths that a hook, or the client itself, named as written by this agent. */
  readonly named?: ReadonlySet<string> | undefined;
  /** Paths that the sandbox let it write; undefined without a sandbox. */
  readonly reach?: Reach | undefined;
  /** The attempt whose agent worked; this one where left out. */
  readonly source?: number;
}

export interface Compared extends Verdicts {
  /** Files of `changed` that were not there before. */
  readonly created: readonly string[];
  readonly after: Seen;
  /** Lines for what commands of people wrote meanwhile: no findings. */
  readonly typed: readonly string[];
}

export function compare(running: Running, baseline: Baseline, options: CompareOptions): Compared {
  const folder = findPlace(running)?.folder ?? '';
  const { id, number: until } = running;
  const whose = { id, folder, number: options.source ?? until, until };
  const after = lookAtAll(running, baseline, whose);
  const written = writtenSince(running.ws, baseline.journal);
  const own: string[] = [];
  const all = [
    ...ofTree(running, written, baseline, after, own),
    ...gitDifferences(running, baseline, after),
    ...taskDifferences(running, written, baseline.seen, after),
  ];
  const others = [...after.tasks.places.keys()].filter(
    (one) => !baseline.seen.tasks.places.has(one),
  );
  const log = readHookLog(running, options.source);
  const proof = proofOf(running, baseline, options, log.paths);
  const judged = judgeChanges(all, baseline.permissions, proof);
  const isFile = ({ area, odd, own_workdir }: Found): boolean =>
    area === 'file' && odd === undefined && !own_workdir;
  const files = judged.noticing.filter(isFile);
  const isAnothers = files.length === 0 ? () => false : writtenBeside(running);
  const anothers = new Set(files.filter(({ path }) => isAnothers(path)));
  const found = all.filter((one) => !anothers.has(one));
  const verdicts = anothers.size === 0 ? judged : judgeChanges(found, baseline.permissions, proof);
  const isPartly = baseline.seen.tree === undefined || after.tree === undefined;
  const isUnchecked = isPartly && !baseline.permissions.write.includes('**');
  const noticed = [...verdicts.noticed, ...(isUnchecked ? [TOO_MANY] : [])];
  const changed = verdicts.changed.slice(0, LISTED_MAX);
  const made = new Set(
    found.flatMap(({ area, kind, path }) => (kind === 'create' && area !== 'task' ? [path] : [])),
  );
  return {
    ...verdicts,
    changed,
    created: changed.filter((path) => made.has(path)),
    violations: shortened([...verdicts.violations, ...log.evaded], LISTED_MAX),
    noticed: shortened(noticed, LISTED_MAX),
    typed: written.typed(own, others),
    // Nothing is known of a tree of which one side was not seen.
    after: isPartly ? { ...after, tree: undefined } : after,
  };
}

function proofOf(
  running: Running,
  { workdir }: Baseline,
  { named = new Set(), reach }: CompareOptions,
  paths: ReadonlySet<string>,
): Proof {
  const { ws } = running;
  const logged = new Set([...named, ...paths]);
  if (reach === undefined) return { named: logged };
  const { root, tasks } = ws.layout;
  const top = workdir.worktree?.folder ?? workdir.root;
  const git = gitOf(ws, workdir);
  const placeOf = ({ area, path, own_workdir }: Found): string => {
    if (area === 'task' || area === 'own_task') return tasks;
    if (area === 'git' && own_workdir && path === OWN_TIE) return join(top, path);
    if (area !== 'git' || git === undefined || isNested(path)) return join(root, path);
    return join(git.common, path);
  };
  return { named: logged, writable: (found) => reaches(reach, placeOf(found)) };
}

/** `own` gets the paths that runners and people's commands wrote. */
function ofTree(
  running: Running,
  written: Written,
  baseline: Baseline,
  after: Seen,
  own: string[],
): Found[] {
  if (baseline.seen.tree === undefined || after.tree === undefined) return [];
  const before = baseline.seen.tree.files;
  return changesBetween(before, after.tree.files).flatMap((change): Found[] => {
    const { path } = change;
    if (path.endsWith('/')) return [];
    const now = after.tree?.files.get(path);
    const kind = kindOf(running, baseline, change);
    if (kind === undefined) return [];
    const odd =
      now === undefined || now === 'shut'
        ? undefined
        : oddIn(running.ws, running.ws.layout.root, path);
    // No runner makes a program of another user of what it writes.
    if (odd === undefined && isRunners(running.ws, written, baseline, path, kind)) {
      own.push(path);
      return [];
    }
    const area = isSetting(path) ? 'settings' : 'file';
    return [{ area, kind, path, own_workdir: false, ...(odd === undefined ? {} : { odd }) }];
  });
}

/** A client adds files of its own; runners tell the journal what they write. */
function isRunners(
  ws: Workspace,
  written: Written,
  { kept, seen }: Baseline,
  path: string,
  kind: ChangeKind,
): boolean {
  if (kind !== 'delete' && isOwnKey(ws, path)) return true;
  const now = bytesAt(ws.disk, join(ws.layout.root, path), KEPT_BYTES_MAX);
  const own = kind === 'create' ? CLIENT_OWN_FILES[path] : undefined;
  if (own !== undefined) return now !== undefined && Buffer.from(own).equals(now);
  const was = kept.get(path)?.bytes;
  // Of what was not kept nobody knows from where to follow it; runners write no link and nothing so large.
  if (was === undefined && seen.tree?.files.has(path) === true) return false;
  if (now === undefined && ws.disk.stat(join(ws.layout.root, path)) !== undefined) return false;
  const digest = (bytes: Uint8Array | undefined): string =>
    bytes === undefined ? NOTHING : sha256(bytes);
  return written.leads(path, digest(was), digest(now));
}

/** undefined when its contents are provably the same. */
function kindOf(
  { ws }: Running,
  baseline: Baseline,
  { path, kind }: Change,
): ChangeKind | undefined {
  if (kind !== 'write') return kind;
  const kept = baseline.kept.get(path);
  if (kept === undefined) return 'write';
  const now = bytesAt(ws.disk, join(ws.layout.root, path), KEPT_BYTES_MAX);
  if (now === undefined) return 'write';
  const start = Buffer.from(now.buffer, now.byteOffset, Math.min(now.length, kept.bytes.length));
  if (!start.equals(kept.bytes)) return 'write';
  if (now.length > kept.bytes.length) return 'append';
  return ws.disk.stat(join(ws.layout.root, path))?.mode === kept.mode ? undefined : 'write';
}

/** Changes in other tasks and in records of the task itself; moves by runners do not count. */
function taskDifferences(
  { ws, id }: Running,
  written: Written,
  before: Seen,
  after: Seen,
): Found[] {
  const found: Found[] = [];
  const add = (area: 'task' | 'own_task', kind: ChangeKind, path: string, words?: string): void => {
    found.push({ area, kind, path, own_workdir: false, ...(words === undefined ? {} : { words }) });
  };
  for (const { path: name } of changesBetween(before.tasks.files, after.tasks.files)) {
    const [was, now] = [before.tasks.files.get(name), after.tasks.files.get(name)];
    const owner = name.split('/')[0] ?? '';
    const place = after.tasks.places.get(owner);
    // Archived, done, started or ended since then: runners and people do that.
    if (was === undefined || (place === undefined && before.tasks.places.has(owner))) continue;
    if (now === undefined || !sameStanding(was, now)) continue;
    const digest = digestIn(was);
    const file = name.slice(owner.length + 1);
    if (digest !== undefined && written.leadsTask(owner, file, digestIn(now) ?? '', digest))
      continue;
    const known = place !== undefined && isState(place);
    const path = known ? join(shown(ws.layout, taskFolder(ws.layout, place, owner)), file) : name;
    add('task', 'write', path);
  }
  for (const [other, place] of after.tasks.places) {
    if (before.tasks.places.has(other) || place === 'draft') continue;
    if (isState(place) && isMade(ws, written, place, other)) continue;
    const path = isState(place) ? shown(ws.layout, taskFolder(ws.layout, place, other)) : other;
    add('task', 'create', path, `create ${path}: a task that did not exist before`);
  }
  for (const { path, kind } of changesBetween(before.tasks.own, after.tasks.own)) {
    add('own_task', kind, `${id}/${path}`);
  }
  return found;
}

/** True if a runner made that task, or began it again, and wrote all that it says and that a person answers. */
function isMade(ws: Workspace, written: Written, state: State, id: string): boolean {
  const waited = WAITED[state];
  return ['contract.md', ...(waited === undefined ? [] : [waited])].every((name) => {
    const bytes = bytesAt(ws.disk, `${taskFolder(ws.layout, state, id)}/${name}`, KEPT_BYTES_MAX);
    return bytes === undefined
      ? name !== 'contract.md'
      : written.leadsTask(id, name, sha256(bytes));
  });
}

/** Runners change the state and the attempts, which are in front of the mark. */
function sameStanding(was: string, now: string): boolean {
  const standing = (mark: string): string => mark.replace(/(?:[\d.]+ ){3}[\d.]+(?: \w+)?$/, '');
  return standing(was) === standing(now);
}

/** Digest behind the mark of a file in which a person answers. */
const digestIn = (mark: string): string | undefined => / ([\da-f]{64})$/.exec(mark)?.[1];
