/** An agent as data. The nearest file wins as a whole, and the configuration key by key over it. */
import { given } from '../../task/core/base/defined-fields.ts';
import type { AgentConfig } from '../../task/core/model/policy.ts';
import { readAgentHead, type Noted } from './agent-head.ts';
import type { ClientType } from '../../clients/core/records.ts';
import { sourceOf, type Place } from './places.ts';

export type AgentSource = 'config' | 'project' | 'user' | 'built-in';

export interface AgentDefinition extends AgentConfig {
  readonly name: string;
  readonly source: AgentSource;
  /** As shown to people; undefined when the configuration alone has this agent. */
  readonly file?: string;
  /** The client whose folder it is in: its model is meant for that client. */
  readonly client?: ClientType | undefined;
  /** Written for another tool: the name of one of our roles does not give it that role's permissions. */
  readonly foreign?: boolean;
  /** Its file switches it off: it cannot be called. */
  readonly disabled?: boolean;
}

/** A file that is an agent by its place. */
export interface AgentPath {
  readonly name: string;
  readonly path: string;
  /** For people and problems. */
  readonly file: string;
  readonly place: Place;
  /** True in the folder of a skill, for agents that work by that skill. */
  readonly inner: boolean;
}

export interface AgentRead {
  readonly definition: AgentDefinition;
  /** The name that the file itself gives, where it is another. */
  readonly alias: string | undefined;
}

export function readAgent(
  { name, file, place, inner }: AgentPath,
  { head, body }: { readonly head: Readonly<Record<string, unknown>>; readonly body: string },
): Noted<AgentRead> {
  const { client } = place;
  const source = sourceOf(place);
  const ours = client === undefined && source === 'project' && !inner;
  const read = readAgentHead(head, ours);
  if (!read.ok) return read;
  const { config, disabled, name: own } = read.value;
  const text = body.trim() === '' ? config.instructions : body.trim();
  const hidden = config.hidden ?? (inner && head['mode'] !== 'primary');
  const foreign = source !== 'built-in' && !/^\.?contracts\//.test(place.folder);
  const definition = {
    ...config,
    name,
    source,
    file,
    client,
    ...(text === undefined ? {} : { instructions: text }),
    ...(hidden ? { hidden } : {}),
    ...(disabled ? { disabled } : {}),
    ...(foreign ? { foreign } : {}),
  };
  const alias = own === name ? undefined : own;
  return { ok: true, value: { definition, alias }, notes: read.notes };
}

/** `found` is of the nearest file; the texts of `built_in` are used where it has none. */
export function defined(
  name: string,
  found: AgentDefinition | undefined,
  built_in: AgentDefinition | undefined,
  config: AgentConfig | undefined,
): AgentDefinition | undefined {
  const { instructions, description } = { ...built_in, ...found };
  const base = found ? { ...found, ...given({ instructions, description }) } : built_in;
  if (config === undefined) return base;
  return { ...base, ...config, name, source: 'config' };
}
