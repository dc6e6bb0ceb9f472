/**
 * Which adapters there are: the built-in ones and those that the configuration adds.
 * Knows no files and no environment. A name that nobody knows is `undefined`; the caller reports it.
 */
import type { Adapter } from './adapter.ts';
import { acpAdapter } from './adapters/acp.ts';
import { commandAdapter } from './adapters/command.ts';
import { hostAdapter } from './adapters/host.ts';
import { humanAdapter } from './adapters/human.ts';
import { shellAdapter } from './adapters/shell.ts';

export interface AdapterEntry {
  /** The kind of adapter; without it `run` means command, and else the name is a built-in one. */
  readonly type?: string | undefined;
  readonly run?: readonly string[] | undefined;
  readonly env?: readonly string[] | undefined;
  /** Used where neither contract nor agent names a model. */
  readonly model?: string | undefined;
  /** Of an agent that speaks ACP: the mode of its sessions. */
  readonly mode?: string | undefined;
}

export interface AdapterConfig {
  readonly adapters: Readonly<Record<string, AdapterEntry>>;
}

const BUILT_IN: ReadonlyMap<string, Adapter> = new Map(
  [shellAdapter, humanAdapter, hostAdapter].map((adapter) => [adapter.name, adapter]),
);

export function adapterFor(name: string, config: AdapterConfig): Adapter | undefined {
  const entry = Object.hasOwn(config.adapters, name) ? config.adapters[name] : undefined;
  if (entry === undefined) return BUILT_IN.get(name);
  const type = entry.type ?? (entry.run === undefined ? name : 'command');
  if (type === 'command') {
    return withModel(
      commandAdapter(name, { run: entry.run ?? [], env: entry.env ?? [] }),
      entry.model,
    );
  }
  if (type === 'acp') {
    const { run = [], env = [], mode } = entry;
    return withModel(acpAdapter(name, { run, env, mode }), entry.model);
  }
  const base = BUILT_IN.get(type);
  if (base === undefined) return undefined;
  const env_names = [...(base.env_names ?? []), ...(entry.env ?? [])];
  return withModel({ ...base, name, env_names }, entry.model);
}

/** Every name that can be written as `adapter:`, sorted. A configured one of unknown type is left out. */
export function adapterNames(config: AdapterConfig): string[] {
  const configured = Object.keys(config.adapters);
  return [...new Set([...BUILT_IN.keys(), ...configured])]
    .filter((name) => adapterFor(name, config) !== undefined)
    .toSorted();
}

function withModel(adapter: Adapter, model: string | undefined): Adapter {
  if (model === undefined) return adapter;
  return {
    ...adapter,
    prepare: (call) => adapter.prepare(call.model === undefined ? { ...call, model } : call),
  };
}
