/** Files in a worktree that git ignores, so that they are in no commit. Packages and caches go by name. */
import { join } from 'node:path';
import { SETTING_FOLDERS } from '../../task/core/model/permissions.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Git } from './git.ts';
import type { Workdir } from './workdir.ts';

/** What is installed there can be installed again: it keeps no worktree. */
const INSTALLED = /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__)\/?$/;
const REBUILT =
  /(?:^|\/)(?:vendor|dist|build|out|target|coverage|htmlcov|logs?|te?mp|\.[^/]*(?:cache|coverage)|\.(?:next|nuxt|turbo|tox|nox|gradle|DS_Store)|[^/]*\.(?:pyc|egg-info|log|tsbuildinfo))\/?$/;

/** From the top of the worktree; a folder of which all is ignored as one, with a slash. */
export function ignoredIn(git: Git): readonly string[] {
  const how = ['--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const all = git.say(['ls-files', ...how]).split('\0');
  return all.filter((path) => path !== '' && !INSTALLED.test(path));
}

/** Before the checks run: work that they may need and that no commit holds. */
export function ignoredWork({ worktree }: Workdir): readonly string[] {
  if (worktree === undefined) return [];
  const settings = new Set<string>(SETTING_FOLDERS);
  return ignoredIn(worktree.git)
    .filter((path) => !REBUILT.test(path) && !path.split('/').some((one) => settings.has(one)))
    .slice(0, 20);
}

/** One that stood there when the checks of that attempt passed, and stands there still. */
export function reliedOn(ws: Workspace, attempt: string, folder: string): string | undefined {
  const { ignored = [] } = readReceipts(ws, attempt) ?? {};
  return ignored.find((path) => ws.disk.stat(join(folder, path)) !== undefined);
}
