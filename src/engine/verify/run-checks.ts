/** Runs the checks of a contract and makes a receipt of each (docs/concepts.md#checks-and-receipts). */
import { Fault } from '../../task/core/model/problem.ts';
import { checkName, isBy, type Check, type CheckOf } from '../../task/core/model/checks.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { capabilityFor } from '../../workspace/tasks/capability.ts';
import { look, type CheckOptions } from './check-files.ts';
import { rootOf } from '../attempt/deliverables.ts';
import { runCommand } from './check-command.ts';

/** All of them, also after one has failed. Stops when cancelled. */
export async function runChecks(running: Running, checks: readonly Check[], options: CheckOptions) {
  const receipts: Receipt[] = [];
  for (const check of checks) {
    if (running.signal.aborted) break;
    // Other checks prove its items, or a gate judges them.
    if (isBy(check, 'gate')) continue;
    const receipt = asBefore(await runCheck(running, check, options), options.before);
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

/** Leaves a check without its program or network to the review, which requires that it passes. */
export function leftToReview(error: unknown): undefined {
  if (!(error instanceof Fault) || !/^(?:program|network)$/.test(error.fault)) throw error;
}

/** Says so where it gave the same before the work. Two failures are the same where they print the same. */
function asBefore(receipt: Receipt, before: readonly Receipt[] = []): Receipt {
  const was = before.find(({ check }) => check === receipt.check);
  if (was?.passed !== receipt.passed) return receipt;
  const isSame = was.exit_code === receipt.exit_code && was.output === receipt.output;
  if (!was.passed && !isSame) return receipt;
  return { ...receipt, reason: `${receipt.reason}, as before the work`, as_before: true };
}

async function lookAtMore(
  running: Running,
  { name, path }: { readonly name: string; readonly path?: string },
  { contract, workdir }: CheckOptions,
): Promise<string | undefined> {
  const { ws } = running;
  const lookAt = capabilityFor(ws, name)?.check;
  if (lookAt === undefined) return `there is no check named ${name}`;
  const made = contract.head.deliverables.find((one) => one.startsWith(`${SETTINGS}/`)) ?? '';
  return lookAt(ws, { name, path, contract, root: rootOf(running, workdir, made) });
}

async function runCheck(
  running: Running,
  check: Exclude<Check, CheckOf<'gate'>>,
  options: CheckOptions,
): Promise<Receipt> {
  const at = running.ws.machine.now().toISOString();
  if (isBy(check, 'program')) return runCommand(running, check.command, at, options);
  const failure = isBy(check, 'capability')
    ? await lookAtMore(running, check, options)
    : await look(running, check, options);
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
