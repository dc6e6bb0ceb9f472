/**
 * Real programs in a real sandbox: what an agent tries beyond its authority does not happen, what it
 * may do does. The same deeds without a sandbox succeed, so that each of them can be seen to matter.
 * Without bubblewrap it says so and is left out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sandboxMachine } from '../src/agent/sandbox-machine.ts';
import { makeStand, scriptOf, type Deeds, type Stand } from './support/confined.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: the tests of the sandbox, because ${here.why}`);
const inSandbox = test.runIf(here.works);

const stands: Stand[] = [];
function stand(sandbox: 'bwrap' | 'none', config = ''): Stand {
  const made = makeStand(sandbox, config);
  stands.push(made);
  vi.stubEnv('HOME', made.home);
  vi.stubEnv('SOME_TOKEN', 'the token');
  return made;
}
beforeEach(() => vi.unstubAllEnvs());
afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

/** Beyond the authority of `write: [src/**]`. */
function forbidden({ base, word }: Stand): Deeds {
  const find = `grep -ls "${word.slice(0, -1)}[${word.slice(-1)}]" /proc/[1-9]*/cmdline`;
  return {
    printf: 'printf x > by-printf.txt',
    background: 'sh -c "printf x > by-job.txt" & wait; test -e by-job.txt',
    overwrite: 'echo changed > README.md',
    link: `ln -s ${base}/elsewhere src/out && echo changed > src/out/file.txt`,
    python: 'python3 -c "open(\\"by-python.txt\\", \\"w\\").write(\\"x\\")"',
    settings: 'echo "# changed" >> .contracts/config.yaml',
    other_task: 'echo x > active_tasks/ready/other/evil.md',
    state: 'mkdir active_tasks/done/forged',
    hook: 'echo true > .git/hooks/post-commit',
    git_config: 'git config core.pager evil',
    rename: 'mv .git .git-away && mv .git-away .git',
    push: 'git push -q origin HEAD:refs/heads/evil',
    key: 'cat "$HOME/.ssh/id_key"',
    letter: 'cat "$HOME/letter.txt"',
    see: `test -n "$(${find})"`,
    own_contract: 'echo >> active_tasks/in_progress/bad/contract.md',
    kill: `kill $(${find} | cut -d/ -f3)`,
  };
}

const ALLOWED: Deeds = {
  made: 'echo made > src/made.txt && mv src/made.txt src/moved.txt',
  desk: 'echo noted > "$CONTRACTS_OUT/note.txt"',
  temporary: 'echo x > "$TMPDIR/contracts-temporary" && test -s "$TMPDIR/contracts-temporary"',
  home: 'mkdir -p "$HOME/.cache/x" && echo x > "$HOME/.cache/x/y"',
  read: 'cat README.md active_tasks/ready/other/contract.md',
  commit:
    'git add src/moved.txt && git commit -q -m made && git log -1 --format=%s | grep -qx made',
  node: 'node -e 0',
};

describe('an agent that may write src/**', () => {
  inSandbox('in a sandbox: none of what it must not, all of what it may', async () => {
    const one = stand('bwrap');
    const before = one.read('.git/config');
    one.task('other', 'depends_on: [bad]', 'true');
    // Its own /proc/sys holds this name for itself alone: it harms nothing where it is not refused.
    const kernel = { kernel: 'echo changed > /proc/sys/kernel/domainname' };
    one.task('bad', 'write: [src/**]', scriptOf({ ...forbidden(one), ...kernel, ...ALLOWED }));
    await one.step();
    const deeds = one.deeds('bad');
    expect(Object.keys(deeds).filter((name) => deeds[name] && !(name in ALLOWED))).toEqual([]);
    expect(Object.keys(ALLOWED).filter((name) => !deeds[name])).toEqual([]);
    expect(one.isAlive()).toBe(true);
    expect(one.read('src/moved.txt')).toBe('made\n');
    expect(one.read('README.md')).toBe('as it was\n');
    expect(one.read('.git/config')).toBe(before);
    expect(readFileSync(join(one.base, 'elsewhere/file.txt'), 'utf8')).toBe('as it was\n');
    expect(existsSync(join(one.base, 'remote.git/refs/heads/evil'))).toBe(false);
    expect(existsSync(join(one.home, '.cache'))).toBe(false);
    const outcome = one.read(`${one.attempt('bad')}/outcome.md`);
    expect(outcome).toMatch(/enforced:\n(?: {2}- \w+\n)* {2}- sandbox\n/);
    expect(outcome).toContain('A sandbox confined it: it could write src/, its desk');
    expect(outcome).not.toContain('Nothing confined');
  });

  test('without a sandbox: the same script does it all', async () => {
    const one = stand('none');
    one.task('other', 'depends_on: [bad]', 'true');
    one.task('bad', 'write: [src/**]', scriptOf(forbidden(one)));
    await one.step();
    const deeds = one.deeds('bad');
    expect(Object.keys(deeds).filter((name) => !deeds[name])).toEqual([]);
    expect(Object.keys(deeds)).toEqual(Object.keys(forbidden(one)));
    await vi.waitFor(() => expect(one.isAlive()).toBe(false));
  });
});
