/** Which adapters there are: the built-in ones and those of the configuration. An unknown name is `undefined`. */
import { PERSON } from '../../task/core/model/contract.ts';
import type { Config } from '../../task/core/model/policy.ts';
import type { Adapter } from '../../process/adapter.ts';
import { acpAdapter } from './acp.ts';
import { clientAdapter } from './client-table.ts';
import { CLIENT_TYPES, isClient } from '../core/records.ts';
import { commandAdapter } from './command.ts';
import { queueAdapter } from './queue.ts';
import { shellAdapter } from './shell.ts';
import { assert } from '../../task/core/model/problem.ts';

/** Adapters that start nothing: `human` waits for files, with `host` an orchestrator calls the agent. */
function uncalled(mode: 'human' | 'host', deaf: string): Adapter {
  return {
    name: mode,
    mode,
    writes_result_itself: true,
    resumable: false,
    deaf,
    prepare: () => {
      assert(false, `a ${mode} is not started as a process`);
    },
    read: () => [],
  };
}

export const humanAdapter = uncalled('human', 'a person does this task, and no program is called');
export const hostAdapter = uncalled(
  'host',
  'an orchestrator calls this agent, and no program is known here',
);

/** An adapter as configured; its type may be unknown. */
interface AdapterEntry extends Omit<Config['adapters'][string], 'type'> {
  readonly type?: string | undefined;
}

export interface AdapterConfig {
  readonly adapters: Readonly<Record<string, AdapterEntry>>;
}

const BUILT_IN: ReadonlyMap<string, Adapter> = new Map(
  [shellAdapter, humanAdapter, hostAdapter].map((adapter) => [adapter.name, adapter]),
);

export function adapterFor(name: string, config: AdapterConfig): Adapter | undefined {
  const entry = Object.hasOwn(config.adapters, name) ? config.adapters[name] : undefined;
  // Left out, the name of a client is that client, `run` means command, else the name is built in.
  const type = entry?.type ?? (entry?.run === undefined || isClient(name) ? name : 'command');
  if (isClient(type)) return withNames(clientAdapter(type, name, entry?.run), entry?.env);
  // A person is called as people are.
  if (entry === undefined) return BUILT_IN.get(name === PERSON ? 'human' : name);
  const { run = [], env = [], mode } = entry;
  if (type === 'command') return commandAdapter(name, { run, env });
  if (type === 'acp') return acpAdapter(name, { run, env, mode });
  if (type === 'queue') {
    const { url = '', agent = '', labels = [], remote } = entry;
    return withNames(queueAdapter(name, { url, agent, labels, remote }), env);
  }
  const base = BUILT_IN.get(type);
  return base && withNames({ ...base, name }, env);
}

/** Every name for `adapter:`, sorted, without those of unknown type. */
export function adapterNames(config: AdapterConfig): string[] {
  const configured = Object.keys(config.adapters);
  return [...new Set([...BUILT_IN.keys(), ...CLIENT_TYPES, ...configured])]
    .filter((name) => adapterFor(name, config) !== undefined)
    .toSorted();
}

function withNames(adapter: Adapter, env: readonly string[] = []): Adapter {
  return { ...adapter, env_names: [...(adapter.env_names ?? []), ...env] };
}
