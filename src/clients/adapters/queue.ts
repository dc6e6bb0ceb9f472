/**
 * The `queue` adapter: our relay (src/machines) is started, announces the attempt in a queue and waits for the answer
 * of a worker. Pure.
 */
import { assert, Fault } from '../../task/core/model/problem.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import type { Adapter, AgentCall, Invocation } from '../../process/adapter.ts';
import { driverPath } from './driver-path.ts';
import type { QueueOrder } from '../core/queue-order.ts';

export interface QueueOptions {
  readonly url: string;
  readonly agent: string;
  readonly remote?: string | undefined;
  readonly labels: readonly string[];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of variables in an address. */
function variablesIn(url: string): readonly string[] {
  return [...url.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/** Throws a Fault where a variable is missing. */
export function filledUrl(url: string, env: Readonly<Record<string, string | undefined>>): string {
  return url.replace(VARIABLE, (_, name: string) => {
    const value = env[name];
    if (value !== undefined) return encodeURIComponent(value);
    const fix = `export ${name}=…, then run this again`;
    throw new Fault('adapter', `the address of the queue names ${name}, which is not set`, { fix });
  });
}

/** The machine in a line of our relay, as its worker names itself; none in other lines. */
export function machineIn(line: string): readonly string[] {
  const { kind, name } = line.includes('"machine"') ? fields(parsedJson(line)) : {};
  return kind === 'machine' && typeof name === 'string' ? [machineName(name)] : [];
}

/** On one line, and short. */
export const machineName = (name: string): string =>
  name
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 64) || '?';

export function queueAdapter(name: string, options: QueueOptions): Adapter {
  const facts: Adapter = {
    name,
    mode: 'process',
    writes_result_itself: true,
    resumable: false,
    deaf: 'its agent works on another machine',
    relays: true,
    env_names: variablesIn(options.url),
    client: {
      program: `the ${options.agent} of a worker`,
      login: 'Log in on its machine',
      bridge: true,
    },
    prepare: (call) => prepareQueue(options, call),
    read: () => [],
  };
  const load = async (): Promise<Adapter> => {
    const { readRelay } = await import('./clients.ts');
    return { ...facts, read: readRelay };
  };
  return { ...facts, load };
}

function prepareQueue({ url, agent, labels, remote }: QueueOptions, call: AgentCall): Invocation {
  const { elsewhere } = call;
  assert(elsewhere !== undefined, 'a relay is called without the limits of its worker');
  const { tasks, ...limits } = elsewhere;
  const { task, attempt, kind, permissions, documents, model, root, workspace, desk } = call;
  const places = { root, workspace, desk, tasks };
  const about = { task, attempt, kind, agent, labels: labels.toSorted(), permissions };
  const more = given({ documents, model });
  const order: QueueOrder = {
    v: 1,
    url,
    ...given({ remote }),
    ...places,
    order: { ...about, ...more, ...limits },
  };
  return {
    argv: [process.execPath, driverPath('relay'), `${desk}/queue.json`],
    env: {},
    stdin: 'null',
    files: { 'queue.json': `${JSON.stringify(order, undefined, 2)}\n` },
    cwd: root,
  };
}
