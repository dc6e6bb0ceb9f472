/**
 * What is wrong with what a task depends on, by itself and for good: a task that does not exist, one
 * that is aborted, or the task itself round a cycle. Each with the line that names it. Says nothing of
 * dependencies that only have to be waited for.
 */
import type { Contract } from '../../core/contract.ts';
import { problem, type Problem } from '../../core/problem.ts';
import { isAborted } from '../../core/task.ts';
import type { Board } from '../board.ts';
import { dependency } from '../facts.ts';
import type { Workspace } from '../workspace.ts';

/** Those that will never be done as things are. `file` is the contract as it is shown. */
export function lostDependencies(
  ws: Workspace,
  board: Board,
  contract: Contract,
  file: string,
): Problem[] {
  return contract.head.depends_on.flatMap((id, n): Problem[] => {
    const one = dependency(ws, board, id);
    const say = (code: Problem['code'], message: string, fix: string): Problem[] => [
      problem({ code, file, line: lineOf(contract, n), message, found: id, fix }),
    ];
    if (one.state === 'unknown') {
      return say(
        'unknown_dependency',
        'depends on a task that does not exist',
        'Correct the id, or take it out',
      );
    }
    if (!isAborted(one)) return [];
    return say(
      'dependency_aborted',
      'depends on a task that is aborted',
      `Reopen it (contracts reopen ${id}), or take it out`,
    );
  });
}

export function cycleProblem(
  cycle: readonly string[] | undefined,
  contract: Contract,
  file: string,
): Problem[] {
  if (cycle === undefined) return [];
  return [
    problem({
      code: 'cycle',
      file,
      line: lineOf(contract, contract.head.depends_on.indexOf(cycle[1] ?? '')),
      message: `depends on itself: ${cycle.join(' → ')}`,
      fix: 'Take one of them out of a depends_on',
    }),
  ];
}

function lineOf({ lines }: Contract, n: number): number {
  return lines.get(`depends_on.${n}`) ?? lines.get('depends_on') ?? 1;
}
