/** A plan as contracts, and the checkpoints between waves. An error means no contracts at all. */
import { addTo } from '../../task/core/base/groups.ts';
import { Dependencies } from './expand-depends.ts';
import { draftsOfItem } from './expand-item.ts';
import { fillDraft } from './inputs.ts';
import { inOrder } from '../../task/core/base/expand-order.ts';
import { Squads, whoIsMeant } from './expand-squads.ts';
import { reportBadName, reportCycle, reportNothingToDo, reportWrong } from './expand-problems.ts';
import {
  report,
  type Expanding,
  type ExpandedItem,
  type Meant,
  type PlanAround,
  type PlanDraft,
} from './plan-draft.ts';
import { isClosed, PLAN_NAME, type PlanDocument, waveTitle } from './plan-document.ts';
import {
  planIds,
  tasksIn,
  executorsOf,
  nearestOf,
  type PlanIds,
  PLAN_WORKFLOW,
} from './plan-ids.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Squad } from '../../squads/core/squad.ts';

/** `drafts` are in the order in which they are made; none where a problem is an error. */
export function expandPlan(document: PlanDocument, around: PlanAround) {
  const problems: Problem[] = [];
  const ids = planIds(around.plan, around.hash);
  const expanding: Expanding = { document, around, ids, problems };
  if (!PLAN_NAME.test(around.plan)) reportBadName(expanding);
  const dependencies = new Dependencies(expanding);
  const items = itemsOf(document, around, ids);
  if (!items.some(({ tasks }) => tasks.length > 0)) reportNothingToDo(items, expanding);
  const squads = new Squads(expanding);
  const checkpoints = checkpointsOf(items, squads.get(), expanding);
  const byKey = new Map(items.map((one) => [one.item.key, one]));
  const context = { dependencies, squads, checkpoints, expanding, byKey };
  const drafts = items
    .filter(({ tasks }) => tasks.length > 0)
    .flatMap((one) => draftsOfItem(meantBy(one, context), expanding));
  const all = [...drafts, ...checkpoints.drafts].map((draft) => fillDraft(draft, expanding));
  reportWrong(all, expanding);
  const byId = new Map(all.map((draft) => [draft.id, draft]));
  const edges = new Map(
    all.map(({ id, depends_on, results = [] }) => [id, [...new Set([...depends_on, ...results])]]),
  );
  const { order, cycles } = inOrder(edges);
  for (const path of cycles) reportCycle(path, byId, expanding);
  const failed = problems.some(({ severity }) => severity === 'error');
  const ordered = order.flatMap((id) => byId.get(id) ?? []);
  const reported = squads.broken
    ? problems.filter(({ code }) => code !== 'unknown_agent')
    : problems;
  // Several executors of an item report the same.
  const once = new Map(reported.map((one) => [JSON.stringify(one), one]));
  return { drafts: failed ? [] : ordered, items, problems: [...once.values()] };
}

/** A closed box without a task is the person's own. */
function itemsOf({ items, waves }: PlanDocument, around: PlanAround, ids: PlanIds) {
  const tasksOf = tasksIn(items, ids);
  return items.map((item) => {
    const wave = item.wave ?? waves[0]?.number;
    if (item.kind === 'group') return { item, wave, tasks: [] };
    const tasks = tasksOf(item).map(({ id }) => id);
    const { meaning } = item.box;
    return isClosed(meaning) && !tasks.some(around.isTask)
      ? { item, wave, tasks: [], closed: meaning }
      : { item, wave, tasks };
  });
}

interface Context {
  readonly dependencies: Dependencies;
  readonly squads: Squads;
  readonly checkpoints: ReturnType<typeof checkpointsOf>;
  readonly expanding: Expanding;
  readonly byKey: ReadonlyMap<string, ExpandedItem>;
}

function meantBy(
  { item, wave }: ExpandedItem,
  { dependencies, squads, checkpoints, expanding, byKey }: Context,
): Meant {
  const { above } = dependencies;
  const needs = dependencies.of(item);
  const joined = dependencies.of(item, 'context_from');
  // In the order of the plan.
  const named = (keys: readonly string[]): readonly ExpandedItem[] =>
    keys.flatMap((key) => byKey.get(key) ?? []).sort((a, b) => a.item.number - b.item.number);
  const lastsOf = (keys: readonly string[]): readonly string[] =>
    named(keys).flatMap(({ tasks }) => tasks.slice(-1));
  const gone = named(needs.keys).filter(({ closed }) => closed === 'dropped');
  for (const { item: needed } of gone) {
    report(expanding, item.box.line, {
      code: 'unknown_dependency',
      severity: 'warning',
      message: 'this depends on an item that was given up, and does not wait for it',
      found: needed.key,
      fix: `Remove it from the dependencies, or open its box again (line ${needed.box.line})`,
    });
  }
  const own = nearestOf(item, above, ({ squad }) => squad);
  const strict = [...lastsOf(needs.keys), ...needs.ids];
  const others = [...lastsOf(joined.keys), ...joined.ids];
  return {
    item,
    wave,
    squad: squads.get(item, own),
    category: nearestOf(item, above, ({ category }) => category),
    executors: executorsOf(item, above),
    results: [...new Set([...strict, ...others])],
    depends_on: [...new Set([...strict, ...checkpoints.before(wave)])],
  };
}

/** `before`: what tasks of a wave wait for beside their own dependencies. */
function checkpointsOf(
  items: readonly ExpandedItem[],
  squad: Squad | undefined,
  expanding: Expanding,
) {
  const { document, around, ids: named, problems } = expanding;
  const tasks = new Map<number, string[]>();
  for (const { wave, tasks: ids } of items) {
    if (wave === undefined || ids.length === 0) continue;
    addTo(tasks, wave, ...ids);
  }
  const waves = [...tasks.keys()].toSorted((a, b) => a - b);
  const mode = document.checkpoint ?? squad?.checkpoint_mode ?? 'interactive';
  const line = document.said_on?.checkpoint ?? 1;
  const reported = waves.length > 1 ? problems : [];
  const agent = askedAt(mode, squad, { around, problems: reported }, line);
  const drafts = waves.slice(0, -1).flatMap((wave, i) => {
    const depends_on = tasks.get(wave) ?? [];
    const next = waveTitle(document.waves, waves[i + 1] ?? wave);
    return agent === undefined ? [] : [checkpoint({ wave, depends_on, agent }, next, expanding)];
  });
  return {
    drafts,
    before: (wave: number | undefined): readonly string[] => {
      const last = waves.findLast((one) => wave !== undefined && one < wave);
      if (last === undefined) return [];
      return agent === undefined ? (tasks.get(last) ?? []) : [named.checkpoint(last)];
    },
  };
}

/** undefined: no checkpoint. */
function askedAt(
  mode: string,
  squad: Squad | undefined,
  expanding: Pick<Expanding, 'around' | 'problems'>,
  line: number,
): string | undefined {
  const word = mode.trim().replace(/^@/, '');
  if (/^(?:auto|none|no|off)$/i.test(word)) return undefined;
  if (word === '' || /^interactive$/i.test(word)) return PERSON;
  return whoIsMeant(word, squad, expanding, { line }) ?? PERSON;
}

type Between = Required<Pick<PlanDraft, 'wave' | 'depends_on' | 'agent'>>;

function checkpoint(
  { wave, depends_on, agent }: Between,
  next: string,
  { document, around, ids }: Expanding,
): PlanDraft {
  const title = `Checkpoint after ${waveTitle(document.waves, wave)}`;
  const here = document.waves.find(({ number }) => number === wave);
  return {
    id: ids.checkpoint(wave),
    key: `checkpoint-wave-${wave}`,
    kind: 'checkpoint',
    line: here?.line ?? 1,
    wave,
    agent,
    checks: [],
    gates: [],
    deliverables: [],
    depends_on,
    contract: {
      head: given({
        title,
        type: 'checkpoint',
        agent: agent === PERSON ? undefined : agent,
        squad: document.squad,
        workflow: document.workflow ?? PLAN_WORKFLOW,
        plan: around.plan,
        wave,
        depends_on,
      }),
      title,
      objective: [
        `Look at what ${waveTitle(document.waves, wave)} of the plan (${around.file}) produced, and decide how to continue with ${next}: GO, PAUSE, REVIEW or ABORT.`,
        ...(here?.checkpoint === undefined ? [] : [`What must hold: ${here.checkpoint}`]),
      ].join('\n\n'),
      criteria: ['One of GO, PAUSE, REVIEW and ABORT is ticked in questions.md'],
    },
  };
}
