/** How each task went that a checkpoint waits for. Reads. */
import { calledOnce, useOf } from '../../task/core/attempts/budget.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { isState } from '../../task/core/model/state.ts';
import type { Dependency } from '../../task/core/model/task.ts';
import { archiveFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { archivedState } from '../../engine/board/archive.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { RunOfTask } from '../text/wave-summary.ts';

/** As far as they are still there. */
export function runsBefore(ws: Workspace, { head }: Contract): readonly RunOfTask[] {
  const tasks = head.depends_on.map((id) => {
    const [state = archivedState(ws, id)] = locate(ws.disk, ws.layout, id);
    return { id, state };
  });
  const known = tasks.filter(({ state }) => isState(state) || state.startsWith('archived'));
  return known.map((one) => runOfTask(ws, one));
}

export function runOfTask(
  ws: Workspace,
  { id, state }: Pick<Dependency, 'id' | 'state'>,
): RunOfTask {
  const folder = isState(state) ? taskFolder(ws.layout, state, id) : archiveFolder(ws.layout, id);
  const { contract } = readContract(ws, folder, id);
  const { attempts } = readAttempts(ws, folder, id);
  const kept = attempts.filter(({ lost, outcome }) => !lost && outcome !== undefined);
  const of = (kind: Attempt['kind']) => kept.filter((one) => one.kind === kind);
  return {
    id,
    title: contract.ok ? contract.value.title : id,
    end: state.replace(/^archived_/, ''),
    executors: [...new Set(of('work').flatMap(({ outcome }) => outcome?.agent || []))],
    gates: [...new Set(of('review').flatMap(reviewerIn))],
    attempts: of('work').length,
    reviews: of('review').length,
    seconds: calledOnce(attempts).reduce((all, { seconds = 0 }) => all + seconds, 0),
    ...useOf(attempts),
  };
}

/** Nobody, where no gate gave a verdict; a person, where the gate's agent was not called. */
function reviewerIn({ outcome }: Attempt): readonly string[] {
  if (!outcome?.gate || !/^(approved|needs_work|reject)$/.test(outcome.outcome)) return [];
  return [outcome.adapter === undefined ? PERSON : outcome.gate];
}
