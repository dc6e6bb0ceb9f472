/** `merge ID --pr`: pushes the verified commit and opens a pull request by `gh` or `glab`. Never forces. */
import { join } from 'node:path';
import { programEnvironment } from '../../process/adapter.ts';
import { spawnSync } from '../../process/child-process.ts';
import { refused, ok, type Result } from '../../task/core/model/problem.ts';
import { put } from '../../task/store/disk/put.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Checkout } from '../../worktrees/engine/checkout.ts';
import { gitWords } from '../../worktrees/engine/git.ts';
import { receiptsBody } from '../verify/verify.ts';
import type { Mergeable } from './merge-task.ts';

/** Off for all other calls of git. */
const TRANSPORTS = ['https', 'ssh', 'git', 'file'].map((one): [string, string] => [
  `protocol.${one}.allow`,
  'always',
]);

/** Returns the URL, or what the program printed instead. */
export function openPullRequest(
  ws: Workspace,
  { git, repo, branch }: Checkout,
  task: Mergeable,
): Result<string> {
  const body = join(task.newest, 'pull-request.md');
  const receipts = readReceipts(ws, task.checked);
  const proof = receipts === undefined ? '' : `\n#${receiptsBody(receipts)}`;
  const text = `${task.objective}\n${proof}\nContracts-Task: ${task.id}\n`;
  put(ws.putting, body, Buffer.from(text));
  const refuse = (message: string, fix: string): Result<never> => {
    const more = `${fix}. The text of the pull request is in ${shown(ws.layout, body)}`;
    return refused({ code: 'environment', file: '.', message, fix: more });
  };
  const remote = git.run(['config', `branch.${branch}.remote`]).out.trim() || 'origin';
  const url = git.run(['remote', 'get-url', remote]);
  if (url.code !== 0)
    return refuse(`there is no remote named ${remote}`, `git remote add ${remote} URL`);
  const isLab = /gitlab/i.test(url.out);
  const name = isLab ? 'glab' : 'gh';
  const program = ws.programs.find(name);
  if (program === undefined) {
    const where = isLab ? 'https://gitlab.com/gitlab-org/cli' : 'https://cli.github.com';
    return refuse(`${name} is not installed, nothing is pushed`, `Install ${name} (${where})`);
  }
  // Credentials and proxies; another GIT_DIR would be another repository.
  const names = Object.keys(ws.env).filter((key) => !/^GIT_(?!SSH|ASKPASS)/.test(key));
  const env = { ...programEnvironment(ws.env, names), PATH: ws.programs.path };
  const what = `${task.commit}:refs/heads/${task.branch}`;
  const pushed = git.run(['push', '--quiet', remote, what], {
    global: true,
    config: TRANSPORTS,
    env,
  });
  if (pushed.code !== 0)
    return refuse(`${task.branch} is not pushed: ${gitWords(pushed)}`, 'Fix what git reports');
  const words = isLab
    ? ['mr', 'create', '--yes', '--description', text, '--source-branch', task.branch]
    : ['pr', 'create', '--body-file', body, '--head', task.branch];
  const base = [isLab ? '--target-branch' : '--base', branch];
  const named = [...words, ...base, '--title', task.title];
  const { status, stdout, stderr } = spawnSync(program, named, {
    cwd: repo.top,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  // One that is there already is named too, and has the new commit.
  const [found] =
    /https?:\/\/\S+/.exec(`${stdout}\n${/already exists/.test(stderr) ? stderr : ''}`) ?? [];
  const said = escapeText(`${stdout} ${stderr}`.trim().replace(/\s+/g, ' '));
  if (found !== undefined) return ok(escapeText(found));
  const failed = `${task.branch} is pushed, and ${name} failed: ${said}`;
  return status === 0 ? ok(said) : refuse(failed, `Fix what ${name} reports`);
}
