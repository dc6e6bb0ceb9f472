/** How an agent that speaks ACP is called, by an order to our driver, and how the driver's lines are read. Pure. */
import { OPENCODE_FILES } from '../../task/core/model/permissions.ts';
import { CLIENT_ERRORS } from '../../task/core/attempts/client-report.ts';
import { type Fields } from '../../task/core/base/json.ts';
import type { AcpOptions, Order } from './acp-order.ts';
import { acpProgram } from './acp-driver-path.ts';
import type { AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import { callId, plainLine, reader, text } from './client-events.ts';
import type { ClientType } from './client-type.ts';

/** Without these it asks for no permission. */
const ASKING: Readonly<Partial<Record<ClientType, Readonly<Record<string, string>>>>> = {
  opencode: {
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      // It would write where a sandbox does not let it, and no turn begins.
      snapshot: false,
      permission: { edit: 'ask', bash: 'ask', external_directory: 'ask' },
      experimental: { continue_loop_on_deny: true },
    }),
  },
  gemini: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
};
const ASKING_MODE: Readonly<Partial<Record<ClientType, string>>> = { codex: 'workspace-write' };

/** `run` is filled in; `known` is the client that it is, where that can be seen. */
export function prepareAcp(
  run: readonly string[],
  { known, ...options }: AcpOptions & { readonly known: ClientType | undefined },
  call: AgentCall,
): Invocation {
  // Codex's own sandbox does not start inside ours.
  const free = known === 'codex' && call.sandboxed === true ? 'agent-full-access' : undefined;
  const mode = options.mode ?? free ?? (known === undefined ? undefined : ASKING_MODE[known]);
  const takesModel = options.run.some((element) => element.includes('{{model}}'));
  const order: Order = {
    v: 1,
    run: [...run],
    task: call.task,
    root: call.root,
    desk: call.desk,
    brief_file: call.brief_file,
    permissions: call.permissions,
    ...(call.session === undefined ? {} : { session: call.session }),
    ...(call.model === undefined || takesModel ? {} : { model: call.model }),
    ...(mode === undefined ? {} : { mode }),
  };
  return {
    argv: [process.execPath, acpProgram(), `${call.desk}/acp.json`],
    env: (known === undefined ? undefined : ASKING[known]) ?? {},
    stdin: 'null',
    files: { 'acp.json': `${JSON.stringify(order, undefined, 2)}\n` },
    cwd: call.root,
    ...(known === 'opencode' ? { own_files: OPENCODE_FILES } : {}),
    starts: run,
  };
}

/** The agent's stderr is behind a bar. */
export const readAcp = reader(
  (event) => [progressOf(event) ?? []].flat(),
  (line) => (line.startsWith('| ') ? plainLine(line.slice(2)) : []),
);

function progressOf(event: Fields): AgentProgress | undefined {
  const word = (key: string): string => text(event[key]);
  const number = (key: string): { readonly [key: string]: number } => {
    const value = event[key];
    return typeof value === 'number' && Number.isFinite(value) ? { [key]: value } : {};
  };
  switch (event['kind']) {
    case 'session':
      return word('id') === '' ? undefined : { kind: 'session', id: word('id') };
    case 'line':
    case 'question':
      return { kind: event['kind'], text: word('text') };
    case 'tool':
      return { kind: 'tool', name: word('name'), detail: word('detail'), ...callId(event['call']) };
    case 'result': {
      const how = { ok: event['ok'] === true, text: word('text'), ...number('exit_code') };
      return { kind: 'result', call: word('call'), ...how };
    }
    case 'denied':
      return { kind: 'denied', tool: word('tool'), why: word('why'), ...callId(event['call']) };
    case 'judged':
      return { kind: 'judged' };
    case 'error': {
      const what = CLIENT_ERRORS.find((one) => one === event['what']) ?? 'other';
      return { kind: 'error', what, text: word('text') };
    }
    case 'usage':
      return {
        kind: 'usage',
        ...(event['total'] === true ? { total: true } : {}),
        // The protocol counts tokens by the turn, and cost by the session.
        of_session: 'cost_usd',
        ...number('input_tokens'),
        ...number('output_tokens'),
        ...number('cost_usd'),
      };
    case 'end':
      return { kind: 'end', ok: event['ok'] === true };
    default:
      return undefined;
  }
}
