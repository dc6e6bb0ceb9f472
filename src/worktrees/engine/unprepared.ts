/** Finds a check that would fail, or pass on other packages, for lack of installed ones. */
import { join, relative } from 'node:path';
import { kindOf, realOf } from '../../process/path-kind.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { neededKinds } from '../core/packages.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, mainPlace } from './git.ts';
import { repositoryOf } from './workdir-record.ts';
import type { Workdir } from './workdir.ts';
import { editableInstall } from './main-checkout-programs.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

/** Why the check cannot run there, and how to mend it. */
export function unpreparedFor(
  ws: Workspace,
  { root, worktree }: Workdir,
  command: string,
): Fault | undefined {
  const faultOf = (why: string, fix: string): Fault => {
    const what = `check \`${command}\` did not run, its worktree is not prepared: ${why}`;
    return new Fault('program', what, { fix });
  };
  for (const kind of worktree === undefined ? [] : neededKinds(command)) {
    const repo = repositoryOf(ws);
    const fix = `Write worktree: { setup: [${kind.install}] } into .contracts/config.yaml; or install here alone: cd ${shellWord(root)} && ${kind.install} (or as this project installs), then contracts step; or let the check install: run: ${kind.install} && ${command}`;
    const within = (...all: readonly (string | undefined)[]): readonly string[] =>
      all.flatMap((one) => kind.folders.map((name) => join(one ?? root, name)));
    const own = within(worktree?.folder, root);
    const main = realOf(repo.top) ?? repo.top;
    const isPython = kind.programs.test('python');
    const editable = isPython ? editableInstall(ws, { command, main, own }) : undefined;
    if (editable !== undefined) {
      const use = `Call the worktree's own Python in verify, such as .venv/bin/python or uv run; then contracts step`;
      const isOwn = own.some((one) => isWithin(one, editable));
      return faultOf(`${editable} of the main tree`, isOwn ? fix : use);
    }
    if (own.some((path) => isInstalled(ws, path, repo.top))) continue;
    const found = within(repo.top, ws.layout.root).find((path) => isInstalled(ws, path));
    // One that git does not ignore is in the commit, or the agent removed it.
    const path = relative(repo.top, found ?? repo.top);
    const ask = { env: { GIT_LITERAL_PATHSPECS: '0' } };
    const { code } = gitAt(ws, mainPlace(repo)).run(['check-ignore', '-q', path || '.'], ask);
    if (path !== '' && code === 0)
      return faultOf(`${path} is installed in the main tree only`, fix);
  }
  return undefined;
}

/** Neither a cache alone, whose name begins with a dot, nor a link into the main tree. */
function isInstalled(ws: Workspace, path: string, main?: string): boolean {
  const real = main && (realOf(main) ?? main);
  const leads = (one: string): boolean => real !== undefined && isWithin(real, realOf(one) ?? one);
  const below = (at: string) =>
    listOrNothing(ws.disk, join(path, at)).map((one) => join(at, one.name));
  const inside = kindOf(path) === 'folder' ? below('.') : [];
  const all = ['.', ...inside, ...inside.filter((name) => name.startsWith('@')).flatMap(below)];
  const filled = inside.some((name) => name === '.pnpm' || !name.startsWith('.'));
  return filled && !all.some((name) => leads(join(path, name)));
}
