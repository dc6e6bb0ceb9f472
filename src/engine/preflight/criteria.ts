/** Criteria that a script cannot tick: a warning where no person is named; a step may yet write the result itself. */
import { PERSON, type Contract, type Criterion } from '../../task/core/model/contract.ts';
import { checkOf } from '../../task/core/model/criterion-check.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { asksPerson, isScript } from '../../agents/engine/roles.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** For where the runner writes the result. */
export function unnamedCriteria(ws: Workspace, contract: Contract, file: string): Problem[] {
  return unnamedIn(ws, contract).map((criterion) =>
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

/** Reports it once for an item with a script: its criterion may be its title. */
export function unnamedInItem(
  ws: Workspace,
  contract: Contract,
  place: Pick<Problem, 'file' | 'line' | 'col'>,
): Problem[] {
  if (contract.steps.length === 0 || unnamedIn(ws, contract).length === 0) return [];
  return [
    problem({
      code: 'unnamed_criterion',
      severity: 'warning',
      ...place,
      message:
        'a criterion of this item names no check and no file, so the runner cannot tick it after its script',
      fix: 'Name what it makes, (files: path), or a check, (verify: run: command), and one of them in each criterion below it; or let the script write result.md',
    }),
  ];
}

/** Criteria of which a script can tick none are for whoever approves, or else a person; at a gate, those not mentioned too. */
export function leftToGate(ws: Workspace, contract: Contract) {
  const is_gated = gatesFor(ws, contract).length > 0;
  return { is_gated, for_person: unnamedIn(ws, contract, is_gated) };
}

/** `by_person`: where a person is a gate, else where none is. */
function unnamedIn(ws: Workspace, contract: Contract, by_person = false): readonly Criterion[] {
  const gates = gatesFor(ws, contract);
  if (gates.some((gate) => gate === PERSON || asksPerson(ws, contract, gate)) !== by_person)
    return [];
  if (!kindOf(ws, contract).works) return [];
  // The criteria of a request for a plan are the runner's own: there the problem is that no agent is called.
  const { workflow, plan } = contract.head;
  if (workflow !== undefined && plan !== undefined && contract.steps.length === 0) return [];
  if (!isScript(ws, contract)) return [];
  // A step that names result.md writes it itself.
  if (contract.steps.some((step) => step.includes('result.md'))) return [];
  return contract.criteria.filter((criterion) => checkOf(contract, criterion) === undefined);
}
