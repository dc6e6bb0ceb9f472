/** What a commit of a task says of it, as git trailers. */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { calledIn, readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** `Contract`, `Agent`, a `Reviewer` for each gate that approved, `Receipts`; `task`: its folder. */
export function trailersOf(ws: Workspace, id: string, task: string, all: readonly Attempt[]) {
  const work = lastEnded(all, 'work');
  const after = all.filter(({ number, lost }) => !lost && number > (work?.number ?? 0));
  const gates = after.map(({ outcome }) => outcome?.outcome === 'approved' && outcome.gate);
  const found = after.map((one) => readReceipts(ws, calledIn(task, one))?.receipts);
  const receipts = (found.findLast((some) => some?.length) ?? [])
    .map(({ check, passed }) => `${passed ? 'passed' : 'failed'} ${check}`)
    .join('; ');
  const line = (key: string, value: string | false | undefined): string =>
    value ? `${key}: ${value.replace(/\s+/g, ' ')}\n` : '';
  const head = line('Contract', id) + line('Agent', work?.outcome?.agent);
  return head + gates.map((one) => line('Reviewer', one)).join('') + line('Receipts', receipts);
}
