/**
 * hook session-start, user-prompt and session-end: what clients call in a session of a person, with JSON on stdin.
 * Whatever goes wrong, they print nothing and end with 0: no session may fail because of contracts.
 */
import { isAbsolute } from 'node:path';
import { givenWithin } from '../../cli/commands/hook.ts';
import type { Frame } from '../../cli/terminal/frame.ts';
import { ownAttempt } from '../../process/own-attempt.ts';
import type { Fields } from '../../task/core/base/json.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import { openWorkspace } from '../../workspace/open/workspace.ts';
import type { Line } from '../../workspace/tasks/verb.ts';
import { endSession, promptContext, startContext, type SessionCall } from '../engine/session.ts';

/** A pipe that stays open and silent keeps no session from its start. */
const INPUT_MS_MAX = 5000;

function hook(event: (call: SessionCall) => Promise<string>) {
  return async (frame: Frame, line: Line): Promise<void> => {
    try {
      const call = callOf(frame, line, await givenWithin(INPUT_MS_MAX));
      const hookEventName = call.given['hook_event_name'];
      const hookSpecificOutput = { hookEventName, additionalContext: await event(call) };
      if (hookSpecificOutput.additionalContext !== '')
        frame.streams.out(`${JSON.stringify({ hookSpecificOutput })}\n`);
    } catch {
      // A session continues without what it would have been given.
    }
  };
}

/** Throws where there is no workspace, or where nobody trusts it. */
function callOf({ ports, capabilities }: Frame, { words }: Line, given: Fields): SessionCall {
  // An agent that the runner called has its brief.
  if (ownAttempt(ports.env ?? process.env) !== undefined) throw new Error('inside an attempt');
  const cwd = String(given['cwd']);
  const dir = isAbsolute(cwd) ? cwd : undefined;
  const opened = openWorkspace({ capabilities, ports, reads: true, dir });
  if (!opened.ok || whyUntrusted(opened.value) !== undefined) throw new Error('not trusted');
  const [, client = 'unknown'] = /--client[= ]([a-z][a-z0-9-]{0,30})$/.exec(words.join(' ')) ?? [];
  return { ws: opened.value, client, given };
}

export const runs = {
  'hook session-start': hook(startContext),
  'hook user-prompt': hook(promptContext),
  'hook session-end': hook(endSession),
};
