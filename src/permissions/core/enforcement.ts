/** How permissions are enforced (docs/security.md#what-is-promised), and the words for reports. */
const ENFORCEMENTS = {
  brief: 'the brief',
  live: 'each tool call as it was made',
  git: 'hooks of git',
  worktree: 'a worktree of its own',
  sandbox: 'a sandbox',
  client: 'the sandbox of its client',
  compared: 'a comparison afterwards',
} as const;

/** In their order, each once; `nothing` where no agent was called. */
export function enforcedList(enforced: readonly string[]): string[] {
  const given = Object.keys(ENFORCEMENTS).filter((one) => enforced.includes(one));
  return given.length === 0 ? ['nothing'] : given;
}

/** `the brief, a comparison afterwards`; empty for nothing. */
export function enforcedWords(enforced: readonly string[]): string {
  return Object.entries(ENFORCEMENTS)
    .flatMap(([name, words]) => (enforced.includes(name) ? [words] : []))
    .join(', ');
}
