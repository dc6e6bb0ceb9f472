/**
 * What is different after an agent worked: each difference as core judges it, with the operation of git
 * that it takes. Looks at the disk, decides nothing.
 */
import { join, relative } from 'node:path';
import { judgeChanges, type Found, type Proof, type Verdicts } from '../../core/judge-changes.ts';
import { reaches, type Reach } from '../../core/reach.ts';
import type { ChangeKind, GitOperation } from '../../core/authority.ts';
import { lastMove } from '../../store/git-sight.ts';
import { bytesAt, differing, type Marks } from '../../store/sight.ts';
import { shown, taskFolder } from '../../store/layout.ts';
import { isState } from '../../core/state.ts';
import { readHookLog } from '../attempt/hooked.ts';
import { findPlace, type Running } from '../attempt/running.ts';
import {
  gitOf,
  isSetting,
  KEPT_BYTES_MAX,
  lookAtAll,
  OWN_TIE,
  type Seen,
  type Witness,
} from './witness.ts';

/** How many lines of each kind an outcome lists. */
const LISTED_MAX = 200;

export interface CompareOptions {
  /** Paths that a hook, or the client itself, named as written by this agent. */
  readonly named?: ReadonlySet<string> | undefined;
  /** What the sandbox let it write; undefined when there was none. */
  readonly reach?: Reach | undefined;
  /** The attempt whose agent worked; this one when left out. */
  readonly source?: number;
}

export interface Compared extends Verdicts {
  readonly after: Seen;
}

export function compare(running: Running, witness: Witness, options: CompareOptions): Compared {
  const folder = findPlace(running)?.folder ?? '';
  const whose = {
    id: running.id,
    folder,
    number: options.source ?? running.number,
    until: running.number,
  };
  const after = lookAtAll(running, witness, whose);
  const found = [
    ...ofTree(running, witness, after),
    ...ofGit(running, witness, after),
    ...ofTasks(running, witness.seen, after),
  ];
  const verdicts = judgeChanges(found, witness.authority, proofOf(running, witness, options));
  const partly = witness.seen.tree === undefined || after.tree === undefined;
  const noticed = partly ? [...verdicts.noticed, ...tooMany(witness)] : verdicts.noticed;
  return {
    ...verdicts,
    changed: verdicts.changed.slice(0, LISTED_MAX),
    violations: shortened(verdicts.violations),
    noticed: shortened(noticed),
    after,
  };
}

function shortened(lines: readonly string[]): readonly string[] {
  const left = lines.length - LISTED_MAX;
  return left <= 0 ? lines : [...lines.slice(0, LISTED_MAX), `and ${left} more`];
}

function tooMany({ authority }: Witness): readonly string[] {
  return authority.write.includes('**')
    ? []
    : ['the tree has too many files: what changed in it was not looked at'];
}

function proofOf(
  running: Running,
  { ground }: Witness,
  { named = new Set(), source, reach }: CompareOptions,
): Proof {
  const { ws } = running;
  const logged = new Set([...named, ...readHookLog(running, source).paths]);
  if (reach === undefined) return { named: logged };
  const { root, tasks } = ws.layout;
  const top = ground.worktree?.folder ?? ground.root;
  const git = gitOf(ws.disk, ground);
  const placeOf = ({ area, path, own_ground }: Found): string => {
    if (area === 'task' || area === 'own_task') return tasks;
    if (area === 'git' && own_ground && path === OWN_TIE) return join(top, path);
    if (area !== 'git' || git === undefined || isNested(path)) return join(root, path);
    return join(git.common, path);
  };
  return { named: logged, writable: (found) => reaches(reach, placeOf(found)) };
}

function ofTree(running: Running, witness: Witness, after: Seen): Found[] {
  if (witness.seen.tree === undefined || after.tree === undefined) return [];
  const before = witness.seen.tree.files;
  return differing(before, after.tree.files).flatMap((path): Found[] => {
    const now = after.tree?.files.get(path);
    const kind = kindOf(running, witness, path, now !== undefined);
    if (kind === undefined) return [];
    const area = isSetting(path) ? 'settings' : 'file';
    const to = now?.endsWith(' other') === true ? leadsOut(running, path) : undefined;
    return [{ area, kind, path, own_ground: false, ...(to === undefined ? {} : { leads_to: to }) }];
  });
}

/** undefined when its contents are known to be what they were. */
function kindOf(
  { ws }: Running,
  witness: Witness,
  path: string,
  there: boolean,
): ChangeKind | undefined {
  if (!there) return 'delete';
  if (witness.seen.tree?.files.has(path) !== true) return 'create';
  const kept = witness.kept.get(path);
  if (kept === undefined) return 'write';
  const now = bytesAt(ws.disk, join(ws.layout.root, path), KEPT_BYTES_MAX);
  if (now === undefined) return 'write';
  const start = Buffer.from(now.buffer, now.byteOffset, Math.min(now.length, kept.bytes.length));
  if (!start.equals(kept.bytes)) return 'write';
  if (now.length > kept.bytes.length) return 'append';
  return ws.disk.stat(join(ws.layout.root, path))?.mode === kept.mode ? undefined : 'write';
}

/** By its words alone: nothing is followed. */
function leadsOut({ ws }: Running, path: string): string | undefined {
  const { root } = ws.layout;
  const full = join(root, path);
  const target = ws.disk.link?.(full);
  if (target === undefined) return undefined;
  const to = target.startsWith('/') ? join(target) : join(full, '..', target);
  return to === root || to.startsWith(`${root}/`) ? undefined : target;
}

function ofGit({ ws }: Running, witness: Witness, after: Seen): Found[] {
  const git = gitOf(ws.disk, witness.ground);
  const alone = witness.ground.isolation === 'worktree';
  const inGit = differing(witness.seen.git, after.git).map((name) => {
    const kind = changeKind(witness.seen.git, after.git, name);
    const moved = git === undefined ? '' : lastMove(ws.disk, git.common, name);
    const operation = operationOf(name, kind, moved);
    // Its own HEAD, index and commits, and the refs beside, are told by the worktree (settle.ts).
    if (alone && operation !== undefined) return undefined;
    const own = name.startsWith('own/');
    const folder = git === undefined || !own ? '' : relative(git.common, git.own);
    const plain = own ? name.slice('own/'.length) : name;
    const path = own && plain !== OWN_TIE ? join(folder, plain) : plain;
    return gitFound({ name, path, own_ground: alone && own }, kind, operation);
  });
  const nested = differing(witness.seen.nested, after.nested).map((path) =>
    gitFound(
      { name: path, path, own_ground: false },
      changeKind(witness.seen.nested, after.nested, path),
      undefined,
    ),
  );
  return [
    ...inGit.filter((found) => found !== undefined),
    ...nested.filter((found) => found !== undefined),
  ];
}

interface GitName {
  /** As it was seen: of its own worktree with `own/`. */
  readonly name: string;
  /** In git's folder, or in the tree for a repository inside it. */
  readonly path: string;
  readonly own_ground: boolean;
}

function gitFound(
  { name, path, own_ground }: GitName,
  kind: ChangeKind,
  operation: GitOperation | 'read' | undefined,
): Found | undefined {
  if (operation === 'read') return undefined;
  if (operation === undefined) {
    const words = `${SAID[kind]} ${GIT_WORDS[path] ?? gitPath(path)}`;
    return { area: 'git', kind, path, own_ground, words };
  }
  const plain = name.replace(/^own\//, '');
  const words = `${SAID[kind]} ${GIT_WORDS[plain] ?? plain}`;
  return { area: 'git', kind, path, own_ground, words, operation };
}

/** Of what is found in git: where a person looks for it. */
export function gitPath(path: string): string {
  return isNested(path) ? path : `.git/${path}`;
}

function isNested(path: string): boolean {
  return path.split('/').includes('.git');
}

const SAID: Readonly<Record<ChangeKind, string>> = {
  create: 'made',
  write: 'changed',
  append: 'changed',
  delete: 'removed',
};

const GIT_WORDS: Readonly<Record<string, string>> = {
  HEAD: 'what is checked out (HEAD)',
  index: 'what is staged (the index)',
  stashes: 'the stashes',
  reftable: 'refs (reftable)',
  [OWN_TIE]: 'what ties the worktree to its repository (.git)',
};

function changeKind(before: Marks, after: Marks, name: string): ChangeKind {
  if (!after.has(name)) return 'delete';
  return before.has(name) ? 'write' : 'create';
}

/** `read` is what looking at git, or fetching, leaves behind; undefined what is nobody's to do. */
function operationOf(
  named: string,
  kind: ChangeKind,
  moved: string,
): GitOperation | 'read' | undefined {
  const name = named.replace(/^own\//, '');
  if (name === 'HEAD' || name === 'reftable') return 'branch';
  if (name === 'index') return 'add';
  if (name === 'stashes' || name === 'refs/stash') return 'stash';
  if (name === 'MERGE_HEAD' || name === 'CHERRY_PICK_HEAD' || name === 'REVERT_HEAD')
    return 'merge';
  if (name.startsWith('rebase-')) return 'rebase';
  if (name.startsWith('refs/tags/')) return 'tag';
  if (name.startsWith('refs/remotes/')) return moved === 'update by push' ? 'push' : 'read';
  if (!name.startsWith('refs/heads/')) return name.startsWith('refs/') ? 'branch' : undefined;
  if (kind !== 'write') return 'branch';
  if (/^(?:merge|pull|commit \(merge\))\b/.test(moved)) return 'merge';
  if (moved.startsWith('rebase')) return 'rebase';
  return moved.startsWith('reset') ? 'branch' : 'commit';
}

function ofTasks({ ws, id }: Running, before: Seen, after: Seen): Found[] {
  const found: Found[] = [];
  const add = (area: 'task' | 'own_task', kind: ChangeKind, path: string, words?: string): void => {
    found.push({ area, kind, path, own_ground: false, ...(words === undefined ? {} : { words }) });
  };
  for (const name of differing(before.tasks.files, after.tasks.files)) {
    const [was, now] = [before.tasks.files.get(name), after.tasks.files.get(name)];
    const owner = name.split('/')[0] ?? '';
    const place = after.tasks.places.get(owner);
    // Archived, done, begun or ended meanwhile: runners and people do that.
    if (was === undefined || (place === undefined && before.tasks.places.has(owner))) continue;
    if (now === undefined || !sameStanding(was, now)) continue;
    const known = place !== undefined && isState(place);
    const path = known
      ? join(shown(ws.layout, taskFolder(ws.layout, place, owner)), name.slice(owner.length + 1))
      : name;
    add('task', 'write', path);
  }
  for (const [other, place] of after.tasks.places) {
    if (before.tasks.places.has(other) || place === 'draft') continue;
    const path = isState(place) ? shown(ws.layout, taskFolder(ws.layout, place, other)) : other;
    add('task', 'create', path, `create ${path}: a task that did not wait anywhere before`);
  }
  for (const name of differing(before.tasks.own, after.tasks.own)) {
    add('own_task', changeKind(before.tasks.own, after.tasks.own, name), `${id}/${name}`);
  }
  return found;
}

/** What a person is waited for carries the state and the attempts: a runner writes it when those change. */
function sameStanding(was: string, now: string): boolean {
  const standing = (mark: string): string => mark.replace(/(?:[\d.]+ ){3}[\d.]+(?: \w+)?$/, '');
  return standing(was) === standing(now);
}
