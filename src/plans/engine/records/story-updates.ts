/** What a story says about its task, and whether a change of its file follows from the task. Reads. */
import { checkName, isBy, type Contract } from '../../../task/core/model/contract.ts';
import { gatesFor } from '../../../agents/engine/gates.ts';
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import { readReceipts } from '../../../workspace/tasks/read-attempts.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import { storyStatus } from '../../core/story.ts';
import { metCriteria, provedBy, unmetCriteria } from '../../../engine/core/judge/unmet.ts';
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { parseResult } from '../../../task/text/documents/documents.ts';
import { scanMarkdown } from '../../../task/text/markdown/line-scanner.ts';
import { itemsOf, oneLine } from '../../../task/text/markdown/sections.ts';
import { FILES_LISTED, type StoryNews } from '../../text/story-edit.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import { executorOf } from '../../../agents/engine/roles.ts';
import { type LiveTask } from './live-task.ts';
import { fillTemplate, type Workspace } from '../../../workspace/open/workspace.ts';

const TASKS_MAX = 30;

export function firstStory(ws: Workspace, id: string, contract: Contract, status: string): string {
  const { head, title, objective, criteria } = contract;
  return fillTemplate(ws, 'plans/story', {
    id,
    title,
    status,
    plan: head.plan ?? '',
    executor: executorOf(ws, contract).name,
    gates: gatesFor(ws, contract).join(', ') || 'none',
    objective: objective === '' ? title : objective,
    criteria: criteria.map(({ text }) => text),
    tasks: tasksOf(contract),
    definition: definitionOf(ws, contract),
  });
}

/** The list in its requirements, else its title. */
function tasksOf({ requirements, title }: Contract): readonly string[] {
  const items = itemsOf(scanMarkdown(requirements)).map(({ text }) => oneLine(text));
  const listed = items.filter((text) => text !== '').slice(0, TASKS_MAX);
  return listed.length > 0 ? listed : [title];
}

const CRITERIA_HOLD = 'Every acceptance criterion holds, with evidence in the result';
const PASSES = 'Check passes: ';
const APPROVED = 'Approved by ';

function definitionOf(ws: Workspace, contract: Contract): readonly string[] {
  return [
    CRITERIA_HOLD,
    ...contract.checks.map((check) => `${PASSES}${checkName(check)}`),
    ...gatesFor(ws, contract).map((gate) => `${APPROVED}${gate}`),
    FILES_LISTED,
  ].map(oneLine);
}

interface Standing extends Pick<LiveTask, 'state' | 'attempts'> {
  /** Folders that may have results. */
  readonly folders: readonly string[];
  /** undefined: its last attempt decides. */
  readonly approved?: boolean;
}

export function newsOf(ws: Workspace, contract: Contract, standing: Standing): StoryNews {
  const { state, attempts, folders } = standing;
  const ended = attempts.filter(({ lost, outcome }) => !lost && outcome !== undefined);
  const of = (kind: Attempt['kind']) => ended.filter((one) => one.kind === kind);
  const own = `.contracts/plans/${contract.head.plan ?? ''}/`;
  const changed = of('work').flatMap(({ outcome }) => outcome?.changed ?? []);
  const approved = standing.approved ?? (state === 'done' && isApproved(ended.at(-1)));
  const met = metIn(ws, contract, folders);
  const definition = definitionOf(ws, contract);
  const holding = approved ? heldOf(ws, contract, standing) : new Set<string>();
  return {
    status: storyStatus(state, of('work').length > 0),
    met: [...met, ...holding],
    unmet: definition.filter((text) => !holding.has(text)),
    tasks: approved ? tasksOf(contract) : [],
    files: [...new Set(changed)].filter((path) => !path.startsWith(own)),
    changes: of('work').map((one) => lineOf(`Attempt ${one.number}`, one)),
    reviews: of('review').map((one) => lineOf(`Review ${one.number}`, one)),
  };
}

/** A task that was moved to done by hand has no approval. */
function isApproved(last: Attempt | undefined): boolean {
  return last?.kind === 'review' && last.outcome?.outcome === 'approved' && !last.anew;
}

/** By receipts, verdicts and evidence since the last work. */
function heldOf(ws: Workspace, contract: Contract, { attempts, folders }: Standing) {
  const [folder = ''] = folders;
  const from = lastEnded(attempts, 'work')?.number ?? 0;
  const said = attempts.filter(
    (one) => !one.lost && one.number > from && one.outcome?.outcome === 'approved',
  );
  const last = attemptFolder(folder, said.at(-1)?.number ?? 0);
  const passed = readReceipts(ws, last)?.receipts.filter((one) => one.passed) ?? [];
  const result = parseResult(textIfThere(ws.disk, `${folder}/result.md`) ?? '');
  const shown = result.criteria.map((one) =>
    one.evidence === '' ? { ...one, ticked: false } : one,
  );
  const proved = provedBy(contract, [], passed);
  const open = unmetCriteria(contract, { ...result, criteria: shown }, proved);
  // A gate judges checklists.
  const lists = contract.checks.filter((one) => isBy(one, 'gate'));
  return new Set(
    [
      ...(contract.criteria.length > 0 && open.length === 0 ? [CRITERIA_HOLD] : []),
      ...[...lists.map(checkName), ...passed.map(({ check }) => check)].map((one) => PASSES + one),
      ...said.map(({ outcome }) => `${APPROVED}${outcome?.gate}`),
      FILES_LISTED,
    ].map(oneLine),
  );
}

function lineOf(start: string, { outcome }: Attempt): { start: string; rest: string } {
  const agent = outcome?.gate ?? outcome?.agent ?? '';
  const by = agent === '' ? '' : ` by ${agent}`;
  return {
    start,
    rest: `${by}, ${outcome?.at ?? ''}: ${outcome?.outcome ?? ''}, ${outcome?.reason ?? ''}`,
  };
}

function metIn(ws: Workspace, contract: Contract, folders: readonly string[]): readonly string[] {
  const results = folders.flatMap((folder) => textIfThere(ws.disk, `${folder}/result.md`) ?? []);
  const met = results.flatMap((text) => metCriteria(contract, parseResult(text)));
  return [...new Set(met.map(({ text }) => oneLine(text)))];
}
