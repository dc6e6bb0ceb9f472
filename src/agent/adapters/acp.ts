/**
 * The `acp` adapter: any agent that speaks the Agent Client Protocol on its stdin and stdout. Our
 * driver (../acp) is what the runner starts; it starts the agent, answers its permission requests by
 * the authority of the attempt, and prints an event a line, which is read here.
 * A line that is no event of the driver is the agent's own noise: it stays in the log alone.
 */
import type { Order } from '../acp/order.ts';
import { acpProgram } from '../acp/program.ts';
import type { ClientError } from '../../core/heard.ts';
import type { Adapter, AgentCall, AgentProgress, Invocation } from '../adapter.ts';
import { fillRun } from './command.ts';

export interface AcpOptions {
  readonly run: readonly string[];
  readonly env?: readonly string[];
  /** The session's mode, as the agent calls it. */
  readonly mode?: string | undefined;
}

export function acpAdapter(name: string, options: AcpOptions): Adapter {
  const [program] = options.run;
  return {
    name,
    mode: 'process',
    writes_result_itself: true,
    ...(program === undefined || program.includes('{{') ? {} : { program }),
    resumable: true,
    deaf: 'it is configured to speak ACP, which no person does',
    env_names: options.env ?? [],
    client: {
      program: program ?? name,
      login: `Log in to ${program ?? name}, or name its key in adapters.${name}.env`,
    },
    prepare: (call) => prepare(name, options, call),
    read: readAcp,
  };
}

function prepare(name: string, options: AcpOptions, call: AgentCall): Invocation {
  const run = fillRun(name, options.run, call);
  const takesModel = options.run.some((element) => element.includes('{{model}}'));
  const order: Order = {
    v: 1,
    run: [...run],
    task: call.task,
    root: call.root,
    desk: call.desk,
    brief_file: call.brief_file,
    authority: call.authority,
    ...(call.session === undefined ? {} : { session: call.session }),
    ...(call.model === undefined || takesModel ? {} : { model: call.model }),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
  };
  return {
    argv: [process.execPath, acpProgram(), `${call.desk}/acp.json`],
    env: {},
    stdin: 'null',
    files: { 'acp.json': `${JSON.stringify(order, undefined, 2)}\n` },
    cwd: call.root,
    live: true,
    starts: run,
  };
}

const CLIENT_ERRORS: ReadonlySet<string> = new Set(['login', 'model', 'limit', 'other']);

function readAcp(line: string): readonly AgentProgress[] {
  if (!line.startsWith('{"kind":"')) return [];
  let event: Readonly<Record<string, unknown>>;
  try {
    event = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return [];
  }
  const progress = progressOf(event);
  return progress === undefined ? [] : [progress];
}

function progressOf(event: Readonly<Record<string, unknown>>): AgentProgress | undefined {
  const word = (key: string): string => (typeof event[key] === 'string' ? event[key] : '');
  const number = (key: string): { readonly [key: string]: number } => {
    const value = event[key];
    return typeof value === 'number' && Number.isFinite(value) ? { [key]: value } : {};
  };
  switch (event['kind']) {
    case 'session':
      return word('id') === '' ? undefined : { kind: 'session', id: word('id') };
    case 'line':
      return { kind: 'line', text: word('text') };
    case 'tool':
      return { kind: 'tool', name: word('name'), detail: word('detail') };
    case 'question':
      return { kind: 'question', text: word('text') };
    case 'denied':
      return { kind: 'denied', tool: word('tool'), why: word('why') };
    case 'error': {
      const what = CLIENT_ERRORS.has(word('what')) ? (word('what') as ClientError) : 'other';
      return { kind: 'error', what, text: word('text') };
    }
    case 'usage':
      return {
        kind: 'usage',
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
