/**
 * What one attempt or one check sees and may write, as places for the sandbox: the ground by its
 * authority at folder granularity, its desk, the client's own state, git where it may commit. Knows
 * the layout and looks which places there are; makes the folders that a glob opens and that are missing.
 */
import { dirname, extname, join, relative, resolve } from 'node:path';
import { gitIn } from '../agent/git.ts';
import { gitFolders, storesBeside, type GitFolders } from '../agent/git-folders.ts';
import { kindOf, makeFolder } from '../agent/kind-of.ts';
import { hiddenAtHome, namedPlaces, programPlaces, toolFolders } from '../agent/sandbox-tools.ts';
import type { SandboxPlace } from '../agent/sandbox.ts';
import {
  isTrustedWithGit,
  PROTECTED,
  SETTING_FILES,
  SETTING_FOLDERS,
  type Authority,
} from '../core/authority.ts';
import { isWithin, openFolders } from '../core/open-folders.ts';
import { desksFolder, SETTINGS } from '../store/layout.ts';
import { packageFolder } from './package-folder.ts';
import { shutFolders } from './shut-folders.ts';
import type { Workspace } from './workspace.ts';
import { objectFolders } from './worktree/objects.ts';

export interface Scope {
  readonly kind: 'work' | 'review' | 'check';
  /** The folder in which it works, absolute. */
  readonly root: string;
  readonly authority: Authority;
  /** Where it may write beside the ground: its desk and what its client keeps. */
  readonly writes: readonly string[];
  /** Variables of its environment that name what it reads, wherever that lies. */
  readonly reads_env?: readonly string[];
}

export interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Programs that it starts itself, with their arguments. */
  readonly starts: readonly string[];
  readonly mark: string;
}

export interface Places {
  readonly places: readonly SandboxPlace[];
  /** Folders that are open, relative to the ground; `.` is all of it. */
  readonly open: readonly string[];
  readonly wider: readonly string[];
  /** Of git's own folder: nothing, what a commit in a worktree needs, or all but its settings. */
  readonly git: 'read' | 'worktree' | 'trusted';
  /** What the person's own configuration of git says and commits need: the home is not there. */
  readonly git_settings: readonly (readonly [string, string])[];
  /** Folders that were made so that they can be open; they go again if they stay empty. */
  readonly made: readonly string[];
  /** Lets go of the folders that were made so that they can be shut. */
  letGo(): void;
}

const GIT_WRITES = new Set([
  'add',
  'commit',
  'branch',
  'tag',
  'stash',
  'merge',
  'rebase',
  'push',
  'config',
]);
/** Who may send is given what git and gh send with. */
const GIT_SENDS = new Set(['push', 'pull_request']);
const GIT_KEYS = ['.ssh', '.gitconfig', '.git-credentials', '.netrc', '.config/git', '.config/gh'];
/** Whoever may write these decides what runs when somebody else calls git. */
const GIT_SETTINGS = ['config', 'config.worktree', 'hooks', 'info'];
/** Where a store of objects names others. */
const NAMES = 'info/alternates';

export function placesFor(ws: Workspace, scope: Scope, started: Started): Places {
  const { root } = scope;
  const made: string[] = [];
  const { folders, wider } = openIn(ws, scope);
  const open = folders.filter((folder) => makeFolders(ws, root, folder, made));
  const git = gitFolders(root);
  const guarded = keptOf(scope).map((name) => join(root, name));
  if (isWithin(root, ws.layout.root)) makeFolders(ws, root, SETTINGS, []);
  const folders_of_settings = SETTING_FOLDERS.map((name) => join(root, name));
  const settings = [...folders_of_settings, ...SETTING_FILES.map((name) => join(root, name))];
  const above = open.includes('.') ? folders_of_settings : [];
  const { over, letGo } = shutFolders(ws, above, started.env['CONTRACTS_OUT']);
  const ground: SandboxPlace[] = [
    ...homePlaces(ws, started, scope),
    ...read([aboveNoHome(git?.top, started), git?.common, ws.layout.root, root]),
    ...read([...guarded, ...settings, ws.layout.tasks]),
    // Clients put files of their own there, which go with the sandbox.
    ...over.map((folder) => place(folder, 'empty')),
    ...open.map((folder) => place(join(root, folder), 'write')),
    ...desks(ws),
    ...(git === undefined
      ? []
      : [...read(storesBeside(join(git.common, 'objects'))), ...gitPlaces(ws, git, scope)]),
    ...scope.writes
      .filter((path) => aboveNoHome(path, started) !== undefined && makeState(path))
      .map((path) => place(path, 'write')),
  ];
  const named = namedPlaces(started.env, scope.reads_env).filter(
    (path) => aboveNoHome(path, started) !== undefined,
  );
  const needed = [resolve(packageFolder()), ...tools(started, root), ...named];
  // What is in view anyway stays as it is there: it may be open.
  const places = [...ground, ...read(needed.filter((path) => !isInView(ground, path)))];
  const git_settings = git === undefined ? [] : gitSettings(ws, root);
  return { places, open, wider, git: gitOpen(ws, scope), git_settings, made, letGo };
}

/** By the nearest place above it. */
function isInView(places: readonly SandboxPlace[], path: string): boolean {
  const as = placeAbove(places, path)?.as;
  return as === 'read' || as === 'write';
}

/** The nearest one that decides over a path; of two for one path the later. */
function placeAbove(places: readonly SandboxPlace[], path: string): SandboxPlace | undefined {
  const above = places.filter((one) => isWithin(one.path, path));
  const nearest = above.reduce((length, one) => Math.max(length, one.path.length), 0);
  return above.findLast((one) => one.path.length === nearest);
}

function place(path: string, as: SandboxPlace['as']): SandboxPlace {
  return { path, as };
}

/** Those that are there. */
function read(paths: readonly (string | undefined)[]): SandboxPlace[] {
  return paths.flatMap((path) =>
    path === undefined || kindOf(path) === undefined ? [] : place(path, 'read'),
  );
}

/** A check builds, so the whole ground is open to it; rules that only warn close nothing. */
function openIn(ws: Workspace, scope: Scope): ReturnType<typeof openFolders> {
  const { authority } = scope;
  if (scope.kind === 'review') return { folders: [], wider: [] };
  if (scope.kind === 'check' || authority.strength !== 'hard') {
    return { folders: ['.'], wider: [] };
  }
  const kept = [...keptOf(scope), relative(scope.root, ws.layout.tasks)];
  const globs = [authority.write, authority.create, authority.delete, authority.append].flat();
  const own = openFolders(globs, kept);
  if (authority.within === undefined) return withoutSettings(own);
  const given = openFolders(authority.within, kept);
  const both = own.folders.flatMap((a) =>
    a === SETTINGS || a.startsWith(`${SETTINGS}/`)
      ? [a]
      : given.folders.flatMap((b) => (isWithin(a, b) ? [b] : isWithin(b, a) ? [a] : [])),
  );
  const exact = own.folders.includes('.') && !own.wider.some((glob) => !glob.includes('/'));
  return withoutSettings({
    folders: [...new Set(both)],
    wider: [...(exact ? [] : own.wider), ...given.wider],
  });
}

/** The settings as a whole are nobody's: a glob opens a folder in them, or nothing. */
function withoutSettings(opened: ReturnType<typeof openFolders>): ReturnType<typeof openFolders> {
  return { ...opened, folders: opened.folders.filter((folder) => folder !== SETTINGS) };
}

function keptOf({ authority }: Scope): readonly string[] {
  return authority.kept ?? PROTECTED;
}

/** What a client keeps may not be there yet. A file cannot be shown before it is: then it has none. */
function makeState(path: string): boolean {
  if (kindOf(path) === undefined && extname(path) === '') makeFolder(path);
  return kindOf(path) !== undefined;
}

/** False when a link or a file is in the way: then it stays shut. */
function makeFolders(ws: Workspace, root: string, folder: string, made: string[]): boolean {
  const segments = folder === '.' ? [] : folder.split('/');
  for (let length = 1; length <= segments.length; length++) {
    const path = join(root, ...segments.slice(0, length));
    const kind = ws.disk.stat(path)?.kind;
    if (kind === 'folder') continue;
    if (kind !== undefined) return false;
    ws.disk.mkdir(path);
    made.push(path);
  }
  return true;
}

/**
 * Whoever may write the folder of git in a shared tree decides what others run: names that are not
 * there yet (`commondir`, `config.worktree`) cannot be kept shut, so it is open to the trusted alone.
 */
function gitOpen(ws: Workspace, { root, authority, kind }: Scope): Places['git'] {
  if (kind !== 'work' || !authority.git.some((one) => GIT_WRITES.has(one))) return 'read';
  if (root !== ws.layout.root) return 'worktree';
  return isTrustedWithGit(authority) ? 'trusted' : 'read';
}

/**
 * For the trusted in a shared tree all of the repository's folder but its settings; in a task's worktree
 * what a commit on a detached HEAD needs: objects of its own, and the worktree's own folder. A linked
 * worktree's folder is open without what says where it belongs.
 */
function gitPlaces(ws: Workspace, git: GitFolders, scope: Scope): SandboxPlace[] {
  const { admin, common } = git;
  const opened = gitOpen(ws, scope);
  if (opened === 'read') return [...new Set([common, admin])].map(shut);
  // What is not there could be made: others would run hooks, or take objects from elsewhere.
  for (const name of ['hooks', 'objects/info']) {
    if (ws.disk.stat(join(common, name)) === undefined) ws.disk.mkdir(join(common, name));
  }
  const tie = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(admin, name));
  const own = admin === common ? [] : [place(admin, 'write'), ...read(tie)];
  if (opened === 'worktree') return [...objectPlaces(ws, git), ...own];
  const settings = scope.authority.git.includes('config') ? ['hooks'] : GIT_SETTINGS;
  const shutThere = [...settings, `objects/${NAMES}`, 'worktrees', 'modules'];
  return [place(common, 'write'), ...read(shutThere.map((name) => join(common, name))), ...own];
}

/** Of a task's worktree: it writes a store of its own, and reads that of the repository beside it. */
function objectPlaces(ws: Workspace, { admin, common }: GitFolders): SandboxPlace[] {
  const all = join(common, 'objects');
  const { own, shared } = objectFolders(admin);
  if (ws.disk.stat(own)?.kind !== 'folder') return [shut(all)];
  return [
    { path: all, as: 'write', from: own },
    { path: shared, as: 'read', from: all },
    // Its own names the same absolutely: relative ones would start from where it is shown.
    ...read([join(all, NAMES)]).map((): SandboxPlace => ({
      path: join(shared, NAMES),
      as: 'read',
      from: join(own, NAMES),
    })),
  ];
}

function shut(path: string): SandboxPlace {
  return place(path, 'read');
}

/** Name, address, and which folders git trusts: nothing that could be a key. */
function gitSettings(ws: Workspace, root: string): Places['git_settings'] {
  const wanted = '^(user\\.(name|email)|safe\\.directory|init\\.defaultbranch)$';
  const said = gitIn(root, ws.env)(['config', '-z', '--get-regexp', wanted])?.toString() ?? '';
  return said
    .split('\0')
    .filter((one) => one.includes('\n'))
    .map((one) => [one.slice(0, one.indexOf('\n')), one.slice(one.indexOf('\n') + 1)] as const);
}

/** Other desks are not seen. */
function desks(ws: Workspace): SandboxPlace[] {
  const folder = desksFolder(ws.layout);
  return ws.disk.stat(folder)?.kind === 'folder' ? [place(folder, 'empty')] : [];
}

/** A repository of the whole home would bring the home into view. */
function aboveNoHome(folder: string | undefined, { env }: Started): string | undefined {
  const home = homeOf(env);
  return folder === undefined || (home !== undefined && isWithin(folder, home))
    ? undefined
    : folder;
}

export function maySend({ kind, authority }: Scope): boolean {
  return kind === 'work' && authority.git.some((one) => GIT_SENDS.has(one));
}

/** A home of its own, which goes with the sandbox; where the workspace holds it, without its keys. */
function homePlaces(ws: Workspace, { env }: Started, scope: Scope): SandboxPlace[] {
  const home = homeOf(env);
  if (home === undefined) return [];
  const shown = [scope.root, ws.layout.root].some((folder) => isWithin(folder, home));
  const keys = maySend(scope) ? read(GIT_KEYS.map((name) => join(home, name))) : [];
  return [...(shown ? hiddenAtHome(home) : [place(home, 'empty')]), ...keys];
}

function homeOf(env: Readonly<Record<string, string>>): string | undefined {
  const home = env['HOME']?.replace(/\/+$/, '');
  return home?.startsWith('/') === true ? home : undefined;
}

function tools({ argv, starts, env }: Started, root: string): string[] {
  const home = homeOf(env) ?? '/nonexistent';
  const path = `${env['PATH'] ?? ''}:${dirname(process.execPath)}`;
  const programs = [argv, starts].flatMap((one) => programPlaces(one, env['PATH'] ?? '', home));
  return [...toolFolders(path, home, root), ...programs];
}
