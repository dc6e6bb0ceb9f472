/**
 * Documents below `.contracts/`, the one way in which agents write them: copies are put on the desk, and
 * what differs at the end is put in place by the runner, as far as the agent's own permissions and a
 * capability allow it (docs/reference/attempts.md#documents). Safe to repeat after a crash.
 */
import { dirname, join } from 'node:path';
import { isWithin } from '../../task/core/base/folders.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import {
  refuseChange,
  runsByItself,
  RUNS_WORDS,
  type ChangeKind,
  type Permissions,
} from '../../task/core/model/permissions.ts';
import { problem } from '../../task/core/model/problem.ts';
import { errorCode, ReadRefused, unlessGone, type Disk } from '../../task/store/disk/disk.ts';
import { bytesAt, entriesOf } from '../../task/store/snapshots/folder-snapshot.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { put, putIfUnchanged } from '../../task/store/disk/put.ts';
import { attemptFolder, DOCUMENTS, PLACED, SETTINGS } from '../../task/store/tasks/layout.ts';
import { inside, makeBelow } from '../../task/store/tasks/tasks.ts';
import { executorOf, roleOf, type Role } from '../../agents/engine/roles.ts';
import { permissionsFor } from '../../permissions/engine/enforce/effective-permissions.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import {
  capabilitiesOf,
  type Documents,
  type NamedBytes,
} from '../../workspace/tasks/capability.ts';
import { isFollowed, isPlacedThere } from '../../workspace/tasks/placed.ts';
import { redacted } from '../../workspace/tasks/redact.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const FILES_MAX = 200;
/** Larger ones are not put on a desk. */
const GIVEN_BYTES_MAX = 256 * 1024;
const BYTES_MAX = 1024 * 1024;
const TRIES = 4;
const TOO_MANY = `only the first ${FILES_MAX} files are, and it comes after them`;
const AGAIN = 'it changes all the time';
/** Outcomes with documents that count. Those of the others stay in the attempt. */
const HAND_IN = /^(?:complete|questions|delegated|blocked|approved|needs_work|reject)$/;

/** Documents that the agent of one attempt may hand in. */
export interface Door {
  readonly permissions: Permissions;
  /** Folders in which it may change anything, and those with something to read. */
  readonly taken: readonly (Documents & { readonly is_open: boolean })[];
}

type Asked = Pick<Running, 'ws' | 'id'>;

export function doorOf({ ws, id }: Asked, contract: Contract, role: Role): Door {
  const permissions = permissionsFor(ws.layout, role, contract);
  const globs = [permissions.write, permissions.create, permissions.append].flat();
  const taken = capabilitiesOf(ws).flatMap((one) => {
    const documents = one.documents?.(ws, id, contract);
    if (documents === undefined) return [];
    const [top = ''] = documents.folder.split('/');
    const is_open = globs.some((glob) => glob.startsWith(`${SETTINGS}/${top}/`));
    return is_open || documents.shown.length > 0 ? [{ ...documents, is_open }] : [];
  });
  return { permissions, taken };
}

/** Copies for the desk, by their path below `.contracts/`. */
export function givenDocuments({ ws }: Asked, { permissions, taken }: Door): NamedBytes[] {
  const mayChange = (path: string): boolean =>
    (['write', 'append'] as const).some((kind) => allows(permissions, kind, path));
  const paths = taken.flatMap(({ folder, shown: always, others, is_open }) => {
    const all = is_open ? filesBelow(ws.disk, join(ws.layout.root, SETTINGS), folder) : [];
    const own = all.filter((path) => others === undefined || !isWithin(others, path));
    return [...always, ...own.filter(mayChange)];
  });
  return [...new Set(paths)].slice(0, FILES_MAX).flatMap((name) => {
    const bytes = bytesIn(ws.disk, ws.layout.root, `${SETTINGS}/${name}`, GIVEN_BYTES_MAX);
    return bytes instanceof Uint8Array ? [{ name, bytes }] : [];
  });
}

/** First in the attempt, where no agent can write, so that nothing on the desk seems to be new. */
export function giveDocuments(running: Running, folder: string, desk: string, door: Door): void {
  const { ws, number } = running;
  for (const { name, bytes } of givenDocuments(running, door)) {
    for (const place of [attemptFolder(folder, number), desk]) {
      makeBelow(ws.disk, place, join(DOCUMENTS, dirname(name)), []);
      put(ws.putting, join(place, DOCUMENTS, name), bytes, { durable: place !== desk });
    }
  }
}

/** Between the outcome's commit and the move. A file that is refused gives one warning. */
export function placeDocuments(running: Running, outcome: string, desk: string): void {
  const { ws, id, kind, number, owner, contract, emit } = running;
  if (contract === undefined || !HAND_IN.test(outcome)) return;
  if (ws.disk.stat(desk)?.kind !== 'folder') return;
  const role = kind === 'review' ? roleOf(ws, owner.agent) : executorOf(ws, contract);
  const door = doorOf(running, contract, role);
  for (const [index, file] of filesBelow(ws.disk, desk, DOCUMENTS).entries()) {
    const path = file.slice(DOCUMENTS.length + 1);
    let why: string | undefined = index < FILES_MAX ? AGAIN : TOO_MANY;
    for (let tries = 1; tries <= TRIES && why === AGAIN; tries++) {
      why = placeOne(running, contract, door, desk, path);
    }
    if (why === undefined) continue;
    const message = `${id} handed this in, and it is not put in place: ${why}`;
    const fix = `It is kept in attempt ${number} of ${id}, as desk/${file}`;
    const code = 'beyond_permissions';
    const severity = 'warning';
    const refused = problem({ code, severity, file: join(SETTINGS, path), message, fix });
    emit({ event: 'problem', problem: refused });
  }
}

/** True if a document on the desk is not as it was given. */
export function handsInDocuments({ disk }: Workspace, attempt: string, desk: string): boolean {
  const at = (folder: string, file: string) => bytesAt(disk, join(folder, file), BYTES_MAX);
  return filesBelow(disk, desk, DOCUMENTS).some((one) => !isSame(at(attempt, one), at(desk, one)));
}

/** Why it is not put in place. */
function placeOne(
  { ws, kind }: Running,
  { head }: Contract,
  { permissions, taken }: Door,
  desk: string,
  path: string,
): string | undefined {
  const { disk, layout } = ws;
  const attempt = dirname(desk);
  const at = `${SETTINGS}/${path}`;
  const bytes = bytesIn(disk, desk, `${DOCUMENTS}/${path}`);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const given = bytesAt(disk, join(attempt, DOCUMENTS, path), BYTES_MAX);
  // Its secrets are redacted on the desk as well.
  const start = given && redacted(ws, given);
  if (isSame(start, bytes)) return undefined;
  if (!taken.some(({ folder }) => folder !== path && isWithin(folder, path))) {
    return 'it is no document of this task';
  }
  if (kind === 'review' && head.deliverables.some((glob) => globMatcher(glob)(at))) {
    return 'a reviewer changes no deliverable';
  }
  const there = bytesIn(disk, layout.root, at);
  if (typeof there === 'string') return there;
  if (isSame(there, bytes)) return undefined;
  const change = (given ?? there) === undefined ? 'create' : 'write';
  const refused = refuseChange(permissions, { kind: change, path: at });
  const grows = refused !== undefined && allows(permissions, 'append', path);
  if (refused !== undefined && !grows) return refused.why;
  const copy = join(attempt, PLACED, path);
  if (there && isPlacedThere(ws, copy, at, there, grows)) return undefined;
  const isAsGiven = isSame(there, given);
  if (runsByItself(path.split('/')) !== undefined) return RUNS_WORDS;
  if (!grows) {
    if (given && !isSame(start, given)) return 'it has a secret, which would be lost';
    // A runner that brought it up to date since then does so again.
    if (!isAsGiven && !(given && there && isFollowed(ws, at, given, there))) {
      return 'it was changed since the agent was called, and that change stays';
    }
    return putBoth(ws, attempt, path, there, bytes);
  }
  if (start && !isSame(bytes.subarray(0, start.length), start)) {
    return 'it may only be appended to, and what was in it was changed';
  }
  // Lines of others that have no end get one.
  const gap = isAsGiven || (there?.at(-1) ?? 10) === 10 ? '' : '\n';
  const end = bytes.subarray(start?.length ?? 0);
  const all = Buffer.concat([there ?? Buffer.from(''), Buffer.from(gap), end]);
  return all.length > BYTES_MAX
    ? 'it would be larger than 1 MiB'
    : putBoth(ws, attempt, path, there, all);
}

/** First in the attempt: that shows what a runner wrote, and what a crash cut short. */
function putBoth(
  ws: Workspace,
  attempt: string,
  path: string,
  there: Uint8Array | undefined,
  bytes: Uint8Array,
): string | undefined {
  const { disk, putting } = ws;
  const { root } = ws.layout;
  const [copy, at] = [`${PLACED}/${path}`, `${SETTINGS}/${path}`];
  const made: string[] = [];
  const isClear =
    makeBelow(ws.disk, attempt, dirname(copy), made) && makeBelow(ws.disk, root, dirname(at), made);
  if (!isClear) return 'a link or a file is in its way';
  put(putting, join(attempt, copy), bytes);
  const done = putIfUnchanged(putting, join(root, at), there && sha256(there), bytes);
  for (const folder of made) disk.sync(dirname(folder));
  return done === 'put' ? undefined : AGAIN;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : Buffer.compare(one, other) === 0;
}

function allows(permissions: Permissions, kind: ChangeKind, path: string): boolean {
  return refuseChange(permissions, { kind, path: `${SETTINGS}/${path}` }) === undefined;
}

/** undefined: there is none; words: why it is not read. */
function bytesIn(disk: Disk, root: string, path: string, bytes_max = BYTES_MAX) {
  const found = inside(disk, root, path, { single_link: true });
  if (!found.ok) return found.missing ? undefined : found.why;
  try {
    return unlessGone(() => disk.read(found.path, bytes_max, { single_link: true }), undefined);
  } catch (error) {
    if (error instanceof ReadRefused) return error.message;
    if (errorCode(error) === 'EACCES') return 'it cannot be read';
    throw error;
  }
}

/** Paths from the root; no folder behind a link is entered. */
function filesBelow(disk: Disk, root: string, path: string, found: string[] = []): string[] {
  const kind = disk.stat(join(root, path))?.kind;
  if (kind === undefined || found.length > FILES_MAX) return found;
  if (kind !== 'folder') found.push(path);
  else {
    for (const { name } of entriesOf(disk, join(root, path))) {
      filesBelow(disk, root, `${path}/${name}`, found);
    }
  }
  return found;
}
