/**
 * The form in which a checkpoint asks: how the wave went, what comes next, and four boxes. Made from
 * what stands on the disk; puts it nowhere.
 */
import { isCheckpoint } from '../core/checkpoint.ts';
import type { Contract } from '../core/contract.ts';
import type { State } from '../core/state.ts';
import { taskFolder } from '../store/layout.ts';
import { locate } from '../store/tasks.ts';
import { bytesOf } from './attempt/running.ts';
import { readBoard } from './board.ts';
import { readContract } from './read-contract.ts';
import { fillTemplate, type Workspace } from './workspace.ts';

export const DECISION_FILE = 'questions.md';

/** A fresh form; `done` of the wave, what was given up, and what comes next are in it. */
export function decisionForm(ws: Workspace, id: string, contract: Contract): Uint8Array {
  const wave = contract.head.depends_on.map((one) => {
    const [state] = locate(ws.disk, ws.layout, one);
    const words = state === undefined || state === 'done' ? '' : state;
    const mark = state === 'aborted' ? '✗' : '✓';
    return { id: one, title: titleOf(ws, one, state), mark, words };
  });
  const next = [...readBoard(ws, { quick: true }).tasks.values()].flatMap((task) => {
    if (!task.contract.ok || !task.contract.value.head.depends_on.includes(id)) return [];
    return [{ id: task.id, title: task.contract.value.title }];
  });
  const { title, head } = contract;
  return bytesOf(fillTemplate(ws, 'checkpoint', { id, title, plan: head.plan ?? '', wave, next }));
}

/** On the desk of the agent that decides. */
export function givenTo(
  { ws, id }: { readonly ws: Workspace; readonly id: string },
  contract: Contract,
): readonly { readonly name: string; readonly bytes: Uint8Array }[] {
  if (!isCheckpoint(contract)) return [];
  return [{ name: DECISION_FILE, bytes: decisionForm(ws, id, contract) }];
}

function titleOf(ws: Workspace, id: string, state: State | undefined): string {
  if (state === undefined) return id;
  const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
  return contract.ok ? contract.value.title : id;
}
