/** Dependencies that will never be done: missing, aborted, or in a cycle; each with the line that names it. */
import { keyNaming, type Contract } from '../../task/core/model/contract.ts';
import { cycleWords } from '../../task/core/base/dependency-graph.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { awaitedBy, isAborted, isJoin } from '../../task/core/model/task.ts';
import type { Board } from '../board/board.ts';
import { dependency } from '../board/dependency.ts';
import { resolveId } from '../board/resolve-id.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** `file` is the contract as it is shown. */
export function lostDependencies(ws: Workspace, board: Board, contract: Contract, file: string) {
  return awaitedBy(contract).flatMap((id): Problem[] => {
    const one = dependency(ws, board, id);
    const report = (code: Problem['code'], message: string, fix: string): Problem[] => [
      problem({ code, file, line: lineOf(contract, id), message, found: id, fix }),
    ];
    if (one.state === 'unknown') {
      const message = 'depends on a task that does not exist';
      const near = resolveId(ws, id);
      const fix = near.ok ? `Did you mean ${near.value}?` : (near.problems[0]?.fix ?? '');
      return report('unknown_dependency', message, fix);
    }
    if (!isAborted(one) || isJoin(kindOf(ws, contract), contract, id)) return [];
    const fix = `Take it up again (contracts retry ${id} --again), or take it out`;
    return report('dependency_aborted', 'depends on a task that is aborted', fix);
  });
}

/** A cycle is reported only for its first task. */
export function cycleProblem(
  id: string,
  cycle: readonly string[] | undefined,
  contract: Contract,
  file: string,
): Problem[] {
  // One that depends on itself alone is reported before it is confirmed (preflight).
  if (cycle === undefined || cycle[0] !== id || new Set(cycle).size < 2) return [];
  return [
    problem({
      code: 'cycle',
      file,
      line: lineOf(contract, cycle[1] ?? ''),
      message: `depends on itself: ${cycleWords(cycle)}`,
      fix: `Take one of them out of a ${keyNaming(contract, cycle[1])}`,
    }),
  ];
}

function lineOf(contract: Contract, id: string): number {
  const { head, lines } = contract;
  const key = keyNaming(contract, id);
  return lines.get(`${key}.${head[key].indexOf(id)}`) ?? lines.get(key) ?? 1;
}
