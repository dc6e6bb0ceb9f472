/**
 * Which test files are in which set. The default set is what everybody runs before a push, in minutes on
 * two cores; stories and nightly are listed here, and all other files are in the default set.
 */

/** Real agent clients, worktrees and sandboxes as they are used, and the long proofs that CI runs. */
export const STORIES: readonly string[] = [
  'test/cli/{live-terminal,recordings}.test.ts',
  'test/clients/{acp,claude,codex,codex-sandbox,gemini,linked-client,opencode,sessions,settings}.test.ts',
  'test/docs/examples.test.ts',
  'test/engine/{crash-points,durability,power-cuts,properties,races,strace}.test.ts',
  'test/hostile/{calls,client-folders,client-settings,named-places,named-programs,trust,trust-ways}.test.ts',
  'test/permissions/{git-hooks,seen/seen}.test.ts',
  'test/plans/long-plan.test.ts',
  'test/sandbox/{documents,network,sandbox,sandbox-git,sandbox-parallel}.test.ts',
  'test/worktrees/*.test.ts',
];

/** Thousands of runs, every system call, random kills: hours. */
export const NIGHTLY: readonly string[] = ['test/nightly/**/*.test.ts'];

export const ALL: readonly string[] = ['test/**/*.test.ts'];
