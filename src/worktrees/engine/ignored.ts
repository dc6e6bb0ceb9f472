/** Files in a worktree that git ignores, so that no commit has them. */
import { join } from 'node:path';
import { SETTING_FOLDERS } from '../../task/core/model/permissions.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Git } from './git.ts';
import type { Workdir } from './workdir.ts';

/** Can be installed again. */
const INSTALLED = /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__)\/?$/;
const REBUILT =
  /(?:^|\/)(?:vendor|dist|build|out|target|coverage|htmlcov|logs?|te?mp|\.[^/]*(?:cache|coverage)|\.(?:next|nuxt|turbo|tox|nox|gradle|DS_Store)|[^/]*\.(?:pyc|egg-info|log|tsbuildinfo))\/?$/;

/** From the top of the worktree; a wholly ignored folder as one, with a slash. */
export function ignoredIn(git: Git): readonly string[] {
  const how = ['--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  return git.list(['ls-files', ...how]).filter((path) => !INSTALLED.test(path));
}

/** Before the checks run: work that they may need and that no commit has. */
export function ignoredWork({ worktree }: Workdir): readonly string[] {
  if (worktree === undefined) return [];
  const settings = new Set<string>(SETTING_FOLDERS);
  return ignoredIn(worktree.git)
    .filter((path) => !REBUILT.test(path) && !path.split('/').some((one) => settings.has(one)))
    .slice(0, 20);
}

/** One that was there when the checks of that attempt passed, and still is. */
export function reliedOn(ws: Workspace, attempt: string, folder: string): string | undefined {
  const { ignored = [] } = readReceipts(ws, attempt) ?? {};
  return ignored.find((path) => ws.disk.stat(join(folder, path)) !== undefined);
}
