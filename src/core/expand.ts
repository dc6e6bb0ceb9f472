/**
 * A plan to contracts (DESIGN §10): one for each of its tasks and executors, and a checkpoint between
 * waves, each behind what it depends on. Pure and total: what cannot be meant is a problem with its
 * line, and then there is no contract at all.
 */
import { Dependencies } from './expand-depends.ts';
import { draftsOfItem } from './expand-item.ts';
import { inOrder } from './expand-order.ts';
import { checkpointsOf, type Checkpoints } from './expand-waves.ts';
import { nearestId } from './nearest.ts';
import type { PlanAround } from './plan-around.ts';
import type { Expanding, ExpandedItem, Meant, PlanDraft } from './plan-draft.ts';
import { PLAN_NAME, type PlanDocument, type PlanItem } from './plan-document.ts';
import { executorsOf } from './plan-nesting.ts';
import { tasksOfItem } from './plan-ids.ts';
import { problem, type Problem } from './problem.ts';
import type { Squad } from './squad.ts';

export interface Expansion {
  /** In the order in which they are made; empty where a problem is an error. */
  readonly drafts: readonly PlanDraft[];
  readonly items: readonly ExpandedItem[];
  readonly problems: readonly Problem[];
}

/** More than a contract may depend on. */
const NEEDS_MAX = 500;
const TITLE_CHARS_MAX = 2000;

export function expandPlan(document: PlanDocument, around: PlanAround): Expansion {
  const problems: Problem[] = [];
  const expanding: Expanding = { document, around, problems };
  if (!PLAN_NAME.test(around.plan)) problems.push(badName(around));
  const dependencies = new Dependencies(document, around.file, around.isTask);
  const items = itemsOf(document, around, dependencies);
  if (!items.some(({ tasks }) => tasks.length > 0)) problems.push(nothingToDo(around, items));
  const squads = new Squads(document, expanding);
  const checkpoints = checkpointsOf(items, squads.get(), expanding);
  const drafts = items.flatMap((one) => {
    if (one.tasks.length === 0) return [];
    return draftsOfItem(
      meantBy(one, items, { dependencies, squads, checkpoints, expanding }),
      expanding,
    );
  });
  const all = [...drafts, ...checkpoints.drafts];
  problems.push(...wrongOf(all, around.file));
  const byId = new Map(all.map((draft) => [draft.id, draft]));
  const edges = new Map(all.map(({ id, depends_on }) => [id, depends_on]));
  const { order, cycles } = inOrder(edges);
  for (const path of cycles) problems.push(cycleProblem(path, byId, around.file));
  const failed = problems.some(({ severity }) => severity === 'error');
  const ordered = order.flatMap((id) => byId.get(id) ?? []);
  return { drafts: failed ? [] : ordered, items, problems: onceEach(problems) };
}

/** Which tasks each item has; a box counts as a person's own only while there is no task of it. */
function itemsOf(
  { items, waves }: PlanDocument,
  around: PlanAround,
  dependencies: Dependencies,
): readonly ExpandedItem[] {
  const numbers = waves.map(({ number }) => number);
  const first = numbers.length === 0 ? undefined : Math.min(...numbers);
  return items.map((item) => {
    const wave = item.wave ?? first;
    if (item.kind === 'group') return { item, wave, tasks: [] };
    const executors = executorsOf(item, dependencies.above);
    const ids = tasksOfItem(around.plan, { key: item.key, executors }, around.hash);
    const tasks = ids.map(({ id }) => id);
    const { meaning } = item.box;
    const isOpen = (meaning !== 'done' && meaning !== 'dropped') || tasks.some(around.isTask);
    return isOpen ? { item, wave, tasks } : { item, wave, tasks: [], closed: meaning };
  });
}

/** Of the item, else of the nearest that it is nested in. */
function inherited<T>(
  item: PlanItem,
  dependencies: Dependencies,
  get: (item: PlanItem) => T | undefined,
): T | undefined {
  return [item, ...dependencies.above(item)].map(get).find((value) => value !== undefined);
}

interface Ground {
  readonly dependencies: Dependencies;
  readonly squads: Squads;
  readonly checkpoints: Checkpoints;
  readonly expanding: Expanding;
}

function meantBy(
  { item, wave }: ExpandedItem,
  items: readonly ExpandedItem[],
  { dependencies, squads, checkpoints, expanding }: Ground,
): Meant {
  const needs = dependencies.of(item, expanding.problems);
  const wanted = new Set(needs.keys);
  const lasts = items.flatMap((one) => {
    const last = wanted.has(one.item.key) ? one.tasks.at(-1) : undefined;
    return last === undefined ? [] : [last];
  });
  const gone = items.filter((one) => one.closed === 'dropped' && wanted.has(one.item.key));
  for (const one of gone) expanding.problems.push(givenUp(one.item, item, expanding.around));
  const results = [...lasts, ...needs.ids];
  return {
    item,
    wave,
    squad: squads.get(
      item,
      inherited(item, dependencies, ({ squad }) => squad),
    ),
    category: inherited(item, dependencies, ({ category }) => category),
    executors: executorsOf(item, dependencies.above),
    results,
    depends_on: [...new Set([...results, ...checkpoints.before(wave)])],
  };
}

function givenUp(needed: PlanItem, item: PlanItem, { file }: PlanAround): Problem {
  return problem({
    code: 'unknown_dependency',
    severity: 'warning',
    file,
    line: item.box.line,
    message: 'this depends on what was given up, and does not wait for it',
    found: needed.key,
    fix: `Take it out of the dependencies, or open its box again (line ${needed.box.line})`,
  });
}

/** Squads by name; one that nobody knows is said once. */
class Squads {
  readonly #document: PlanDocument;
  readonly #expanding: Expanding;
  readonly #unknown = new Set<string>();

  constructor(document: PlanDocument, expanding: Expanding) {
    this.#document = document;
    this.#expanding = expanding;
  }

  /** Of the plan itself, or of an item where that names another. */
  get(item?: PlanItem, own?: string): Squad | undefined {
    const name = own ?? this.#document.squad;
    if (name === undefined) return undefined;
    const { around, problems } = this.#expanding;
    const squad = around.squad(name);
    if (squad !== undefined || this.#unknown.has(name)) return squad;
    this.#unknown.add(name);
    const near = nearestId(name, around.squads());
    problems.push(
      problem({
        code: 'bad_value',
        file: around.file,
        line: (own === undefined ? this.#document.said_on?.squad : item?.box.line) ?? 1,
        message: 'there is no such squad',
        found: name,
        ...(around.squads().length === 0 ? {} : { expected: around.squads().join(', ') }),
        fix: near === undefined ? 'See them: contracts squad list' : `Did you mean ${near}?`,
      }),
    );
    return undefined;
  }
}

function wrongOf(drafts: readonly PlanDraft[], file: string): readonly Problem[] {
  const seen = new Map<string, PlanDraft>();
  return drafts.flatMap((draft) => {
    const found: Problem[] = [];
    const { id, line, contract, depends_on } = draft;
    const twin = seen.get(id);
    seen.set(id, draft);
    const place = { file, line };
    if (twin !== undefined) {
      found.push(
        problem({
          code: 'bad_id',
          ...place,
          message: `this and the item on line ${twin.line} would have the same task`,
          found: id,
          fix: 'Give one of them a name of its own: (id: another-name)',
        }),
      );
    }
    if (contract.title.trim() === '' || contract.title.length > TITLE_CHARS_MAX) {
      const message =
        contract.title.trim() === '' ? 'this item has no title' : 'this title is too long';
      const fix = 'Say in a few words what is to be done, and the rest in lines below it';
      found.push(problem({ code: 'too_large', ...place, message, fix }));
    }
    if (depends_on.length > NEEDS_MAX) {
      found.push(
        problem({
          code: 'too_large',
          ...place,
          message: 'this waits for too many tasks at once',
          found: `${depends_on.length}`,
          expected: `at most ${NEEDS_MAX}`,
          fix: 'Divide the wave into several',
        }),
      );
    }
    return found;
  });
}

function badName({ plan, file }: PlanAround): Problem {
  return problem({
    code: 'bad_id',
    file,
    message: 'the folder of this plan has a name that cannot be one',
    found: plan,
    expected: 'a-z, 0-9, _ and -, starting with a letter or digit, at most 48',
    fix: 'Rename the folder',
  });
}

function nothingToDo({ file }: PlanAround, items: readonly ExpandedItem[]): Problem {
  const closed = items.some((one) => one.closed !== undefined);
  return problem({
    code: 'bad_value',
    severity: closed ? 'warning' : 'error',
    file,
    message: closed ? 'every box of this plan was closed by hand' : 'this plan has no tasks',
    expected: '- [ ] What is to be done (executor: @dev, verify: tests)',
    fix: closed ? 'Nothing is to be done; write a new item to go on' : 'Write a list of boxes',
  });
}

function cycleProblem(
  path: readonly string[],
  byId: ReadonlyMap<string, PlanDraft>,
  file: string,
): Problem {
  const found = path.map((id) => byId.get(id)?.key ?? id).join(' → ');
  const line = byId.get(path[0] ?? '')?.line ?? 1;
  return problem({
    code: 'cycle',
    file,
    line,
    message: 'these wait for each other, so none of them could ever begin',
    found,
    fix: 'Take out one of these dependencies, or move an item into a later wave',
  });
}

/** Each of several parts may say the same. */
function onceEach(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()];
}
