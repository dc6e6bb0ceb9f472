/** What changes a judgement after the files were judged. Pure. */
import type { Fault } from '../../../task/core/model/problem.ts';
import type { WorkOutcome } from '../../../task/core/attempts/record.ts';
import { ended, type Judgement } from '../words/outcomes.ts';

/** Findings in the tree after the call, each a path or a line. */
export interface Found {
  readonly violations?: readonly string[];
  /** Files with the marks of a merge conflict. */
  readonly unsettled?: readonly string[];
  /** Files that git cannot take. */
  readonly untaken?: readonly string[];
  /** Why nothing of it could be committed. */
  readonly fault?: Fault;
}

/** A person's move stands, whatever was done before it. */
export function ifAllowed(
  judged: Judgement<WorkOutcome>,
  { violations = [], unsettled = [], untaken = [], fault }: Found = {},
): Judgement<WorkOutcome> {
  const isComplete = judged.outcome === 'complete';
  if (isComplete && unsettled.length > 0) return ended('unsettled', { files: unsettled });
  if (violations.length > 0 && judged.by_hand !== true) {
    return ended('beyond_permissions', { lines: violations });
  }
  if (fault !== undefined && judged.by_hand !== true) return ended('not_settled', fault);
  return isComplete && untaken.length > 0 ? ended('git_cannot_take', { lines: untaken }) : judged;
}
