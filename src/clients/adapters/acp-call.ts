/** How an agent that speaks ACP is called, by an order to our driver, and how the driver's lines are read. Pure. */
import { CLIENT_ERRORS } from '../../task/core/attempts/client-report.ts';
import { type Fields } from '../../task/core/base/json.ts';
import type { AcpOptions, Order } from './acp-order.ts';
import { driverPath } from './driver-path.ts';
import type { AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import { callId, plainLine, reader, text } from '../calls/client-events.ts';
import { CLIENTS, PLACES, type ClientType } from '../core/records.ts';
import { given } from '../../task/core/base/defined-fields.ts';

/** `run` is filled in; `known` is the client that it is, where that can be seen. */
export function prepareAcp(
  run: readonly string[],
  { known, ...options }: AcpOptions & { readonly known: ClientType | undefined },
  call: AgentCall,
): Invocation {
  const acp = known && CLIENTS[known].acp;
  const mode = options.mode ?? (call.sandboxed === true ? acp?.sandboxed : undefined) ?? acp?.mode;
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
    argv: [process.execPath, driverPath('acp'), `${call.desk}/acp.json`],
    env: { ...acp?.env, ...inJson(acp?.json) },
    stdin: 'null',
    files: { 'acp.json': `${JSON.stringify(order, undefined, 2)}\n` },
    cwd: call.root,
    ...given({ own_files: known && PLACES[known].project.own_files }),
    starts: run,
  };
}

function inJson(all: Readonly<Record<string, object>> = {}) {
  return Object.fromEntries(Object.entries(all).map(([name, it]) => [name, JSON.stringify(it)]));
}

/** The agent's stderr is behind a bar. */
export const readAcp = reader(
  (event) => [progressOf(event) ?? []].flat(),
  (line) => (line.startsWith('| ') ? plainLine(line.slice(2)) : []),
);

export function progressOf(event: Fields): AgentProgress | undefined {
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
