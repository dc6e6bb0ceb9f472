// Before each use of a tool in an attempt, OpenCode asks contracts, where that is installed.
import { spawnSync } from 'node:child_process';

export const Contracts = async ({ directory }) => ({
  'tool.execute.before': async ({ tool }, { args }) => {
    if (process.env.CONTRACTS_TASK === undefined) return;
    const input = JSON.stringify({ tool_name: tool, tool_input: args, cwd: directory });
    const argv = ['hook', 'pre-tool-use', '--client', 'opencode'];
    const asked = spawnSync('contracts', argv, { input, encoding: 'utf8' });
    if (asked.error?.code === 'ENOENT') return;
    if (asked.status !== 0) throw new Error(asked.stderr);
    if (asked.stdout === '') return;
    throw new Error(JSON.parse(asked.stdout).hookSpecificOutput.permissionDecisionReason);
  },
});
