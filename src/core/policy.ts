/**
 * `.contracts/config.yaml` and the limits that follow from it. Every key is optional; the nearest
 * one wins: contract, then agent, then squad, then the configuration, then the defaults here.
 */
import * as z from 'zod';
import { durationMs, durationSchema as duration, type Contract } from './contract.ts';

const name = z.string().min(1).max(128);
const argv = z.array(z.string().max(4000)).min(1).max(200);
const count = z.int().min(0).max(100);

const adapterConfigSchema = z.strictObject({
  type: z.enum(['command', 'shell', 'human', 'host']).optional(),
  run: argv.optional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .max(100)
    .optional(),
  model: name.optional(),
});

export const agentConfigSchema = z.strictObject({
  adapter: name.optional(),
  model: name.optional(),
  description: z.string().max(2000).optional(),
  instructions: z.string().max(100_000).optional(),
  retries_max: count.optional(),
  questions_max: count.optional(),
  reviews_max: count.optional(),
  timeout: duration.optional(),
  write: z.array(z.string()).optional(),
  git: z.array(z.string()).optional(),
  delegates_to: z.array(name).optional(),
  tools: z.array(name).optional(),
  skills: z.array(name).optional(),
});
export type AgentConfig = z.infer<typeof agentConfigSchema>;

export const configSchema = z.strictObject({
  v: z.literal(1).optional(),
  /** Where the state folders are, relative to the workspace root. */
  active_tasks: z.string().min(1).max(500).optional(),
  adapter: name.default('shell'),
  parallel: z.int().min(1).max(64).default(2),
  timeout: duration.default('10m'),
  retries_max: count.default(3),
  questions_max: count.default(3),
  reviews_max: count.default(2),
  isolation: z.enum(['shared', 'worktree']).default('shared'),
  sandbox: z.enum(['auto', 'bwrap', 'none']).default('auto'),
  rerun: z.enum(['auto', 'ask']).default('auto'),
  /** Called after a move; argv, no shell. */
  on_state: argv.optional(),
  adapters: z.record(z.string(), adapterConfigSchema).default({}),
  agents: z.record(z.string(), agentConfigSchema).default({}),
});
export type Config = z.infer<typeof configSchema>;

export const DEFAULT_CONFIG: Config = configSchema.parse({});

/** The agent that executes when the contract names none. */
export const DEFAULT_AGENT = 'builder';

export interface Limits {
  readonly retries_max: number;
  readonly questions_max: number;
  readonly reviews_max: number;
  readonly timeout_ms: number;
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
  };
}
