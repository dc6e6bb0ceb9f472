/** The contracts of a plan, checked as before a call. Problems have lines of plan.md. */
import { groupedBy } from '../../../task/core/base/groups.ts';
import type { ContractDraft } from '../../../task/core/model/contract-draft.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { expandPlan } from '../../core/expand.ts';
import type { PlanItem } from '../../core/plan-document.ts';
import type { ExpandedItem, PlanDraft } from '../../core/plan-draft.ts';
import { renamedItems } from '../../core/plan-renamed.ts';
import { ok, problem, type Problem, type Result } from '../../../task/core/model/problem.ts';
import { planFolder, shown, taskFolder, TEXT_BYTES_MAX } from '../../../task/store/tasks/layout.ts';
import { parseContract, renderContract } from '../../../task/text/documents/contract.ts';
import { bytesOf } from '../../../workspace/tasks/attempt-context.ts';
import { completed } from '../../../workspace/tasks/complete-contract.ts';
import { oldNameOf, renamedPlan } from '../follow/missing-plans.ts';
import { orphansAmong, unowned } from '../follow/orphan-tasks.ts';
import { aroundPlan } from './plan-context.ts';
import { readPlan, type Plan } from './find-plans.ts';
import { preflight } from '../../../engine/preflight/preflight.ts';
import { clientHint } from '../../../engine/preflight/executor.ts';
import { templateOf, type Workspace } from '../../../workspace/open/workspace.ts';
import { squadsOf } from '../../../squads/engine/registry.ts';
import { unnamedInItem } from '../../../engine/preflight/criteria.ts';

export interface WrittenDraft {
  readonly draft: PlanDraft;
  /** Its contract.md. */
  readonly text: string;
  readonly contract: Contract;
  readonly exists: boolean;
}

export interface PlanDrafts {
  readonly plan: Plan;
  readonly items: readonly ExpandedItem[];
  /** In the order in which they are made; empty where a problem is an error. */
  readonly drafts: readonly WrittenDraft[];
  /** In the order of the file; problems of calling agents come last. */
  readonly problems: readonly Problem[];
}

export function draftsOfPlan(ws: Workspace, name: string): Result<PlanDrafts> {
  const read = readPlan(ws, name);
  if (!read.ok) return read;
  const plan = read.value;
  const around = aroundPlan(ws, name);
  const { drafts, items, problems } = expandPlan(plan.document, around);
  const renamed = renamedOf(ws, plan, items, around.isTask);
  const found = [...plan.document.warnings, ...problems, ...renamed, ...linkedFolders(ws, plan)];
  const created = ws.machine.now().toISOString();
  const template = templateOf(ws, 'contract');
  const written: WrittenDraft[] = [];
  const calls: Problem[] = [];
  for (const draft of drafts) {
    const { contract } = draft;
    const asks = draft.kind !== 'checkpoint' && asksBefore(ws, plan, contract.head);
    const head = { v: 1, ...contract.head, ...(asks && { ask: 'before' as const }), created };
    const text = renderContract({ ...contract, head }, template);
    const parsed = parseContract(text, plan.file);
    const place = { file: plan.file, line: draft.line, col: 1 };
    if (!parsed.ok) {
      found.push(...parsed.problems.map((one) => ({ ...one, ...place })));
      continue;
    }
    if (bytesOf(text).length > TEXT_BYTES_MAX) found.push(tooLarge(place));
    const exists = around.isTask(draft.id);
    written.push({ draft, text, contract: parsed.value, exists });
    if (!exists) calls.push(...standsInTheWay(ws, draft, completed(ws, parsed.value), place));
  }
  const all = [...found.toSorted((a, b) => a.line - b.line), ...grouped(calls)];
  const failed = all.some(({ severity }) => severity === 'error');
  return ok({ plan, items, drafts: failed ? [] : written, problems: all });
}

/** Says whether agents are asked before the work: the plan's word, else the squad's, else the settings'. */
function asksBefore(ws: Workspace, { document }: Plan, head: ContractDraft['head']): boolean {
  const { squad } = head;
  const of = typeof squad === 'string' ? squadsOf(ws).get(squad) : undefined;
  return (document.ask ?? of?.ask ?? ws.config.ask) === 'before';
}

/** Stories and reports are written into real folders alone. */
function linkedFolders(ws: Workspace, { name }: Plan): readonly Problem[] {
  const folders = ['stories', 'runs'].map((one) => `${planFolder(ws.layout, name)}/${one}`);
  const strange = folders.filter((one) => (ws.disk.stat(one)?.kind ?? 'folder') !== 'folder');
  return strange.map((one) =>
    problem({
      code: 'not_a_file',
      severity: 'warning',
      file: shown(ws.layout, one),
      message: 'this is a link or a file, so nothing is written into it',
      expected: 'a folder',
      fix: 'Move it away; the folder is made when it is needed',
    }),
  );
}

function renamedOf(
  ws: Workspace,
  plan: Plan,
  items: readonly ExpandedItem[],
  isTask: (id: string) => boolean,
): readonly Problem[] {
  const open = items.filter(({ tasks }) => tasks.length > 0);
  const unmade = open.filter(({ tasks }) => !tasks.some(isTask)).map(({ item }) => item);
  if (unmade.length === 0 || unmade.length < open.length) return renamedIn(ws, plan, items, unmade);
  const was = oldNameOf(ws, plan.name, plan.document);
  return [
    ...(was === undefined ? [] : [renamedPlan(ws, plan.name, was)]),
    ...renamedIn(ws, plan, items, unmade),
  ];
}

/** `unmade`: items without a task. */
export function renamedIn(
  ws: Workspace,
  plan: Plan,
  items: readonly ExpandedItem[],
  unmade: readonly PlanItem[],
): readonly Problem[] {
  const owned = new Set(items.flatMap(({ tasks }) => tasks));
  const left = unowned(ws, plan.name, owned, unmade.length > 0);
  return renamedItems(plan, unmade, orphansAmong(plan.name, left, owned));
}

type Place = Pick<Problem, 'file' | 'line' | 'col'>;

function tooLarge(place: Place): Problem {
  return {
    code: 'too_large',
    severity: 'error',
    ...place,
    message: 'the contract of this item would be too large',
    expected: `at most ${TEXT_BYTES_MAX / 1024} KiB`,
    fix: 'Write less, and name the rest as context files',
  };
}

/** Runs the preflight of `confirm`. A person at a checkpoint is not called. */
function standsInTheWay(ws: Workspace, draft: PlanDraft, contract: Contract, place: Place) {
  if (draft.kind === 'checkpoint' && contract.head.agent === undefined) return [];
  const folder = taskFolder(ws.layout, 'ready', draft.id);
  const own = `${draft.id}/contract.md`;
  const found = preflight(ws, folder, contract, false).map((one) =>
    one.file.endsWith(own)
      ? { ...one, ...place, fix: fixInPlan(ws, one, contract.head.agent) }
      : one,
  );
  return [...found, ...unnamedInItem(ws, contract, place)];
}

/** In a plan, a script is a block below its item. */
function fixInPlan(ws: Workspace, { code, fix }: Problem, agent: string | undefined): string {
  if (code !== 'missing_section') return fix;
  if (agent !== undefined) {
    const how = 'adapter: human, or the client that you have';
    return `${clientHint(ws, '')}Say in .contracts/config.yaml how ${agent} is called (${how}), or put a \`\`\`sh block below the item`;
  }
  return 'Put a ```sh block below the item, or name who does it: (executor: @name)';
}

/** An agent that cannot be called is the same problem for each of its items, so it is reported once. */
function grouped(problems: readonly Problem[]): readonly Problem[] {
  const groups = groupedBy(problems, (one) =>
    JSON.stringify([one.code, one.severity, one.message, one.found, one.fix]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 1 ? '1 more item' : `${others.length} more items`;
    return others.length === 0
      ? [first]
      : [{ ...first, message: `${first.message} (and ${more})` }];
  });
}
