/**
 * Every way in which the runner calls a real client: headless or over the Agent Client Protocol. Each is played by an
 * ordinary user beside the clients' folders, with our sandbox and without one, in a home that the client has not seen
 * and in the same home once more. docs/clients.md shows them.
 */
import type { Player } from './client-stories.ts';

const acp = { prices: false, timeout_s: 30, resumes: false } as const;

export const CELLS: Readonly<Record<string, Player>> = {
  'Claude Code': { client: 'claude', prices: true, timeout_s: 10, resumes: true },
  Codex: { client: 'codex', prices: false, timeout_s: 10, resumes: true },
  'Gemini CLI': { client: 'gemini', prices: false, timeout_s: 15, resumes: true },
  OpenCode: { client: 'opencode', prices: true, timeout_s: 30, resumes: true },
  'Claude Code over ACP': {
    ...acp,
    client: 'claude',
    over: {
      example: 'acp',
      adapter: 'claude-acp',
      model_name: 'sonnet',
      bridge: { program: 'claude-agent-acp', env: 'ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL' },
    },
  },
  'Codex over ACP': {
    ...acp,
    asks_nobody: true,
    client: 'codex',
    over: {
      example: 'acp',
      adapter: 'codex-acp',
      bridge: { program: 'codex-acp', env: 'OPENAI_API_KEY, CODEX_HOME' },
    },
  },
  'Gemini CLI over ACP': {
    ...acp,
    client: 'gemini',
    over: { example: 'acp', adapter: 'gemini-acp' },
  },
  'OpenCode over ACP': {
    ...acp,
    client: 'opencode',
    counts_last: true,
    over: { example: 'acp', adapter: 'opencode-acp' },
  },
};
