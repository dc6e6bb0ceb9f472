/** What a person allows a workspace, and what an agent needs to push. */
import type { AgentDefinition } from '../agents/core/agents.ts';

export interface Grant {
  /** The setting, or the file: `on_state`, `adapters.own.run`, `.mcp.json`. */
  readonly what: string;
  /** All of it: a person trusts only what was shown. */
  readonly words: string;
  readonly digest: string;
  /** The value without any setting: not shown. */
  readonly usual?: boolean;
  readonly file?: string;
}

/** The person's own agents are as trusted as the home. */
export function pushGrant(name: string, agent: AgentDefinition | undefined): readonly Grant[] {
  if (agent === undefined || agent.source === 'user') return [];
  const { file, git = [] } = agent;
  const sends = git.filter((one) => one === 'push' || one === 'pull_request');
  return sends.map((one) => {
    const grant = { what: `${name} may ${one}`, words: `git: [${one}]`, digest: one };
    return file === undefined ? grant : { ...grant, file };
  });
}
