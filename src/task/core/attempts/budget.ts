/**
 * What a task, and one run, may use of money and tokens (docs/reference/configuration.md#keys): the
 * nearest limit wins, use is summed over the outcomes, and at the limit no agent is called. Use is
 * what clients reported: what no client reported counts for nothing. A call that goes on is never stopped for it.
 * Pure.
 */
import type { Contract } from '../model/contract.ts';
import type { AgentConfig, Config } from '../model/policy.ts';
import type { Attempt, OutcomeRecord } from './record.ts';

export interface Use {
  readonly cost_usd: number;
  /** In and out together. */
  readonly tokens: number;
}

export type Budget = Pick<AgentConfig, 'cost_max' | 'tokens_max'>;

/** Fields of an outcome, or of the event of its end. */
export type ReportedUse = Pick<OutcomeRecord, 'cost_usd' | 'input_tokens' | 'output_tokens'>;

export const NO_USE: Use = { cost_usd: 0, tokens: 0 };

export function addUse(use: Use, reported: ReportedUse | undefined): Use {
  return {
    cost_usd: use.cost_usd + (reported?.cost_usd ?? 0),
    tokens: use.tokens + (reported?.input_tokens ?? 0) + (reported?.output_tokens ?? 0),
  };
}

/** The use of all attempts, the lost ones too. */
export function useOf(attempts: readonly Attempt[]): Use {
  return calledOnce(attempts).reduce(addUse, NO_USE);
}

/** An outcome for each call: what a recovery took over is reported twice. */
export function calledOnce(attempts: readonly Attempt[]): readonly OutcomeRecord[] {
  const counted = new Set<number>();
  return attempts.flatMap(({ number, outcome }) => {
    const called = outcome?.adopted ?? number;
    if (outcome === undefined || counted.has(called)) return [];
    counted.add(called);
    return [outcome];
  });
}

/** True if the use of that attempt is in some outcome already. */
export function isCounted(attempts: readonly Attempt[], called: number | undefined): boolean {
  return attempts.some(
    ({ number, outcome }) => outcome !== undefined && (outcome.adopted ?? number) === called,
  );
}

export function budgetFor(
  contract: Contract | undefined,
  agent: AgentConfig | undefined,
  config: Config,
): Budget {
  return {
    cost_max: contract?.head.cost_max ?? agent?.cost_max ?? config.cost_max,
    tokens_max: contract?.head.tokens_max ?? agent?.tokens_max ?? config.tokens_max,
  };
}

/** Words for a budget that is used up; undefined while something is left. */
export function overBudget(
  budget: Budget,
  use: Use,
): { readonly key: 'cost_max' | 'tokens_max'; readonly words: string } | undefined {
  const { cost_max, tokens_max } = budget;
  if (cost_max !== undefined && use.cost_usd >= cost_max) {
    return { key: 'cost_max', words: `${dollars(use.cost_usd)} of ${dollars(cost_max)}` };
  }
  if (tokens_max !== undefined && use.tokens >= tokens_max) {
    return { key: 'tokens_max', words: `${use.tokens} of ${tokens_max} tokens` };
  }
  return undefined;
}

export function dollars(amount: number): string {
  const cents = amount.toFixed(2);
  return `$${Number(cents) === Number(amount.toFixed(6)) ? cents : amount.toFixed(4)}`;
}

/** Model, tokens and cost, as far as the client reported them; empty where it reported nothing. */
export function useWords(reported: ReportedUse & { readonly model?: string | undefined }): string {
  const { model, input_tokens, output_tokens, cost_usd } = reported;
  const tokens =
    input_tokens === undefined && output_tokens === undefined
      ? []
      : [`${input_tokens ?? 0} tokens in, ${output_tokens ?? 0} out`];
  const cost = cost_usd === undefined ? [] : [dollars(cost_usd)];
  return [...(model === undefined ? [] : [`model ${model}`]), ...tokens, ...cost].join(', ');
}
