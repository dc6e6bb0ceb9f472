/**
 * A runner that dies at any point between the making of a worktree and the outcome: before or after
 * each call of git that changes something, with MOCK agents and the real git. The next process must
 * come to the same end: nothing lost, nothing twice, what was beyond the permissions never on a branch.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ownGit, type RunGit } from '../../src/git/runner-git.ts';
import { step } from '../../src/engine/step/step.ts';
import { Died, faultyDisk, unsyncedDisk, type FaultyDisk } from './faulty-disk.ts';
import { makeGitWorld, type Agent, type GitWorld } from './git-world.ts';

const CHANGING = new Set([
  'add',
  'branch',
  'clean',
  'commit-tree',
  'merge',
  'read-tree',
  'reset',
  'update-ref',
  'worktree',
  'write-tree',
]);

interface Deadly {
  readonly git: RunGit;
  readonly calls: () => readonly string[];
}

/** Before any date of the next process, whose commit of the same files would be another one. */
const LONG_AGO = { GIT_COMMITTER_DATE: '1790000000 +0000' };

/** Dies at the nth call that changes something; a dead process calls nothing any more. */
function deadlyGit(disk: FaultyDisk, at: number, after: boolean): Deadly {
  const own = ownGit(process.env);
  const real: RunGit = (place, args, call) =>
    own(place, args, { ...call, env: { ...call?.env, ...LONG_AGO } });
  const calls: string[] = [];
  return {
    calls: () => calls,
    git: (place, args, call) => {
      if (disk.dead) throw new Died();
      if (!CHANGING.has(args[0] ?? '')) return real(place, args, call);
      calls.push(args.slice(0, 2).join(' '));
      const dies = calls.length - 1 === at;
      if (dies && !after) {
        disk.kill();
        throw new Died();
      }
      const said = real(place, args, call);
      if (!dies) return said;
      disk.kill();
      throw new Died();
    },
  };
}

/** One process until it dies or nothing moves. */
async function live(
  w: GitWorld,
  agent: Agent,
  at: number,
  after: boolean,
): Promise<readonly string[]> {
  const disk = faultyDisk(-1, undefined, unsyncedDisk);
  const deadly = deadlyGit(disk, at, after);
  const { ws } = w.open(agent, { disk, ports: { git: deadly.git } });
  const steps = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) if (!(await step(ws)).progressed) return;
  };
  await Promise.race([steps().catch(() => undefined), disk.died]);
  return deadly.calls();
}

export interface Play {
  readonly says: string;
  readonly head: readonly string[];
  readonly agent: Agent;
  readonly holds: (w: GitWorld) => void;
}

export const PLAYS: readonly Play[] = [
  {
    says: 'an agent that commits once and leaves a file besides',
    head: [],
    agent: (work) => {
      work.write('own.txt', 'own\n');
      work.git('add --all');
      if (work.git('status --short') !== '') work.git('commit -q -m own');
      work.write('left.txt', 'left\n');
      return work.complete();
    },
    holds: (w) => {
      expect(w.git('show contracts/a:own.txt')).toBe('own\n');
      expect(w.git('show contracts/a:left.txt')).toBe('left\n');
      expect(w.git('status --short --untracked-files=no -- . :!active_tasks')).toBe('');
      expect(w.git(`-C ${w.tree('a')} status --short`)).toBe('');
      const commit = /\ncommit: (\w+)\n/.exec(outcomes(w, 'done'))?.[1];
      expect(w.git('rev-parse contracts/a').trim()).toBe(commit);
    },
  },
  {
    says: 'an agent that goes outside its permissions',
    head: ['write: [src/**]', 'retries_max: 0'],
    agent: (work) => {
      work.write('secret.txt', 'no\n');
      return work.complete();
    },
    holds: (w) => {
      expect(outcomes(w, 'blocked')).toContain('outcome: violated');
      const bad = w.git('for-each-ref --format=%(objectname) refs/contracts/violated/');
      expect(w.git(`show ${bad.trim().split('\n')[0] ?? ''}:secret.txt`)).toBe('no\n');
      const branches = w.git('for-each-ref --format=%(refname) refs/heads/').trim().split('\n');
      for (const one of branches) {
        expect(w.git(`ls-tree -r --name-only ${one}`)).not.toContain('secret.txt');
      }
    },
  },
];

function outcomes(w: GitWorld, state: string): string {
  const attempts = w.git(`ls-files --others active_tasks/${state}/a/attempts`).split('\n');
  return attempts
    .filter((path) => /\/\d+\/outcome\.md$/.test(path))
    .map((path) => w.text(path))
    .filter((text) => text.includes('kind: work'))
    .join('\n');
}

/** As a git that was killed, or the power, leaves them in the worktree. */
function leaveLocks(w: GitWorld): void {
  const admin = join(w.root, '.git/worktrees/a');
  if (!existsSync(admin)) return;
  for (const name of ['index.lock', 'HEAD.lock']) writeFileSync(join(admin, name), '');
}

async function play(one: Play, at: number, after: boolean): Promise<readonly string[]> {
  const w = makeGitWorld();
  try {
    w.contract('a', one.head);
    const calls = await live(w, one.agent, at, after);
    if (Number.isFinite(at)) leaveLocks(w);
    await w.run(one.agent);
    one.holds(w);
    expect(existsSync(w.tree('a'))).toBe(true);
    return calls;
  } finally {
    w.remove();
  }
}

/** At every nth point; throws with the point at which it went wrong. */
export async function killAtEvery(nth: number, one: Play): Promise<void> {
  const calls = await play(one, Number.POSITIVE_INFINITY, false);
  expect(calls.length).toBeGreaterThan(8);
  const points = calls.flatMap((call, at) => [false, true].map((after) => ({ call, at, after })));
  for (const { call, at, after } of points.filter((_, i) => i % nth === 0)) {
    await play(one, at, after).catch((error: unknown) => {
      throw new Error(`dies ${after ? 'after' : 'before'} ${at}: ${call}`, { cause: error });
    });
  }
}
