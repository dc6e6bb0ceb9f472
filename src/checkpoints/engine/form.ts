/** The form in which a checkpoint asks, made from what is on the disk; puts it nowhere. */
import { isCheckpoint } from '../core/checkpoint.ts';
import type { TaskNode } from '../../task/core/base/dependency-graph.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { Fault, type Result } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { parseDecision } from '../text/decision.ts';
import { summaryOf } from '../text/wave-summary.ts';
import { lastFolder } from '../../engine/board/archive.ts';
import { lastWord } from '../../engine/brief/task-report.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { readBoard } from '../../engine/board/board.ts';
import { runsBefore } from './wave-runs.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { fillTemplate, type Workspace } from '../../workspace/open/workspace.ts';

export const DECISION_FILE = 'questions.md';

/** A fresh form; `done` of the wave, what was given up, and what comes next are in it. */
export function decisionForm(ws: Workspace, id: string, contract: Contract): Uint8Array {
  const wave = contract.head.depends_on.map((one) => {
    const [state] = locate(ws.disk, ws.layout, one);
    const failed = state === 'aborted' || state === 'blocked';
    const why = failed ? lastWord(ws, taskFolder(ws.layout, state, one), one) : '';
    const words = state === undefined || state === 'done' ? '' : [state, why].filter(Boolean);
    const mark = failed ? '✗' : '✓';
    return { id: one, title: titleOf(ws, one, state), mark, words: words && words.join('. ') };
  });
  const next = waitingFor(ws, id);
  const { title, head } = contract;
  const summary = summaryOf(runsBefore(ws, contract)).join('\n');
  const plan = head.plan ?? '';
  return bytesOf(
    fillTemplate(ws, 'checkpoints/checkpoint', { id, title, plan, wave, summary, next }),
  );
}

/** Words given with GO at a checkpoint, for the tasks that waited for it. */
export function wordsWithGo(
  ws: Workspace,
  { head }: Contract,
): readonly { readonly name: string; readonly text: string }[] {
  return head.depends_on.filter(isTaskId).flatMap((id) => {
    const folder = lastFolder(ws, id);
    const { contract } = readContract(ws, folder, id);
    const path = `${folder}/${DECISION_FILE}`;
    if (!contract.ok || !isCheckpoint(contract.value)) return [];
    const { decision, notes } = parseDecision(textIfThere(ws.disk, path) ?? '');
    return decision === 'GO' && notes !== '' ? [{ name: `${id}, with GO`, text: notes }] : [];
  });
}

function waitingFor(ws: Workspace, id: string): readonly Pick<TaskNode, 'id' | 'title'>[] {
  const { tasks, faults } = readBoard(ws, { quick: 'rows' });
  const known = [...tasks].map(([one, { contract }]) => [one, contract] as const);
  const again = [...faults.keys()].map((one) => [one, contractOf(ws, one)] as const);
  return [...known, ...again]
    .flatMap(([one, contract]) =>
      contract?.ok === true && contract.value.head.depends_on.includes(id)
        ? [{ id: one, title: contract.value.title }]
        : [],
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Reads it once more where it could not be read; the step itself reports it otherwise. */
function contractOf(ws: Workspace, id: string): Result<Contract> | undefined {
  const [state] = locate(ws.disk, ws.layout, id);
  if (state === undefined) return undefined;
  try {
    return readContract(ws, taskFolder(ws.layout, state, id), id).contract;
  } catch (error) {
    if (error instanceof Fault || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

function titleOf(ws: Workspace, id: string, state: State | undefined): string {
  if (state === undefined) return id;
  const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
  return contract.ok ? contract.value.title : id;
}
