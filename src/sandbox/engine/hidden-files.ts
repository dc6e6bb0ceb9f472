/** Files with secrets that an agent does not see: hidden ones, and credentials in settings of git. */
import { basename, join, resolve } from 'node:path';
import { gitIn, listed } from '../../git/query-git.ts';
import { kindOf, makeFolder, namesIn, textOf } from '../../process/path-kind.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { findGit } from '../../git/find-git.ts';
import type { GitFolders } from '../../task/store/snapshots/git-snapshot.ts';
import { stateHome } from '../../workspace/open/state-home.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { SandboxPlace } from './bwrap-args.ts';
import { maySend } from './git-mounts.ts';
import { place, type Scope } from './scope.ts';

/** Without `hide`: only files that git ignores, since a committed one is known to everybody. */
const HIDDEN_UNASKED = ['.env*', '*.pem'];
/** A mount each. */
const HIDDEN_MAX = 1000;

/**
 * Looked for when an agent is called: a file that is written later is not hidden. The main checkout beside a
 * worktree can be read, and so can the repository around a workspace.
 */
export function hiddenPlaces(ws: Workspace, scope: Scope) {
  const { config, person, layout } = ws;
  if (scope.kind === 'check') return [];
  const named = [...(config.hide ?? []), ...(person.hide ?? [])];
  const unasked = config.hide === undefined ? HIDDEN_UNASKED : [];
  const roots = [scope.root, layout.root];
  const tops = roots.flatMap((root) => findGit(ws, root)?.top ?? []);
  const find = (root: string, globs: readonly string[], which: readonly string[]): string[] => {
    if (globs.length === 0) return [];
    const anywhere = globs.map((glob) => (glob.includes('/') ? glob : `**/${glob}`));
    // A folder of that name matches as a whole, such as an environment of Python: its files are looked at.
    const matches = anywhere.map((glob) => globMatcher(glob));
    const paths = anywhere.map((glob) => `:(glob)${glob}`);
    const how = ['--no-literal-pathspecs', 'ls-files', '-z', ...which, '--', ...paths];
    const all = gitIn(root, ws)([...how, ':(exclude,glob)**/node_modules/**']);
    if (all === undefined && globs === named) {
      const fix = 'Make it a repository: git init. Or remove hide: from your settings';
      throw new Fault('sandbox', `hide: finds files by git, which lists none in ${root}`, { fix });
    }
    const found = listed(all).filter((one) => matches.some((is) => is(one)));
    return found.map((one) => join(root, one));
  };
  const paths = new Set([
    ...tops.flatMap((top) => find(top, unasked, ['--others', '--ignored', '--exclude-standard'])),
    ...roots.flatMap((root) => find(root, named, ['--cached', '--others'])),
  ]);
  if (paths.size > HIDDEN_MAX) {
    const why = `hide: matches ${paths.size} files, more than ${HIDDEN_MAX}`;
    throw new Fault('sandbox', why, { fix: 'Name fewer files in hide: of .contracts/config.yaml' });
  }
  return [...paths].filter((path) => kindOf(path) === 'file').map((path) => place(path, 'veiled'));
}

/** A folder of git, and those of its worktrees and submodules, whose names may have slashes; no links. */
function foldersBelow(ws: Workspace, folder: string, depth = 0): readonly string[] {
  if (depth > 16 || ws.disk.stat(folder)?.kind !== 'folder') return [];
  const isOne = kindOf(join(folder, 'HEAD')) === 'file';
  const names = isOne ? ['modules', 'worktrees'] : namesIn(folder);
  const below = names.flatMap((name) => foldersBelow(ws, join(folder, name), depth + 1));
  return isOne ? [folder, ...below] : below;
}

const CREDENTIALS = /(:\/\/)[^/@\s"]+@|\b(extraheader\s*=)(?:\\[^]|[^\\\n])*/gi;

/** A copy without user names, passwords and headers for each file of the repository that configures git. */
export function veiledGit(ws: Workspace, git: GitFolders, scope: Scope): SandboxPlace[] {
  if (maySend(scope) || scope.permissions.git.includes('config')) return [];
  const { own: admin, common, top } = git;
  const asked = gitIn(top, ws)(['config', '--list', '--show-origin', '--name-only', '-z']);
  const files = listed(asked)
    .filter((one) => one.startsWith('file:'))
    .map((one) => resolve(top, one.slice('file:'.length)))
    .filter((one) => [common, admin, top].some((folder) => isWithin(folder, one)));
  const folders = [admin, ...foldersBelow(ws, common)];
  const own = folders.flatMap((one) => [join(one, 'config'), join(one, 'config.worktree')]);
  return [...new Set([...own, ...files])].flatMap((path): SandboxPlace[] => {
    const text = kindOf(path) === 'file' ? textOf(path) : '';
    const veiled = text.replace(CREDENTIALS, '$1$2');
    if (veiled === text) return [];
    const folder = join(stateHome(ws.env), 'contracts', 'veiled');
    const from = join(folder, `${sha256(veiled).slice(0, 24)}-${basename(path)}`);
    makeFolder(folder);
    if (ws.disk.stat(from) === undefined)
      ws.disk.create(from, Buffer.from(veiled), { durable: false });
    return [{ path, as: 'read', from }];
  });
}
