/** What one attempt or check sees and may write. Creates missing folders that a glob opens. */
import { writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { clientPlaces } from './client-mounts.ts';
import { storesBeside } from '../../git/object-stores.ts';
import { kindOf, makeFolder, realBelow } from '../../process/path-kind.ts';
import type { Spawn } from '../../process/spawn.ts';
import { hiddenAtHome, namedPlaces, programPlaces, toolFolders } from './tool-paths.ts';
import { besideNamed } from './beside.ts';
import type { SandboxPlace, Standing } from './bwrap-args.ts';
import {
  isNamed,
  type Permissions,
  PROTECTED,
  RUNS_BY_ITSELF,
  SETTING_FILES,
  SETTING_FOLDERS,
} from '../../task/core/model/permissions.ts';
import { isWithin, openFolders } from '../../task/core/base/folders.ts';
import { findGit } from '../../git/find-git.ts';
import { desksFolder, SETTINGS } from '../../task/store/tasks/layout.ts';
import { makeBelow } from '../../task/store/tasks/tasks.ts';
import { cacheFolder } from '../../workspace/open/cache-folder.ts';
import { codeFolder } from '../../workspace/open/code-folder.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { gitOpen, gitPlaces, gitSettings, maySend } from './git-mounts.ts';
import type { GitOpen, GitSettings } from './git-mounts.ts';
import { hiddenPlaces, veiledGit } from './hidden-files.ts';
import { place, read, type Scope } from './scope.ts';
import { keyFolder, stateHome } from '../../workspace/open/state-home.ts';
import { isStandIn, standIn } from './placeholder-mounts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Started extends Pick<Spawn, 'argv' | 'env' | 'cwd' | 'mark'> {
  /** Argv of programs that it starts itself. */
  readonly starts: readonly string[];
}

export interface Places {
  readonly places: readonly SandboxPlace[];
  /** Settings of a client that do not exist yet. */
  readonly standing?: Standing;
  /** Writable folders, relative to the workdir; `.` is all of it. */
  readonly open: readonly string[];
  readonly wider: readonly string[];
  /** True if nothing that exists around `wider` is open. */
  readonly only_new: boolean;
  readonly git: GitOpen;
  /** From the person's git configuration: the home is not visible. */
  readonly git_settings: GitSettings;
  /** Created to be writable; removed again if they stay empty. */
  readonly made: readonly string[];
  /** Releases the folders that were created to be protected. */
  letGo(): void;
}

const GIT_KEYS = ['.ssh', '.gitconfig', '.git-credentials', '.netrc', '.config/git', '.config/gh'];

export function placesFor(ws: Workspace, scope: Scope, started: Started): Places {
  const { root } = scope;
  const made: string[] = [];
  const { folders, wider, lists } = openIn(ws, scope);
  const persons = personsIn(ws, [root, ws.layout.root]);
  const open = folders.filter(
    (folder) =>
      !persons.some((one) => isWithin(one, join(root, folder))) &&
      makeBelow(ws.disk, root, folder, made),
  );
  const git = findGit(ws, root);
  const guarded = read(keptOf(scope).map((name) => join(root, name))).map((one) =>
    // A client's own sandbox makes and removes an empty one.
    one.path === join(root, '.git') && git?.top !== root ? { ...one, may_go: true as const } : one,
  );
  if (isWithin(root, ws.layout.root)) makeBelow(ws.disk, root, SETTINGS, []);
  const folders_of_settings = SETTING_FOLDERS.map((name) => join(root, name));
  const settings = [...folders_of_settings, ...shutFiles(scope).map((name) => join(root, name))];
  const above = open.includes('.') ? folders_of_settings : [];
  const held = scope.unwatched === true ? above.filter((one) => isStandIn(ws, one)) : [];
  const { over, letGo } = standIn(ws, scope.unwatched ? [] : above, attemptOf(started.env));
  const hidden = hiddenCheckout(ws, scope);
  const desks = desksFolder(ws.layout);
  const home = homeOf(started.env);
  const keys = keyFolder(ws.env, ws.layout.root);
  // A repository may hold the whole home, and would show it.
  const holdsHome = (path: string): boolean => home !== undefined && isWithin(path, home);
  const clients = (scope.clients ?? [])
    .filter(({ path }) => !holdsHome(path) && makeState(path))
    .map((folder) => clientPlaces(folder, root, folder.strict_inside ? noJson(started.env) : ''));
  const guards: SandboxPlace[] = [
    ...homePlaces(ws, home, scope),
    ...persons.map((folder) => place(folder, 'empty')),
    ...(hidden === undefined
      ? read([ws.layout.root])
      : [place(hidden, 'empty'), ...read([join(ws.layout.root, SETTINGS)])]),
    ...read([git && !holdsHome(git.top) ? git.top : undefined, git?.common, root]),
    // A placeholder of another sandbox may disappear at any time.
    ...guarded,
    ...read([
      ...settings.filter((one) => !over.includes(one) && !isStandIn(ws, one)),
      ws.layout.tasks,
    ]),
    ...read(runningIn(scope)),
    // Clients put files of their own there, which go with the sandbox.
    ...[...over, ...held].map((folder) => place(folder, 'empty')),
  ];
  const guarding = new Set(guards.map(({ path }) => path));
  const around = wider.length === 0 ? [] : open;
  const beside = besideNamed(root, around, lists, (path) => guarding.has(path));
  const workdir: SandboxPlace[] = [
    ...guards,
    ...open.map((folder) => place(join(root, folder), 'write')),
    ...beside.places,
    // Other desks are hidden.
    ...(ws.disk.stat(desks)?.kind === 'folder' ? [place(desks, 'empty')] : []),
    ...(git === undefined
      ? []
      : [
          ...read(storesBeside(join(git.common, 'objects'))),
          ...gitPlaces(ws, git, scope),
          ...veiledGit(ws, git, scope),
        ]),
    ...scope.writes
      .filter((path) => !holdsHome(path) && makeState(path))
      .map((path) => place(path, 'write')),
    ...clients.flatMap((one) => one.places),
    ...hiddenPlaces(ws, scope),
    ...(scope.shows ?? []),
    // Snapshots there hold files that are hidden.
    ...(scope.kind !== 'check' && kindOf(cacheFolder(ws.layout)) === 'folder'
      ? [place(cacheFolder(ws.layout), 'empty')]
      : []),
    // Last: wherever that is, no sandbox sees it.
    ...(makeState(keys) ? [place(keys, 'empty')] : []),
  ];
  const named = namedPlaces(started.env, scope.reads_env).filter((path) => !holdsHome(path));
  const needed = [...read([resolve(packageFolder()), ...named]), ...tools(started, root)];
  const isHidden = (path: string): boolean => hidden !== undefined && isWithin(hidden, path);
  const isInView = (path: string): boolean =>
    /^(?:read|write)$/.test(placeAbove(workdir, path)?.as ?? '');
  // What is visible already stays as it is: it may be writable.
  const places = [
    ...workdir,
    ...[ws.env, started.env].flatMap((env) => codePlaces(workdir, codeFolder(env))),
    ...needed.filter(({ path }) => !isInView(path) && !isHidden(path)),
  ];
  const git_settings = git === undefined ? [] : gitSettings(ws, root);
  const standing = standingOf(
    started.env,
    [...clients.flatMap((one) => one.standing), ...held.map((folder) => `${folder}/`)],
    scope.clients?.some((one) => one.strict_json) === true ? '{}' : '',
  );
  const only_new = beside.is_whole;
  const git_open = gitOpen(ws, scope);
  return { places, ...standing, open, wider, only_new, git: git_open, git_settings, made, letGo };
}

/** A file of ours: what is put into the person's folder for a missing file is empty. */
function noJson(env: Started['env']): string {
  const folder = join(stateHome(env), 'contracts');
  makeFolder(folder);
  const path = join(folder, 'none.json');
  if (kindOf(path) === undefined) writeFileSync(path, '{}\n', { mode: 0o444 });
  return path;
}

/** No sandbox shows the lock: holding it would keep the placeholders from being removed. */
function standingOf(env: Started['env'], paths: readonly string[], json: Standing['json']) {
  if (paths.length === 0) return {};
  const folder = join(stateHome(env), 'contracts');
  makeFolder(folder);
  return { standing: { paths, json, lock: join(folder, 'clients.lock') } };
}

/** The main checkout, for a check in a worktree: a receipt is about the worktree alone. */
function hiddenCheckout(ws: Workspace, { kind, root }: Scope): string | undefined {
  const own = ws.layout.root;
  return kind !== 'check' || root === own ? undefined : (findGit(ws, own)?.top ?? own);
}

/** `<task>.<NNNN>`, like its desk. */
export function attemptOf(env: Started['env']): string {
  return `${env['CONTRACTS_TASK'] ?? ''}.${env['CONTRACTS_ATTEMPT'] ?? ''}`;
}

/** Code there runs as the person. Each folder above is a mount, so that none can be renamed. */
function codePlaces(workdir: readonly SandboxPlace[], folder: string | undefined): SandboxPlace[] {
  if (folder === undefined || kindOf(folder) !== 'folder') return [];
  const places = [place(realBelow(folder), 'read')];
  for (let up = dirname(realBelow(folder)); ; up = dirname(up)) {
    const as = placeAbove(workdir, up)?.as;
    if (as !== 'write' && as !== 'empty') return places;
    places.push(place(up, as));
  }
}

/** The nearest place decides; the later of two for one path. */
function placeAbove(places: readonly SandboxPlace[], path: string): SandboxPlace | undefined {
  const above = places.filter((one) => isWithin(one.path, path));
  const nearest = above.reduce((length, one) => Math.max(length, one.path.length), 0);
  return above.findLast((one) => one.path.length === nearest);
}

/** `lists` of globs, each of which must name what is written. */
type Opened = ReturnType<typeof openFolders> & { readonly lists: readonly (readonly string[])[] };

/** A check builds, so the whole workdir is writable; rules that only warn close nothing. */
function openIn(ws: Workspace, scope: Scope): Opened {
  const { permissions } = scope;
  if (scope.kind === 'review') return { folders: [], wider: [], lists: [] };
  if (scope.kind === 'check' || permissions.strength !== 'hard') {
    return { folders: ['.'], wider: [], lists: [] };
  }
  const kept = [...keptOf(scope), relative(scope.root, ws.layout.tasks)];
  const globs = globsOf(permissions);
  const all = openFolders(globs, kept);
  // `**` does not open settings of clients; a glob beside it that names their folder does.
  const isSetting = (glob: string): boolean => SETTING_FOLDERS.some((one) => isWithin(one, glob));
  const named = openFolders(globs.filter(isSetting), kept);
  const own = { ...all, folders: [...new Set([...all.folders, ...named.folders])] };
  if (permissions.within === undefined) return { ...withoutSettings(own), lists: [globs] };
  const given = openFolders(permissions.within, kept);
  const both = own.folders.flatMap((a) =>
    given.folders.flatMap((b) => {
      if (isWithin(b, a)) return [a];
      return isWithin(a, b) && (isSetting(a) || !isSetting(b)) ? [b] : [];
    }),
  );
  const exact = own.folders.includes('.') && !own.wider.some((glob) => !glob.includes('/'));
  const wider = [...(exact ? [] : own.wider), ...given.wider];
  const lists = [globs, permissions.within];
  return { ...withoutSettings({ folders: [...new Set(both)], wider }), lists };
}

function shutFiles({ kind, permissions }: Scope): readonly string[] {
  const named = kind === 'work' ? globsOf(permissions) : [];
  return SETTING_FILES.filter((name) => !named.includes(name));
}

function globsOf({ write, create, delete: remove, append }: Permissions): readonly string[] {
  return [write, create, remove, append].flat();
}

/** Nothing of the settings folder is writable: documents in it are handed in on the desk. */
function withoutSettings({
  folders,
  wider,
}: ReturnType<typeof openFolders>): ReturnType<typeof openFolders> {
  const isOutside = (one: string): boolean => !isWithin(SETTINGS, one);
  return { folders: folders.filter(isOutside), wider: wider.filter(isOutside) };
}

function keptOf({ permissions }: Scope): readonly string[] {
  return permissions.kept ?? PROTECTED;
}

/** Existing ones; creating one is reported. Package installation writes into `.husky`. */
function runningIn({ kind, root, permissions }: Scope): readonly string[] {
  if (kind !== 'work' || permissions.strength !== 'hard') return [];
  return RUNS_BY_ITSELF.filter((one) => one !== '.husky' && !isNamed(permissions, one)).map((one) =>
    join(root, one),
  );
}

/** A folder of a client may not exist yet. A missing file cannot be mounted. */
function makeState(path: string): boolean {
  if (kindOf(path) === undefined && extname(path) === '') makeFolder(path);
  return kindOf(path) !== undefined;
}

/** The home and the settings of the person, where they lie in one of these folders: nothing of them is visible. */
function personsIn({ home, config_home }: Workspace, roots: readonly string[]): readonly string[] {
  const own = [home, config_home].flatMap((one) => (one === undefined ? [] : [realBelow(one)]));
  const isIn = (one: string): boolean => roots.some((root) => isWithin(realBelow(root), one));
  return own.filter(
    (one) =>
      kindOf(one) === 'folder' && isIn(one) && !roots.some((root) => realBelow(root) === one),
  );
}

/** A private home; where the workspace is the home, the real one without its keys. */
function homePlaces(ws: Workspace, home: string | undefined, scope: Scope): SandboxPlace[] {
  if (home === undefined) return [];
  const roots = [scope.root, ws.layout.root];
  // A missing one in the workspace would be made there.
  const isShown =
    roots.includes(home) ||
    (kindOf(home) === undefined && roots.some((root) => isWithin(root, home)));
  const keys = maySend(scope) ? read(GIT_KEYS.map((name) => join(home, name))) : [];
  return [...(isShown ? hiddenAtHome(home) : [place(home, 'empty')]), ...keys];
}

function homeOf(env: Readonly<Record<string, string>>): string | undefined {
  const home = env['HOME']?.replace(/\/+$/, '');
  return home?.startsWith('/') === true ? home : undefined;
}

function tools({ argv, starts, env }: Started, root: string): SandboxPlace[] {
  const home = homeOf(env) ?? '/nonexistent';
  const path = `${env['PATH'] ?? ''}:${dirname(process.execPath)}`;
  const programs = [argv, starts].flatMap((one) => programPlaces(one, path, { home, root }));
  const all = [...read(toolFolders(path, home, root)), ...programs];
  // Nothing can be put into a folder that is shown as it is here.
  const isIn = (inner: string, one: SandboxPlace): boolean =>
    one.from === undefined && one.path !== inner && isWithin(one.path, inner);
  return all.filter(({ path: inner }) => !all.some((one) => isIn(inner, one)));
}
