/**
 * Criteria that can never be ticked, found before any attempt: a warning, because a step may yet
 * write the result itself. Reads no file.
 */
import { isCheckpoint } from '../../core/checkpoint.ts';
import type { Contract } from '../../core/contract.ts';
import { problem, type Problem } from '../../core/problem.ts';
import { checkOf } from '../attempt/own-result.ts';
import { executorOf } from '../roles.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Where the runner writes the result, a criterion that names no check can never be ticked. A checkpoint
 * has no result.
 */
export function unnamedCriteria(ws: Workspace, contract: Contract, file: string): Problem[] {
  if (isCheckpoint(contract)) return [];
  if (executorOf(ws, contract).adapter?.writes_result_itself !== false) return [];
  // A step that speaks of result.md means to write it itself.
  if (contract.steps.some((step) => step.includes('result.md'))) return [];
  return contract.criteria
    .filter((criterion) => checkOf(contract, criterion) === undefined)
    .map((criterion) =>
      problem({
        code: 'unnamed_criterion',
        severity: 'warning',
        file,
        line: criterion.line,
        message: 'this criterion names no check and no deliverable, so the runner cannot tick it',
        found: JSON.stringify(criterion.text.slice(0, 80)),
        expected: 'the command or the path of an entry under verify, or the path of a deliverable',
        fix: 'Name a check in it, or let a step write result.md',
      }),
    );
}
