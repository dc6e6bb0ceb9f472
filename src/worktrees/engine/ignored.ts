/** Files in a worktree that git ignores, so that no commit has them. */
import { join } from 'node:path';
import { SETTING_FOLDERS } from '../../task/core/model/permissions.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readPrepared } from './prepared.ts';
import type { Workdir } from './workdir.ts';
import type { TaskTree } from './worktree.ts';

/** Can be installed again. */
export const INSTALLED = /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__)\/?$/;
const REBUILT =
  /(?:^|\/)(?:vendor|dist|build|out|target|coverage|htmlcov|logs?|te?mp|\.[^/]*(?:cache|coverage)|\.(?:next|nuxt|turbo|tox|nox|gradle|DS_Store)|[^/]*\.(?:pyc|egg-info|log|tsbuildinfo))\/?$/;

/** From the top of the worktree, without copies of the main tree's; a wholly ignored folder as one, with a slash. */
export function ignoredIn(ws: Workspace, { git, admin }: TaskTree): readonly string[] {
  const how = ['--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const { copied } = readPrepared(ws, admin);
  const isOwn = (path: string): boolean => !INSTALLED.test(path) && !copied.includes(path);
  return git.list(['ls-files', ...how]).filter(isOwn);
}

/** Before the checks run: work that they may need and that no commit has. */
export function ignoredWork(ws: Workspace, { worktree }: Workdir): readonly string[] {
  if (worktree === undefined) return [];
  const settings = new Set<string>(SETTING_FOLDERS);
  return ignoredIn(ws, worktree)
    .filter((path) => !REBUILT.test(path) && !path.split('/').some((one) => settings.has(one)))
    .slice(0, 20);
}

/** One that was there when the checks of that attempt passed, and still is. */
export function reliedOn(ws: Workspace, attempt: string, folder: string): string | undefined {
  const { ignored = [] } = readReceipts(ws, attempt) ?? {};
  return ignored.find((path) => ws.disk.stat(join(folder, path)) !== undefined);
}
