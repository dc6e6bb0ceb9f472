/**
 * Real programs in a real sandbox, in repositories that are not the plain one: a workspace that is a
 * linked worktree, and one that takes objects from elsewhere. Without bubblewrap it says so and is
 * left out.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sandboxMachine } from '../src/agent/sandbox-machine.ts';
import { main } from '../src/cli/program.ts';
import { makeStand, scriptOf, type Deeds, type Stand } from './support/confined.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: the tests of git in a sandbox, because ${here.why}`);
const inSandbox = test.runIf(here.works);

const stands: Stand[] = [];
function stand(config = ''): Stand {
  const made = makeStand('bwrap', config);
  stands.push(made);
  vi.stubEnv('HOME', made.home);
  return made;
}
beforeEach(() => vi.unstubAllEnvs());
afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function gitAt(folder: string): (...args: string[]) => string {
  return (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}

describe('in the shared tree of a workspace that is a linked worktree', () => {
  const G = 'g=$(git rev-parse --git-common-dir); a=$(git rev-parse --git-dir);';
  const DEEDS: Deeds = {
    commit: 'echo made > src/made.txt && git add src && git commit -q -m made',
    object: `${G} echo x > $g/objects/x`,
    branch: 'git branch other',
    alternates: `${G} mkdir -p $g/objects/info && echo /tmp > $g/objects/info/alternates`,
    hook: `${G} echo true > $g/hooks/post-commit`,
    config: 'git config core.pager evil',
    info: `${G} echo x > $g/info/attributes`,
    commondir: `${G} echo /tmp > $a/commondir`,
    gitdir: `${G} echo /tmp > $a/gitdir`,
    tie: 'echo "gitdir: /tmp" > .git',
    beside: `${G} mkdir $g/worktrees/beside`,
  };

  async function played(one: Stand, head: string): Promise<{ deeds: string[]; outcome: string }> {
    const linked = join(one.home, 'dev', 'linked');
    gitAt(one.root)('worktree', 'add', '-q', '-b', 'mine', linked);
    for (const name of ['.contracts', 'active_tasks']) {
      cpSync(join(one.root, name), join(linked, name), { recursive: true });
    }
    // So that it is there, as in a repository that somebody set up in this way.
    one.write('.git/objects/info/alternates', '');
    one.task('task', head, scriptOf(DEEDS));
    const folder = 'active_tasks/ready/task';
    mkdirSync(join(linked, folder), { recursive: true });
    const contract = one.read(`${folder}/contract.md`);
    writeFileSync(join(linked, folder, 'contract.md'), contract);
    await main(['-C', linked, 'step'], { out: () => undefined, err: () => undefined });
    const attempt = join(linked, 'active_tasks/ready/task/attempts/0001');
    const read = (path: string): string => readFileSync(join(attempt, path), 'utf8');
    const done = read('desk/deeds.txt').split('\n');
    const deeds = done.filter((line) => line.endsWith(' yes')).map((line) => line.slice(0, -4));
    return { deeds, outcome: read('outcome.md') };
  }

  inSandbox.each([
    ['no right over git', ''],
    ['the right to commit', 'agent: writer'],
  ])('with %s: nothing of the common folder can be written', async (_says, head) => {
    const one = stand('agents:\n  writer: { git: [add, commit], write: [src/**] }\n');
    const { deeds, outcome } = await played(one, head);
    expect(deeds).toEqual([]);
    expect(outcome).toContain('It could look at git and change nothing of it');
    expect(existsSync(join(one.root, '.git/objects/x'))).toBe(false);
  });

  inSandbox('who is trusted with git commits on its branch, as in the main tree', async () => {
    const one = stand('agents:\n  keeper: { git: [add, commit, merge], write: [src/**] }\n');
    const { deeds, outcome } = await played(one, 'agent: keeper');
    expect(deeds).toEqual(['commit', 'object', 'branch']);
    expect(outcome).toContain('It is trusted with git');
    expect(gitAt(one.root)('show', 'mine:src/made.txt')).toBe('made\n');
  });
});
