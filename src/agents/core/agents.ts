/**
 * An agent as data: who can be named in a contract, with what instructions and limits. Pure: whoever
 * reads the files hands over their front matter. The nearest file wins as a whole; configuration wins
 * key by key over whatever was found.
 */
import type { AgentConfig } from '../../task/core/model/policy.ts';
import { readAgentHead, type Noted } from './agent-head.ts';
import type { Client } from '../../permissions/core/tools.ts';
import { sourceOf, type Place } from './places.ts';

export type AgentSource = 'config' | 'project' | 'user' | 'built-in';

export interface AgentDefinition extends AgentConfig {
  readonly name: string;
  readonly source: AgentSource;
  /** As people are shown it; undefined when the configuration alone knows this agent. */
  readonly file?: string;
  /** In whose folder it lies: its model is meant for that client. */
  readonly client?: Client | undefined;
  /** Written for another tool: a name that is one of our roles says nothing of its permissions. */
  readonly foreign?: boolean;
  /** Its file says that it is switched off: nobody can call it. */
  readonly disabled?: boolean;
}

/** A file that is an agent by where it stands. */
export interface AgentPath {
  readonly name: string;
  readonly path: string;
  /** For people and problems. */
  readonly file: string;
  readonly place: Place;
  /** It is in the folder of a skill, for who works by that skill. */
  readonly inner: boolean;
}

export interface AgentRead {
  readonly definition: AgentDefinition;
  /** What the file calls itself, where that is another name. */
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

/**
 * What holds in the end. `found` is of the nearest file, `built_in` of the role of that name: whose
 * words stand where the file has none.
 */
export function defined(
  name: string,
  found: AgentDefinition | undefined,
  built_in: AgentDefinition | undefined,
  config: AgentConfig | undefined,
): AgentDefinition | undefined {
  const base = found === undefined ? built_in : withWords(found, built_in);
  if (config === undefined) return base;
  return { ...base, ...config, name, source: 'config' };
}

function withWords(found: AgentDefinition, built_in: AgentDefinition | undefined): AgentDefinition {
  const { instructions, description } = { ...built_in, ...found };
  return {
    ...found,
    ...(instructions === undefined ? {} : { instructions }),
    ...(description === undefined ? {} : { description }),
  };
}
