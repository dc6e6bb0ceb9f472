/**
 * For the shell adapter the runner writes result.md itself (docs/clients.md#a-script). It ticks only criteria
 * that name a check which passed just now, or a deliverable that is there: an exit code proves nothing.
 */
import { join } from 'node:path';
import { checkName, type Contract, type Criterion } from '../../task/core/model/contract.ts';
import { checkOf } from '../../task/core/model/criterion-check.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { onDesk, SETTINGS } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { RUNNERS_NOTES } from '../../task/core/model/documents.ts';
import { guardChecks } from '../call/guarded-call.ts';
import type { Workdir } from '../../worktrees/engine/workdir.ts';
import { isEmptyHanded } from '../attempt/hand-in.ts';
import { leftToReview, runChecks } from './run-checks.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import { fillTemplate } from '../../workspace/open/workspace.ts';

const LEFT = { passed: true, reason: 'did not run yet; the review requires that it passes' };

/**
 * Does nothing when a step handed in something itself. `noticed` is what its checks changed outside the
 * permissions of the work. 'stopped' when Ctrl-C came before the checks ended: nothing is written then.
 */
export async function writeOwnResult(
  running: Running,
  contract: Contract,
  desk: string,
  workdir: Workdir,
): Promise<{ readonly how: 'ended' | 'stopped'; readonly noticed: readonly string[] }> {
  const { ws } = running;
  if (!isEmptyHanded(running, desk)) return { how: 'ended', noticed: [] };
  const named = new Map(contract.criteria.map((c) => [c.number, checkOf(contract, c)]));
  const checks = [...new Set(named.values())].filter((check) => check !== undefined);
  const around = guardChecks(running, contract, checks, workdir);
  // The review runs them again, and reports them.
  const options = { contract, workdir };
  const documents = contract.head.deliverables.filter((path) => path.startsWith(`${SETTINGS}/`));
  // What it hands in is put in its place after this.
  const early = documents.some((path) => ws.disk.stat(join(desk, onDesk(path))) !== undefined);
  const ran = early ? undefined : runChecks({ ...running, emit: () => undefined }, checks, options);
  const receipts = await ran?.catch(leftToReview);
  const noticed = around();
  if (running.signal.aborted) return { how: 'stopped', noticed };
  const byCheck = new Map(checks.map((check, i) => [check, receipts?.[i]]));
  const text = render(running, contract, (criterion) => {
    const check = named.get(criterion.number);
    return check && (receipts ? byCheck.get(check) : { ...LEFT, check: checkName(check) });
  });
  put(ws.putting, join(desk, 'result.md'), bytesOf(text));
  return { how: 'ended', noticed };
}

function render(
  running: Running,
  contract: Contract,
  receiptOf: (criterion: Criterion) => Pick<Receipt, 'check' | 'passed' | 'reason'> | undefined,
): string {
  const { ws, id } = running;
  return fillTemplate(ws, 'result', {
    id,
    status: 'COMPLETE',
    completed: ws.machine.now().toISOString(),
    findings: '',
    criteria: contract.criteria.map((criterion) => {
      const receipt = receiptOf(criterion);
      return {
        mark: receipt?.passed === true ? 'x' : ' ',
        text: criterion.text,
        evidence:
          receipt === undefined ? 'no check names it' : `\`${receipt.check}\`: ${receipt.reason}`,
      };
    }),
    deliverables: contract.head.deliverables,
    validation: 'The runner itself ran the checks that the criteria name.',
    notes: RUNNERS_NOTES,
  });
}
