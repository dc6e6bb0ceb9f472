/** Of which kind a task is: the point `kind` of a capability (capability.ts), apart because a task is read below it. */
import { onceFor } from '../../task/core/base/memoize.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { PLAIN, type DecisionForm, type Kind } from '../../task/core/model/task.ts';
import { tableWith, type Transition } from '../../task/core/model/transitions.ts';
import type { Workspace } from '../open/workspace.ts';

export interface KindPoint {
  /** A kind of task: what differs where its tasks are read and decided. */
  readonly kind?: Kind;
}

export const kindsIn = /* @__PURE__ */ onceFor<readonly object[], readonly Kind[]>((capabilities) =>
  (capabilities as readonly KindPoint[]).flatMap(({ kind }) => kind ?? []),
);

/** The whole table of moves, with the rows of all kinds. */
export function tableOf(capabilities: readonly object[]): readonly Transition[] {
  return tableWith(kindsIn(capabilities).flatMap(({ table }) => table ?? []));
}

export function kindOf(ws: Workspace, contract: Contract | undefined): Kind {
  if (contract === undefined) return PLAIN;
  return kindsIn(ws.capabilities).find(({ is }) => is(contract)) ?? PLAIN;
}

/** The forms of all kinds that are decided in one. */
export function decisionsOf(ws: Workspace): readonly DecisionForm[] {
  return kindsIn(ws.capabilities).flatMap(({ decision }) => decision ?? []);
}
