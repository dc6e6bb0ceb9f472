/** A plan as contracts, and the checkpoints between waves. An error means no contracts at all. */
import { Dependencies } from './expand-depends.ts';
import { draftsOfItem } from './expand-item.ts';
import { fillDraft } from './inputs.ts';
import { inOrder } from '../../task/core/base/expand-order.ts';
import { Squads } from './expand-squads.ts';
import { checkpointsOf } from './expand-waves.ts';
import { reportBadName, reportCycle, reportNothingToDo, reportWrong } from './expand-problems.ts';
import {
  report,
  type Expanding,
  type ExpandedItem,
  type Meant,
  type PlanAround,
} from './plan-draft.ts';
import { isClosed, PLAN_NAME, type PlanDocument } from './plan-document.ts';
import { planIds, tasksIn, executorsOf, nearestOf, type PlanIds } from './plan-ids.ts';
import type { Problem } from '../../task/core/model/problem.ts';

/** `drafts` are in the order in which they are made; none where a problem is an error. */
export function expandPlan(document: PlanDocument, around: PlanAround) {
  const problems: Problem[] = [];
  const ids = planIds(around.plan, document.items, around.hash, around.isTask);
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
