/**
 * Which test files are in which set. The default set is what everybody runs before a push, in minutes on
 * two cores; stories and nightly are listed here, and all other files are in the default set.
 */

/** Real agent clients, worktrees and sandboxes as they are used, and the long proofs that CI runs. */
export const STORIES: readonly string[] = [
  'test/cli/{live-terminal,recordings}.test.ts',
  'test/clients/{acp,ask-round,claude,codex,codex-sandbox,gemini,linked-client,mcp,opencode,opencode-plugin,plugin,sessions,settings}.test.ts',
  'test/demo/packed.test.ts',
  'test/docs/examples.test.ts',
  'test/page/{browser,look}.test.ts',
  'test/engine/{crash-points,durability,power-cuts,properties,races,strace}.test.ts',
  'test/hostile/{calls,client-folders,client-settings,named-places,named-programs,trust,trust-ways}.test.ts',
  'test/machines/*.test.ts',
  'test/permissions/{git-hooks,seen/seen}.test.ts',
  'test/plans/long-plan.test.ts',
  'test/sandbox/{documents,network,sandbox,sandbox-git,sandbox-parallel}.test.ts',
  'test/worktrees/*.test.ts',
];

/** Thousands of runs, every system call, random kills: hours. */
export const NIGHTLY: readonly string[] = ['test/nightly/**/*.test.ts'];

export const ALL: readonly string[] = ['test/**/*.test.ts'];

/**
 * Of the tests in such a file CI plays one in so many, which the commit chooses, and a night all: each of them
 * stands for itself and none for the others. Such a file has no share of its own: two choices by one commit
 * would never meet in some of the tests.
 */
export const IN_PART: readonly (readonly [pattern: string, n: number])[] = [
  ['test/cli/recordings.test.ts', 2],
  ['test/clients/{acp,claude,codex,gemini,opencode}.test.ts', 3],
  ['test/clients/opencode-plugin.test.ts', 6],
  ['test/hostile/trust.test.ts', 3],
  ['test/machines/{doctor,faults,lies,stops,walk}.test.ts', 2],
  ['test/page/browser.test.ts', 2],
  ['test/page/look.test.ts', 3],
  ['test/permissions/git-hooks.test.ts', 2],
  ['test/sandbox/{documents,network,sandbox,sandbox-git}.test.ts', 2],
  ['test/worktrees/!(kill|own-packages|preparing).test.ts', 2],
  ['test/worktrees/{own-packages,preparing}.test.ts', 4],
];

/**
 * The long proofs, by name, so that none leaves unseen: the files that play one in CI, how much of it they play
 * there, and the parts of the night that play all or the most of it.
 */
export interface Proof {
  readonly ci: readonly string[];
  readonly share: string;
  readonly night: readonly NightPart[];
}

/**
 * The parts of the nightly set, each a file of test/nightly: `npm run test:nightly -- NAME`. The number is how
 * many minutes one takes alone on two quiet cores. Together they take NIGHT_MINUTES at most.
 */
export const NIGHT_PARTS = {
  clients: 3,
  'crash-golden': 12,
  'crash-points': 4,
  'cuts-on-ext4': 7,
  'in-full': 55,
  machines: 39,
  many: 5,
  mutants: 20,
  'newest-git': 8,
  nodes: 4,
  'power-cuts': 3,
  properties: 11,
  races: 4,
  'sandbox-parallel': 6,
  strace: 2,
  'take-out': 16,
  'worktree-kill': 1,
} as const satisfies Readonly<Record<string, number>>;
export type NightPart = keyof typeof NIGHT_PARTS;
export const NIGHT_MINUTES = 200;

export const PROOFS: Readonly<Record<string, Proof>> = {
  'take-out': {
    ci: ['scripts/take-out.mjs'],
    share:
      'types without each, own cases of two that changed at most, half of the others without any',
    night: ['take-out'],
  },
  'crash points': {
    ci: ['test/engine/crash-points.test.ts'],
    share: 'a share of the points, chosen by the commit',
    night: ['crash-points', 'crash-golden', 'in-full'],
  },
  'power cuts': {
    ci: ['test/engine/power-cuts.test.ts', 'test/engine/durability.test.ts'],
    share: 'three points of each life on ext4, all syncs, a share of the cuts',
    night: ['power-cuts', 'cuts-on-ext4', 'in-full'],
  },
  strace: {
    ci: ['test/engine/strace.test.ts'],
    share: 'a share of the system calls, chosen by the commit',
    night: ['strace', 'in-full'],
  },
  races: {
    ci: ['test/engine/races.test.ts'],
    share: 'all races, in a small size',
    night: ['races'],
  },
  mutants: {
    ci: ['test/engine/durability.test.ts'],
    share: 'all of the syncs',
    night: ['mutants'],
  },
  'real clients': {
    ci: ['acp', 'claude', 'codex', 'gemini', 'opencode'].map(
      (name) => `test/clients/${name}.test.ts`,
    ),
    share: 'a third of the stories of each, chosen by the commit, as root and as an ordinary user',
    night: ['clients', 'in-full'],
  },
  'a person at each client': {
    ci: 'ask-round codex-sandbox linked-client mcp opencode-plugin plugin sessions settings'
      .split(' ')
      .map((name) => `test/clients/${name}.test.ts`),
    share: 'a half of clients and users, of OpenCode’s plugin a sixth, chosen by the commit',
    night: ['in-full'],
  },
  'hostile tables': {
    ci: ['trust', 'client-settings', 'named-places', 'named-programs'].map(
      (name) => `test/hostile/${name}.test.ts`,
    ),
    share: 'a half or a third of the rows, chosen by the commit',
    night: ['in-full'],
  },
  'users of worktrees': {
    ci: ['merge-checks', 'own-packages', 'preparing'].map(
      (name) => `test/worktrees/${name}.test.ts`,
    ),
    share:
      'a half, of what two users do with a sandbox and without a quarter, chosen by the commit',
    night: ['in-full'],
  },
  'other Nodes': {
    ci: ['scripts/other-node.mjs'],
    share: 'one of three with half of the cases, chosen by the commit',
    night: ['nodes'],
  },
  properties: {
    ci: ['test/engine/properties.test.ts'],
    share: 'a hundred runs of each, with one seed',
    night: ['properties', 'in-full'],
  },
  'permissions as seen': {
    ci: ['test/permissions/seen/seen.test.ts'],
    share: 'one command in six, chosen by the commit, in all four modes',
    night: ['in-full'],
  },
  'worktree kills': {
    ci: ['test/worktrees/kill.test.ts'],
    share: 'a part of the calls of git',
    night: ['worktree-kill'],
  },
  sandboxes: {
    ci: ['test/sandbox/sandbox-parallel.test.ts'],
    share: 'a few runs',
    night: ['sandbox-parallel'],
  },
  'faults of machines': {
    ci: ['test/machines/faults.test.ts'],
    share: 'six tasks for each fault, on one of the two servers, chosen by the commit',
    night: ['machines', 'in-full'],
  },
  'lies of workers': {
    ci: ['test/machines/lies.test.ts'],
    share: 'each lie on one of the two servers, chosen by the commit',
    night: ['in-full'],
  },
  'a bad place': {
    ci: ['test/house/sealed.test.ts'],
    share: 'one of three sets of tests, chosen by the commit',
    night: ['in-full'],
  },
  'hooks of git in its configuration': {
    ci: ['test/hostile/git-hooks.test.ts'],
    share: 'all ways where git has such hooks, else one of nine',
    night: ['in-full', 'newest-git'],
  },
  'many tasks': {
    ci: ['test/hostile/many.test.ts'],
    share: 'fewer tasks',
    night: ['many'],
  },
  'newest git': {
    ci: [],
    share: 'none: the tests of git run with the git that is installed',
    night: ['newest-git'],
  },
};

/** Begun first, in this order: each takes more than ten seconds of a processor. */
export const LONG: readonly string[] = [
  'test/clients/',
  'test/engine/crash-points',
  'test/engine/races',
  'test/engine/strace',
  'test/docs/examples',
  'test/worktrees/own-packages',
  'test/hostile/agents',
  'test/trust/signed-receipts',
  'test/hostile/git-hooks',
  'test/cli/cli.test',
  'test/cli/first-walk',
  'test/cases/plans',
  'test/house/new-check',
  'test/memory/word-of-agents',
  'test/commits/commit-done',
  'test/engine/attempt-diff',
  'test/engine/row-cache',
  'test/hostile/permissions',
  'test/plans/plan.test',
  'test/cases/',
];
