/** `plan start`: makes missing tasks, dependencies first. An existing task is only reported. */
import { checkName, type Contract } from '../../../task/core/model/contract.ts';
import { CONTRACT_KEYS } from '../../core/plan-document.ts';
import type { PlanData } from '../../core/plan-lines.ts';
import { isTerminal, type State } from '../../../task/core/model/state.ts';
import { locate } from '../../../task/store/tasks/tasks.ts';
import { isArchived, lastFolder } from '../../../engine/board/archive.ts';
import { orphansAmong, unowned } from '../follow/orphan-tasks.ts';
import { readContract } from '../../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import type { PlanDrafts } from './drafts.ts';

type ChangedItem = PlanData<'plan_started'>['changed'][number];

/** Tasks whose contracts differ from their items. */
export function changedItems(ws: Workspace, { drafts }: PlanDrafts): readonly ChangedItem[] {
  return drafts.flatMap(({ draft, contract, exists }) => {
    if (!exists) return [];
    const { id, key, line } = draft;
    const there = contractOf(ws, id);
    if (there === undefined) return [];
    const keys = differing(contract, there.contract, there.state);
    return keys.length === 0 ? [] : [{ id, key, line, keys }];
  });
}

function contractOf(ws: Workspace, id: string) {
  const [state = 'archived' as const] = locate(ws.disk, ws.layout, id);
  if (state === 'archived' && !isArchived(ws, id)) return undefined;
  const { contract } = readContract(ws, lastFolder(ws, id), id);
  return contract.ok ? { contract: contract.value, state } : undefined;
}

/** Compares what comes from the item; keys without an effect on an ended task are skipped. */
function differing(wanted: Contract, there: Contract, state: State | 'archived') {
  const ended = state === 'archived' || isTerminal(state);
  const heads = ['title', 'type', 'agent', 'squad', 'category', 'wave', ...CONTRACT_KEYS] as const;
  const lists = ['deliverables', 'quality_gate', 'skills', 'tags', 'depends_on'] as const;
  const asked = lists.filter((key) => key !== 'depends_on' || !ended);
  const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const sorted = (list: readonly string[]) => list.toSorted();
  const criteriaOf = ({ criteria }: Contract) => criteria.map(({ text }) => text);
  return [
    ...heads.filter((key) => wanted.head[key] !== there.head[key]),
    ...asked.filter((key) => differs(sorted(wanted.head[key]), sorted(there.head[key]))),
    ...(differs(wanted.checks.map(checkName), there.checks.map(checkName)) ? ['verify'] : []),
    ...(differs(wanted.head.write, there.head.write) ? ['write'] : []),
    ...(wanted.objective === there.objective ? [] : ['objective']),
    ...(differs(criteriaOf(wanted), criteriaOf(there)) ? ['criteria'] : []),
    ...(differs(wanted.steps, there.steps) ? ['steps'] : []),
  ];
}

export function isCheckpointOf({ drafts }: PlanDrafts, id: string): boolean {
  return drafts.some(({ draft }) => draft.id === id && draft.kind === 'checkpoint');
}

/** New tasks of a wave whose checkpoint already exists. */
export function besideCheckpoints(ws: Workspace, { drafts }: PlanDrafts): readonly string[] {
  return drafts.flatMap(({ draft: { id, kind, depends_on }, exists }) => {
    if (kind !== 'checkpoint' || !exists) return [];
    const there = contractOf(ws, id);
    const waits = new Set(there?.contract.head.depends_on ?? []);
    const added = depends_on.filter((one) => !waits.has(one) && !isOver(ws, one));
    if (there === undefined || added.length === 0) return [];
    return [`${id} ${meaningOf(there.state, id, added)}`];
  });
}

function isOver(ws: Workspace, id: string): boolean {
  const [state] = locate(ws.disk, ws.layout, id);
  return state === undefined ? isArchived(ws, id) : isTerminal(state);
}

function meaningOf(state: State | 'archived', id: string, added: readonly string[]): string {
  const those = added.length > 3 ? `${added.length} tasks` : added.join(', ');
  if (state === 'done' || state === 'archived') {
    return `was passed before ${those}: nothing of the next wave waits for that`;
  }
  if (state === 'aborted') return `was given up before ${those}: nothing waits for that`;
  if (state === 'questions' || state === 'review' || state === 'in_progress') {
    return `is asked already, and does not wait for ${those}: answer it when that is done`;
  }
  return `does not wait for ${those}: write that into its depends_on: contracts edit ${id} contract`;
}

/** `reported`: a problem of the plan names the task. */
export function goneItems(ws: Workspace, { plan, items, drafts }: PlanDrafts) {
  const ids = [...items.flatMap(({ tasks }) => tasks), ...drafts.map(({ draft }) => draft.id)];
  const gone = unowned(ws, plan.name, new Set(ids));
  const reported = new Set(orphansAmong(plan.name, gone, new Set()).map(({ id }) => id));
  return gone.map(({ id, state }) => ({ id, state, reported: reported.has(id) }));
}
