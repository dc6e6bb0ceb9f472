/** All receipts and approvals of a task, with how their signatures hold. */
import { dirname } from 'node:path';
import type { LineData } from '../core/events/command-lines.ts';
import { ok, type Result } from '../../task/core/model/problem.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { signaturesIn } from '../verify/seals.ts';
import { findAny } from './find-task.ts';

export function receiptsOf(ws: Workspace, id: string): Result<LineData<'receipts'>> {
  const found = findAny(ws, id);
  if (!found.ok) return found;
  const { task, folder } = found.value;
  const { receipts, approvals, problems } = signaturesIn(ws, task, folder);
  return ok({
    id,
    receipts: receipts.flatMap(({ number, file, words }) => {
      const { tree = '', receipts: all = [] } = readReceipts(ws, dirname(file)) ?? {};
      return all.map((one) => ({ attempt: number, signed: words, tree, ...one }));
    }),
    approvals: approvals.map(({ number, verdict, gate, words }) => {
      return { attempt: number, verdict, gate, signed: words };
    }),
    problems: [...problems],
  });
}
