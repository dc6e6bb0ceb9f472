/**
 * Runs the checks of a contract, one after the other, and makes a receipt of each: command, exit
 * code, time, output (docs/concepts.md#checks-and-receipts). A check is run by the runner itself, never
 * believed.
 */
import { checkName, type Check } from '../../task/core/model/contract.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { capabilitiesOf, type CapabilityCheck } from '../../workspace/tasks/capability.ts';
import { look, type CheckOptions } from './check-files.ts';
import { runCommand } from './check-command.ts';

/** All of them, also after one has failed: the findings are whole. Stops when cancelled. */
export async function runChecks(
  running: Running,
  checks: readonly Check[],
  options: CheckOptions,
): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const check of checks) {
    if (running.signal.aborted) break;
    // Other checks prove its items, or a gate judges them.
    if (check.kind === 'checklist') continue;
    const receipt = await runCheck(running, check, options);
    receipts.push(receipt);
    running.emit({
      event: 'checked',
      task: running.id,
      attempt: running.number,
      check: receipt.check,
      passed: receipt.passed,
      reason: receipt.reason,
    });
  }
  return receipts;
}

/** What knows plans is loaded when one is to be looked at. */
async function lookAtPlan(
  { ws }: Running,
  plan: string | undefined,
  { contract, ground }: CheckOptions,
): Promise<string | undefined> {
  const { invalidPlan } = await import('../../plans/engine/start/check-plan.ts');
  return invalidPlan(ws, ground.root, contract, plan);
}

/** As the capability that knows this kind of check sees it. */
async function lookAtMore(
  { ws }: Running,
  check: CapabilityCheck,
  { contract, ground }: CheckOptions,
): Promise<string | undefined> {
  const [lookAt] = capabilitiesOf(ws).flatMap((one) => one.checks?.[check.kind] ?? []);
  if (lookAt === undefined) return `there is no check named ${check.kind}`;
  return lookAt(ws, ground.root, contract, check.squad);
}

type Run = Exclude<Check, { kind: 'checklist' }>;

async function whyNot(
  running: Running,
  check: Exclude<Run, { kind: 'run' }>,
  options: CheckOptions,
) {
  if (check.kind === 'plan_valid') return lookAtPlan(running, check.plan, options);
  if (check.kind === 'squad_valid') return lookAtMore(running, check, options);
  return look(running, check, options);
}

async function runCheck(running: Running, check: Run, options: CheckOptions): Promise<Receipt> {
  const at = running.ws.machine.now().toISOString();
  if (check.kind === 'run') return runCommand(running, check.command, at, options);
  const failure = await whyNot(running, check, options);
  return {
    check: checkName(check),
    passed: failure === undefined,
    exit_code: null,
    at,
    ms: 0,
    reason: failure ?? 'passed',
    output: '',
  };
}
