/** Words for what one round of a task calls and costs, before a model is called for the first time. */
import { asksPerson, executorOf, roleOf } from '../../agents/engine/roles.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { budgetFor, dollars } from '../../task/core/attempts/budget.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { awaitedReview } from '../../task/core/attempts/counters.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import { pendingGates } from '../core/decide/decide-review.ts';
import { findTask } from './find-task.ts';

/** So many differ and are shown, and so many tasks are looked at. */
const SHOWN_MAX = 3;
const LOOKED_MAX = 500;

/** Lines for these tasks that are not in `said` yet, to which they are added: one for tasks that are called alike. */
export function roundLines(ws: Workspace, ids: readonly string[], said: Set<string>): string[] {
  const calling = ids.slice(0, LOOKED_MAX).filter((id) => isCallDue(ws, id));
  const found = new Set(calling.flatMap((id) => roundWords(ws, id) ?? []));
  const lines = [...found].filter((line) => !said.has(line));
  for (const line of lines) said.add(line);
  const more = lines.length - SHOWN_MAX;
  return [...lines.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more: contracts list`] : [])];
}

/** False for work that is approved by all who judge it, or rejected: it ends without a call. */
export function isCallDue(ws: Workspace, id: string): boolean {
  const found = findTask(ws, id);
  if (!found.ok || !found.value.contract.ok || found.value.state !== 'review') return true;
  const { attempts, review, contract } = found.value;
  const said = awaitedReview(attempts) && review?.ok ? review.value.verdict : undefined;
  if (said === 'NEEDS_WORK' || said === 'REJECT') return said === 'NEEDS_WORK';
  const gates = gatesFor(ws, contract.value);
  const contract_hash = contractHash(found.value);
  const pending = pendingGates({ attempts, contract_hash }, gates);
  const left = said === 'APPROVED' ? pending.slice(1) : pending;
  return left.some((gate) => gate !== PERSON && !asksPerson(ws, contract.value, gate));
}

/** undefined where no client of a model would be called. */
export function roundWords(ws: Workspace, id: string): string | undefined {
  const found = findTask(ws, id);
  if (!found.ok || !found.value.contract.ok) return undefined;
  const contract = found.value.contract.value;
  const executor = executorOf(ws, contract);
  const gates = gatesFor(ws, contract);
  const isPerson = (gate: string): boolean => gate === PERSON || asksPerson(ws, contract, gate);
  const reviewers = gates.filter((gate) => !isPerson(gate)).map((gate) => roleOf(ws, gate));
  const paid = [executor, ...reviewers].filter(({ adapter }) => adapter?.client).length;
  if (paid === 0) return undefined;
  const named = ({ name, adapter_name }: typeof executor): string => `${name} (${adapter_name})`;
  const by = [
    `${named(executor)} works`,
    ...reviewers.map((one) => `${named(one)} reviews`),
    ...(gates.some(isPerson) ? ['you approve'] : []),
  ].join(', ');
  const { cost_max: of_task, tokens_max } = budgetFor(contract, executor.settings, ws.config);
  const { run_cost_max: of_run, day_cost_max: of_day } = ws.config;
  const limits = [
    ...(of_task === undefined ? [] : [`${dollars(of_task)} a task`]),
    ...(tokens_max === undefined ? [] : [`${tokens_max} tokens a task`]),
    ...(of_run === undefined ? [] : [`${dollars(of_run)} a run`]),
    ...(of_day === undefined ? [] : [`${dollars(of_day)} a day`]),
  ];
  const most = limits.length === 0 ? 'no limit of cost (cost_max)' : `at most ${limits.join(', ')}`;
  const { retries_max: retries } = limitsFor(contract, executor.settings, ws.config);
  const more = retries === 0 ? '' : `, up to ${retries === 1 ? '1 retry' : `${retries} retries`}`;
  return `${by}: ${paid === 1 ? '1 call' : `${paid} calls`} of a model a round${more}; ${most}`;
}
