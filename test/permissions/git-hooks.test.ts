/**
 * The hooks of git that a call gets where no sandbox confines it: the built command, the real git, remotes that
 * are real bare repositories. An agent of the shell runs commands; what it printed, what moved, and what the
 * outcome says is looked at.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { GIT_ENV, gitOf } from '../support/git.ts';
import { inShell, makeHouse, shellContract, type House } from '../hostile/house.ts';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

interface Room extends House {
  readonly home: string;
  readonly git: (args: string) => string;
  /** All refs of the remote. */
  remote(): string;
  /** Runs these commands as the agent; gives its output, and its outcome. */
  agent(sh: string, more?: { readonly git?: string; readonly head?: string }): Ended;
}

interface Ended {
  readonly out: string;
  readonly outcome: string;
  readonly hooks: readonly string[];
}

/** A repository with a commit, a branch `other` and a remote `origin` outside of it. */
function room(config = ''): Room {
  const house = makeHouse({ config: `sandbox: none\n${config}`, neighbour: false });
  const home = mkdtempSync(join(tmpdir(), 'contracts-home-'));
  homes.push(home);
  const git = gitOf(house.root);
  git('init -q -b main');
  house.write('a.txt', 'one\n');
  house.write('.gitignore', 'active_tasks\n.contracts\nscratch\n');
  git('add --all');
  git('commit -q -m first');
  git('branch other');
  mkdirSync(join(home, 'remote.git'));
  gitOf(join(home, 'remote.git'))('init -q --bare -b main');
  git(`remote add origin ${join(home, 'remote.git')}`);
  git('push -q origin main');
  const remote = () => gitOf(join(home, 'remote.git'))('for-each-ref');
  let tasks = 0;
  const agent: Room['agent'] = (sh, { git: may = 'add, commit', head } = {}) => {
    const id = `task-${++tasks}`;
    house.write('.contracts/agents/mine.md', `---\nname: mine\ngit: [${may}]\n---\n\nWork.\n`);
    const all = `${sh}\necho made > "$CONTRACTS_ROOT/${id}.txt"`;
    const contract = shellContract(id, { sh: all, head: `agent: mine\n${head ?? ''}`.trim() });
    house.task(id, contract);
    const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), ...GIT_ENV };
    const { out, err } = inShell(house, '$BIN step 2>&1; $BIN step 2>&1', env);
    const [state = ''] = house.where(id);
    const folder = `active_tasks/${state}/${id}/attempts/0001`;
    if (!house.exists(`${folder}/outcome.md`)) throw new Error(`${state}: ${out}${err}`);
    const hooks = join(home, 'state/contracts/git-hooks');
    return {
      out: house.read(`${folder}/output.log`),
      outcome: house.read(`${folder}/outcome.md`),
      hooks: existsSync(hooks) ? readdirSync(hooks) : [],
    };
  };
  return { ...house, home, git, remote, agent };
}

describe('without a sandbox', () => {
  test('a push is refused, the remote has not moved, and the outcome says so', () => {
    const one = room();
    const [refs, ref] = [one.remote(), one.git('rev-parse main')];
    const { out, outcome, hooks } = one.agent('git push origin main:stolen || echo code $?');
    expect(out).toContain(
      'contracts: this is outside your permissions. git push: this agent may add, commit.',
    );
    expect(out).toContain('code 1');
    expect(one.remote()).toBe(refs);
    expect(one.git('rev-parse main')).toBe(ref);
    expect(outcome).toContain('pre-push: git push: this agent may add, commit');
    expect(outcome).toMatch(/Its permissions were enforced by: .*hooks of git/);
    expect(hooks).toEqual([]);
  });
});
