/**
 * `.contracts/config.yaml` and the limits that follow from it. Every key is optional; the nearest
 * one wins: contract, then agent, then squad, then the configuration, then the defaults here.
 */
import * as z from 'zod/mini';
import { isBeyond, noticedIn } from '../attempts/noticed.ts';
import type { Attempt } from '../attempts/record.ts';
import { GIT_OPERATIONS, STRENGTHS } from './permissions.ts';
import { lazily, strictObjectOf } from '../base/lazy.ts';
import { durationMs, durationSchema as duration } from '../base/duration.ts';
import { PERSON, personOr, type Contract } from './contract.ts';
import { count, name, NETWORKS, worktreeSchema } from './contract-shape.ts';
import { checklistsOf, isProved } from './criterion-check.ts';
import { CLIENT_TYPES } from '../../../clients/core/records.ts';

const argv = lazily(() =>
  z.array(z.string().check(z.maxLength(4000))).check(z.minLength(1), z.maxLength(200)),
);
/** US dollars of one task, or of one run. */
const cost = lazily(() => z.number().check(z.minimum(0), z.maximum(1_000_000)));
const tokens = lazily(() => z.int().check(z.minimum(0), z.maximum(1_000_000_000_000)));
export const globs = lazily(() => z.array(z.string().check(z.minLength(1), z.maxLength(200))));
const checkText = lazily(() => z.string().check(z.minLength(1), z.maxLength(2000)));
const slots = lazily(() => z.int().check(z.minimum(1), z.maximum(64)));

/** The kinds of adapter: the clients by name, any agent that speaks ACP, any program, nobody. */
const ADAPTER_TYPES = [
  ...CLIENT_TYPES,
  'acp',
  'command',
  'shell',
  'queue',
  'human',
  'host',
] as const;

/** A label of machines; the names of queues have it. */
const LABEL = /^[a-z0-9][a-z0-9_-]{0,30}$/;

const adapterConfigSchema = strictObjectOf(() => ({
  type: z.optional(z.enum(ADAPTER_TYPES)),
  run: z.optional(argv()),
  env: z.optional(
    z.array(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/))).check(z.maxLength(100)),
  ),
  model: z.optional(name()),
  /** Tried in turn after `model` where a model fails. */
  models: z.optional(z.array(name()).check(z.maxLength(20))),
  /** The model that is asked for questions before the work. */
  ask_model: z.optional(name()),
  /** Mode of the sessions of an agent that speaks ACP, as it calls it. */
  mode: z.optional(name()),
  /** Address of a queue, where `${NAME}` is a variable. */
  url: z.optional(
    z.string().check(z.regex(/^(?:rediss?|postgres(?:ql)?):\/\/\S+$/), z.maxLength(1000)),
  ),
  /** Name of the agent at the workers of the queue. */
  agent: z.optional(name()),
  /** Git remote, by name or address, at which workers get trees and leave branches; else the queue carries both. */
  remote: z.optional(z.string().check(z.regex(/^[\w./~][^\s]{0,500}$/))),
  /** Labels that a worker must have, all of them. */
  labels: z.optional(z.array(z.string().check(z.regex(LABEL))).check(z.maxLength(4))),
  /** Limit of jobs that are announced in the queue at once. */
  max_in_flight: z.optional(z.int().check(z.minimum(1), z.maximum(256))),
}));

export const agentConfigSchema = strictObjectOf(() => ({
  adapter: z.optional(name()),
  model: z.optional(name()),
  description: z.optional(z.string().check(z.maxLength(2000))),
  instructions: z.optional(z.string().check(z.maxLength(100_000))),
  retries_max: z.optional(count()),
  questions_max: z.optional(count()),
  reviews_max: z.optional(count()),
  timeout: z.optional(duration()),
  stall: z.optional(duration()),
  cost_max: z.optional(cost()),
  tokens_max: z.optional(tokens()),
  models: z.optional(z.array(name()).check(z.maxLength(20))),
  write: z.optional(globs()),
  /** As `write` where left out. */
  create: z.optional(globs()),
  delete: z.optional(globs()),
  /** Files that may only grow at their end. */
  append: z.optional(globs()),
  git: z.optional(z.array(z.enum(GIT_OPERATIONS))),
  strength: z.optional(z.enum(STRENGTHS)),
  network: z.optional(z.enum(['none', 'open'])),
  hidden: z.optional(z.boolean()),
  delegates_to: z.optional(z.array(name())),
  children_max: z.optional(count()),
  depth_max: z.optional(count()),
  tools: z.optional(z.array(name())),
  skills: z.optional(z.array(name())),
}));
/** Shape in a file of an agent, where other tools have keys too. */
export const agentHeadSchema = lazily(() => z.looseObject(agentConfigSchema().shape));
export type AgentConfig = z.infer<ReturnType<typeof agentConfigSchema>>;

const categorySchema = strictObjectOf(() => ({
  agent: z.optional(name()),
  adapter: z.optional(name()),
  model: z.optional(name()),
  models: z.optional(z.array(name()).check(z.maxLength(20))),
  /** Gate of contracts that name none. */
  reviewer: z.optional(name()),
}));
export type Category = z.infer<ReturnType<typeof categorySchema>>;

export const configSchema = strictObjectOf(() => ({
  v: z.optional(z.literal(1)),
  /** Folder of the states, relative to the workspace root. */
  active_tasks: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  adapter: z._default(name(), 'shell'),
  parallel: z._default(z.union([slots(), z.record(name(), slots())]), 2),
  timeout: z._default(duration(), '10m'),
  /** A call without output, status or changed file for so long is ended. */
  stall: z._default(duration(), '10m'),
  retries_max: z._default(count(), 3),
  questions_max: z._default(count(), 3),
  reviews_max: z._default(count(), 2),
  /** Limits of one task that gives work to others: how many, and how deep they may do so in turn. */
  children_max: z._default(count(), 10),
  depth_max: z._default(count(), 2),
  isolation: z._default(z.enum(['shared', 'worktree']), 'shared'),
  worktree: z.optional(worktreeSchema()),
  sandbox: z._default(z.enum(['auto', 'bwrap', 'none']), 'auto'),
  network: z._default(z.enum(NETWORKS), 'open'),
  /** Files that no agent sees in a sandbox; without a slash, at any depth. */
  hide: z.optional(globs()),
  rerun: z._default(z.enum(['auto', 'ask']), 'auto'),
  /** `before`: a plan that starts asks its agents for their questions first. */
  ask: z._default(z.enum(['off', 'before']), 'off'),
  /** Limits of the cost that agents report: of each task, and of one run. */
  cost_max: z.optional(cost()),
  tokens_max: z.optional(tokens()),
  run_cost_max: z.optional(cost()),
  run_tokens_max: z.optional(tokens()),
  /** US dollars of all calls that ended on one calendar day. */
  day_cost_max: z.optional(cost()),
  /** `done`: one commit for each task that comes to done in the shared tree. */
  commit: z._default(z.enum(['off', 'done']), 'off'),
  /** Contracts for the memory-catcher when a session of a host client ends: made or not. */
  memory_catcher: z._default(z.enum(['off', 'ask', 'auto']), 'off'),
  /** Treatment of assumptions that no person has confirmed. */
  assumptions: z._default(z.enum(['ask', 'tell', 'off']), 'ask'),
  /** Tasks whose write globs or deliverables overlap. */
  conflicts: z._default(z.enum(['serialize', 'warn', 'ignore']), 'serialize'),
  /** `other`: who reviews is another client than who did the work. */
  reviewer_client: z._default(z.enum(['any', 'other']), 'any'),
  /** Gate of all work of agents, beside those of a contract: `person`, or an agent. */
  gate: z.optional(name()),
  /** Category of a contract -> who takes it, and by which model. */
  categories: z._default(z.record(z.string(), categorySchema()), {}),
  /** Names under `verify` of plans -> checks; a text alone is a command. */
  checks: z._default(
    z.record(name(), z.union([checkText(), z.array(checkText()).check(z.maxLength(50))])),
    {},
  ),
  /** Called after a move; argv, no shell. */
  on_state: z.optional(argv()),
  adapters: z._default(z.record(z.string(), adapterConfigSchema()), {}),
  agents: z._default(z.record(z.string(), agentConfigSchema()), {}),
}));
export type Config = z.infer<ReturnType<typeof configSchema>>;

/** The keys that are known at a path of keys in the configuration. */
export function configKeysAt([top]: readonly PropertyKey[]): readonly string[] {
  const agents = agentConfigSchema;
  const [adapters, categories] = [adapterConfigSchema, categorySchema];
  if (top === 'parallel') return ['all', 'work', 'review', ...ADAPTER_TYPES];
  const below = new Map(Object.entries({ agents, adapters, categories, worktree: worktreeSchema }));
  return Object.keys((below.get(String(top)) ?? configSchema)().shape);
}

/** The empty configuration as its shape makes it, written out because every call needs it. */
export const DEFAULT_CONFIG: Config = {
  adapter: 'shell',
  parallel: 2,
  timeout: '10m',
  stall: '10m',
  retries_max: 3,
  questions_max: 3,
  reviews_max: 2,
  children_max: 10,
  depth_max: 2,
  isolation: 'shared',
  sandbox: 'auto',
  network: 'open',
  rerun: 'auto',
  ask: 'off',
  commit: 'off',
  memory_catcher: 'off',
  assumptions: 'ask',
  conflicts: 'serialize',
  reviewer_client: 'any',
  categories: {},
  checks: {},
  adapters: {},
  agents: {},
};

export interface SlotLimits {
  readonly all: number;
  /** By state (`work`, `review`), adapter or its type. */
  readonly of: Readonly<Record<string, number>>;
}

/** Jobs of one queue adapter that are announced at once. */
const IN_FLIGHT = 8;
/** The slot of what runs on this machine, where some agents do not. */
export const HERE = 'this machine';

export type Slotted = Pick<Config, 'parallel' | 'adapters'>;

/** Jobs that may be announced at once, by adapter. */
function inFlight({ adapters }: Slotted): Readonly<Record<string, number>> {
  const queues = Object.entries(adapters).filter(([, { type }]) => type === 'queue');
  return Object.fromEntries(
    queues.map(([name, { max_in_flight = IN_FLIGHT }]) => [name, max_in_flight]),
  );
}

/**
 * How many attempts may run at once. Without `all`, as many as the others allow together. What workers run elsewhere
 * comes on top.
 */
export function slotLimits(config: Slotted): SlotLimits {
  const { parallel } = config;
  const { all: given, ...of } = typeof parallel === 'number' ? { all: parallel } : parallel;
  const here = given ?? Math.max(2, sumOf(of));
  const away = inFlight(config);
  return Object.keys(away).length === 0
    ? { all: here, of }
    : { all: here + sumOf(away), of: { ...away, ...of, [HERE]: here } };
}

const sumOf = (of: Readonly<Record<string, number>>): number =>
  Object.values(of).reduce((a, b) => a + b, 0);

/** The agent that executes when the contract names none. */
export const DEFAULT_AGENT = 'builder';

/** The one that the contract names, where the configuration has it. */
export function categoryOf(contract: Contract, { categories }: Config): Category | undefined {
  const { category } = contract.head;
  return category !== undefined && Object.hasOwn(categories, category)
    ? categories[category]
    : undefined;
}

/** Gates of a contract, by its head and the configuration; a person, too, after work beyond the globs of its agent. */
export function gatesByContract(
  contract: Contract,
  config: Config,
  attempts: readonly Attempt[] = [],
): readonly string[] {
  const gates = gatesOf(contract, categoryOf(contract, config)?.reviewer);
  const is_beyond = noticedIn(attempts).some(isBeyond);
  return is_beyond && !gates.includes(PERSON) ? [...gates, PERSON] : gates;
}

/**
 * The gates that it names, else the reviewer that its category names (`routed`). A person, where it has
 * neither and the runner cannot check all of it: an agent's word is never enough
 * (docs/decisions/0005-an-agents-word-is-not-enough.md).
 */
export function gatesOf(contract: Contract, routed: string | undefined): readonly string[] {
  const { quality_gate, deliverables } = contract.head;
  if (quality_gate.length > 0) return quality_gate.map(personOr);
  if (routed !== undefined) return [routed];
  const lists = checklistsOf(contract);
  const seen = contract.checks.length > lists.length || deliverables.length > 0;
  const proved = ({ items }: (typeof lists)[number]): boolean =>
    items.length > 0 && items.every((text) => isProved(contract, { text }, () => true));
  return seen && lists.every(proved) ? [] : [PERSON];
}

export interface Limits {
  readonly retries_max: number;
  readonly questions_max: number;
  readonly reviews_max: number;
  readonly timeout_ms: number;
  readonly stall_ms: number;
}

const SANDBOXES = ['none', 'auto', 'bwrap'] as const;

/** The contract asks for more than the configuration, never for less. */
export function sandboxLevel(
  contract: Contract | undefined,
  config: Config,
): (typeof SANDBOXES)[number] {
  const asked = SANDBOXES.indexOf(contract?.head.sandbox ?? 'none');
  return SANDBOXES[Math.max(asked, SANDBOXES.indexOf(config.sandbox))] ?? 'bwrap';
}

export function limitsFor(
  contract: Contract | undefined,
  agent: AgentConfig | undefined,
  config: Config,
): Limits {
  const head = contract?.head;
  const timeout = head?.timeout ?? agent?.timeout ?? config.timeout;
  return {
    retries_max: head?.retries_max ?? agent?.retries_max ?? config.retries_max,
    questions_max: head?.questions_max ?? agent?.questions_max ?? config.questions_max,
    reviews_max: head?.reviews_max ?? agent?.reviews_max ?? config.reviews_max,
    timeout_ms: durationMs(timeout) ?? 600_000,
    stall_ms: durationMs(head?.stall ?? agent?.stall ?? config.stall) ?? 600_000,
  };
}
