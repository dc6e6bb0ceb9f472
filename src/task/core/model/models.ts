/** Which model an attempt is called with, by its outcomes alone (docs/clients.md#clients-of-models). */
import type { Contract } from './contract.ts';
import { countingFrom } from '../attempts/counters.ts';
import { categoryOf, type Config } from './policy.ts';
import type { Attempt, AttemptKind } from '../attempts/record.ts';

export interface Named {
  readonly model?: string | undefined;
  readonly models?: readonly string[] | undefined;
}

/** The model that is tried first and those after it, without repeats; empty: the client's own. */
export function modelChain(
  contract: Contract | undefined,
  agent: Named | undefined,
  config: Config,
  adapter_name: string,
): readonly string[] {
  const head = contract?.head;
  const near: readonly (Named | undefined)[] = [
    agent,
    contract === undefined ? undefined : categoryOf(contract, config),
    Object.hasOwn(config.adapters, adapter_name) ? config.adapters[adapter_name] : undefined,
  ];
  const first = head?.model ?? near.find((one) => one?.model !== undefined)?.model;
  const then = near.find((one) => one?.models !== undefined)?.models ?? [];
  return [...new Set([...(first === undefined ? [] : [first]), ...then])];
}

/** Errors after which the next model is taken. */
const IS_OF_MODEL: ReadonlySet<string> = new Set(['model', 'no_model', 'too_long', 'outage']);

/** The one for the next attempt of a kind by `agent`: each that failed is not taken again. */
export function modelFor(
  chain: readonly string[],
  attempts: readonly Attempt[],
  { kind, agent, resolved }: { kind: AttemptKind; agent: string; resolved: boolean },
): string | undefined {
  const from = countingFrom(attempts, resolved);
  const failed = attempts.filter(
    (one) =>
      one.number > from &&
      !one.lost &&
      one.kind === kind &&
      one.outcome?.agent === agent &&
      IS_OF_MODEL.has(one.outcome.error ?? ''),
  ).length;
  return chain[Math.min(failed, chain.length - 1)];
}
