// OpenCode asks contracts before each use of a tool: in an attempt, and below a workspace in a session of a person. In
// that contracts also says what waits with the first prompt, and records its end. Where contracts is not installed,
// nothing happens.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const call = (event, given) =>
  spawnSync('contracts', ['hook', event, '--client', 'opencode'], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    timeout: event === 'pre-tool-use' ? undefined : 20_000,
  });

const isBelowWorkspace = (folder) =>
  existsSync(join(folder, '.contracts')) || (dirname(folder) !== folder && isBelowWorkspace(dirname(folder)));

export const Contracts = async ({ directory: cwd, client }) => {
  // Of persons: a session of a subagent has a parent.
  const sessions = new Set();
  const children = new Set();
  const end = async (session_id) => {
    if (!sessions.delete(session_id)) return;
    try {
      const { data } = await client.session.messages({ path: { id: session_id } });
      call('session-end', { session_id, cwd, transcript: data });
    } catch {
      call('session-end', { session_id, cwd });
    }
  };
  return {
    event: async ({ event: { type, properties } }) => {
      if (type === 'session.created' && properties.info?.parentID) children.add(properties.info.id);
      if (type === 'session.deleted') await end(properties.info?.id);
    },
    dispose: async () => {
      for (const id of sessions) await end(id);
    },
    'chat.message': async ({ sessionID: session_id }, { message, parts }) => {
      if (process.env.CONTRACTS_TASK !== undefined) return;
      if (children.has(session_id) || sessions.has(session_id)) return;
      sessions.add(session_id);
      try {
        const texts = parts.filter((one) => one.type === 'text' && !one.synthetic);
        const prompt = texts.map(({ text }) => text).join('\n');
        const { stdout } = call('user-prompt', { session_id, cwd, prompt });
        if (!stdout) return;
        const text = JSON.parse(stdout).hookSpecificOutput.additionalContext;
        const id = `prt_0contracts${Date.now()}`;
        parts.push({ id, sessionID: session_id, messageID: message.id, type: 'text', synthetic: true, text });
      } catch {
        // The session continues without it.
      }
    },
    'tool.execute.before': async ({ tool }, { args }) => {
      if (process.env.CONTRACTS_TASK === undefined && !isBelowWorkspace(cwd)) return;
      const asked = call('pre-tool-use', { tool_name: tool, tool_input: args, cwd });
      if (asked.error?.code === 'ENOENT') return;
      if (asked.status !== 0) throw new Error(asked.stderr);
      if (asked.stdout === '') return;
      throw new Error(JSON.parse(asked.stdout).hookSpecificOutput.permissionDecisionReason);
    },
  };
};
