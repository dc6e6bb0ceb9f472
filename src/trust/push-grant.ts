/** What a person allows a workspace: one thing, and the one that each agent who may send needs. */
import type { AgentDefinition } from '../agents/core/agents.ts';

export interface Grant {
  /** The setting, or the file: `on_state`, `adapters.own.run`, `.mcp.json`. */
  readonly what: string;
  /** What it says, whole: nobody trusts what was not shown. */
  readonly words: string;
  /** Of all that it says. */
  readonly digest: string;
  /** As without any setting: a person is not shown it. */
  readonly usual?: boolean;
  readonly file?: string;
}

/** Not of the person's own files: those are as trusted as the home is. */
export function pushGrant(name: string, agent: AgentDefinition | undefined): readonly Grant[] {
  if (agent === undefined || agent.source === 'user') return [];
  const { file, git = [] } = agent;
  const sends = git.filter((one) => one === 'push' || one === 'pull_request');
  return sends.map((one) => {
    const said = { what: `${name} may ${one}`, words: `git: [${one}]`, digest: one };
    return file === undefined ? said : { ...said, file };
  });
}
