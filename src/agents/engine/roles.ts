/** How an agent is called: its adapter and model, and the agent of a contract that names a category. */
import type { Adapter } from '../../process/adapter.ts';
import { adapterFor } from '../../clients/adapters/registry.ts';
import type { AgentDefinition } from '../core/agents.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import { PERSON, personOr, type Contract } from '../../task/core/model/contract.ts';
import { modelChain, modelFor, type Named } from '../../task/core/model/models.ts';
import {
  categoryOf as configured,
  DEFAULT_AGENT,
  DEFAULT_CONFIG,
} from '../../task/core/model/policy.ts';
import type { AttemptKind } from '../../task/core/attempts/record.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { agentsOf } from './registry.ts';
import { routeOf, type Category } from '../../workspace/tasks/routes.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Role {
  readonly name: string;
  readonly definition: AgentDefinition | undefined;
  /** The same; undefined for a role of the package, which sets no limits and is not read for them. */
  readonly settings: AgentDefinition | undefined;
  readonly adapter_name: string;
  readonly adapter: Adapter | undefined;
  /** The models that agent and category name for this client. */
  readonly named: Named;
}

interface Wish {
  readonly adapter?: string | undefined;
  readonly category?: Category | undefined;
  /** The category chose this agent, so that its adapter and models come first. */
  readonly routed?: boolean;
}

/** An agent that is named alone, such as a reviewer. */
export function roleOf(ws: Workspace, name: string): Role {
  return called(ws, nameOf(ws, name), {});
}

/** `human` is a kind of adapter, and as a name a person, unless an agent has that name. */
function nameOf(ws: Workspace, name: string): string {
  const person = personOr(name);
  return person === name || agentsOf(ws).has(name) ? name : person;
}

/** The agent that the contract names, else its category's, else its squad's, else the default one. */
export function executorOf(ws: Workspace, contract: Contract): Role {
  const { agent, adapter } = contract.head;
  const route = routeOf(ws, contract);
  const category = route?.category ?? configured(contract, ws.config);
  const theirs = route?.executor(category?.agent);
  const name = nameOf(ws, agent ?? theirs ?? category?.agent ?? DEFAULT_AGENT);
  const routed = agent === undefined;
  if (category !== undefined) return called(ws, name, { adapter, category, routed });
  const key = `${name} ${adapter ?? ''} ${routed}`;
  const role = rolesOf(ws).get(key) ?? called(ws, name, { adapter, routed });
  rolesOf(ws).set(key, role);
  return role;
}

/** Most tasks have the same. */
const rolesOf = /* @__PURE__ */ onceFor<Workspace, Map<string, Role>>(() => new Map());

/**
 * A reviewer that cannot be called is a person: one called by hand, and in a squad's work one without a
 * client, so that a squad is of use before anything is configured.
 */
export function asksPerson(ws: Workspace, contract: Contract, gate: string): boolean {
  const { adapter, adapter_name } = roleOf(ws, gate);
  return (
    adapter?.mode === 'human' || (adapter_name === 'shell' && contract.head.squad !== undefined)
  );
}

/** True where the runner writes the result of its executor. */
export function isScript(ws: Workspace, contract: Contract | undefined): boolean {
  return contract !== undefined && executorOf(ws, contract).adapter?.writes_result_itself === false;
}

/** As the adapter is called; `person` is another word for one. */
function plainName(ws: Workspace, name: string): string {
  return name === PERSON ? (adapterFor(name, ws.config)?.name ?? name) : name;
}

export function isAdapter(ws: Workspace, name: string): boolean {
  return adapterFor(name, ws.config) !== undefined;
}

/** Each part is looked up when it is asked for: most callers need only the name. */
function called(ws: Workspace, name: string, wish: Wish): Role {
  let adapter_name: string | undefined;
  return {
    name,
    get definition() {
      return agentsOf(ws).get(name);
    },
    get settings() {
      return agentsOf(ws).isPlain(name) ? undefined : this.definition;
    },
    get adapter_name() {
      return (adapter_name ??= plainName(ws, wish.adapter ?? adapterOf(ws, name, wish)));
    },
    get adapter() {
      return adapterFor(this.adapter_name, ws.config);
    },
    get named(): Named {
      const { category, routed } = wish;
      const mine = fitting(ws, this);
      if (category === undefined) return mine;
      const [near, far]: readonly Named[] = routed === true ? [category, mine] : [mine, category];
      return { model: near?.model ?? far?.model, models: near?.models ?? far?.models };
    },
  };
}

function adapterOf(ws: Workspace, name: string, { category, routed }: Wish): string {
  const agents = agentsOf(ws);
  const mine = agents.adapterOf(name);
  const chosen = routed === true ? (category?.adapter ?? mine) : (mine ?? category?.adapter);
  if (chosen !== undefined) return chosen;
  const { config } = ws;
  // A client's own agents are called by that client, where no other is configured for all.
  if (config.adapter === DEFAULT_CONFIG.adapter) {
    const client = agents.clientOf(name) ?? ws.person.client;
    if (client !== undefined) return client;
  }
  return isAdapter(ws, name) && !agents.has(name) ? name : config.adapter;
}

/** A model that is named in a client's folder is a model of that client. */
function fitting(ws: Workspace, { definition, adapter_name }: Role): Named {
  const client = definition?.client;
  if (definition === undefined || client === undefined) return definition ?? {};
  const type = adapterType(ws, adapter_name);
  return type === client || type === 'acp' ? definition : {};
}

/** The kind of adapter of that name: from its settings, else the name. */
export function adapterType(ws: Workspace, name: string): string {
  const { adapters } = ws.config;
  return (Object.hasOwn(adapters, name) ? adapters[name]?.type : undefined) ?? name;
}

interface Called {
  readonly kind: AttemptKind;
  readonly role: Role;
  /** True if a person has resolved it. */
  readonly resolved: boolean;
}

/** The contract's own model is the executor's: a reviewer has its own. */
export function modelNow(
  ws: Workspace,
  { attempts }: Pick<TaskRead, 'attempts'>,
  contract: Contract,
  { kind, role, resolved }: Called,
): string | undefined {
  const chain = modelsOf(ws, contract, { kind, role });
  return modelFor(chain, attempts, { kind, agent: role.name, resolved });
}

function modelsOf(
  ws: Workspace,
  contract: Contract,
  { kind, role }: Pick<Called, 'kind' | 'role'>,
) {
  const { adapter_name: adapter } = role;
  const own = Object.hasOwn(ws.config.adapters, adapter) ? ws.config.adapters[adapter] : undefined;
  if (kind === 'ask' && own?.ask_model !== undefined) return [own.ask_model];
  const about = kind === 'review' ? undefined : contract;
  return modelChain(about, role.named, ws.config, role.adapter_name);
}

/** True if no other model is named for the call after one with `model`. */
export function isLastModel(
  ws: Workspace,
  contract: Contract | undefined,
  model: string | undefined,
  called: Pick<Called, 'kind'> & { readonly role: Role | undefined },
): boolean {
  const { role, kind } = called;
  if (contract === undefined || role === undefined) return true;
  return [model, undefined].includes(modelsOf(ws, contract, { kind, role }).at(-1));
}
