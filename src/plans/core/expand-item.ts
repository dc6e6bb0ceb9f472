/** Makes the contracts of one item: several executors make several, in a row. */
import { CONTRACT_TYPES, type ContractHead } from '../../task/core/model/contract-shape.ts';
import { whoIsMeant } from './expand-squads.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { report, type Expanding, type Meant, type PlanDraft } from './plan-draft.ts';
import type { PlanItem } from './plan-document.ts';
import { PLAN_WORKFLOW, tasksOfItem, type ItemTask } from './plan-ids.ts';
import { DEFAULT_AGENT } from '../../task/core/model/policy.ts';
import { Verifying, type Part } from './expand-verify.ts';
import { criteriaFor } from '../../task/core/model/criterion-check.ts';
import { isCode } from '../../permissions/core/roles.ts';

export function draftsOfItem(meant: Meant, expanding: Expanding): readonly PlanDraft[] {
  const { around, ids } = expanding;
  const { item, squad, executors } = meant;
  const tasks = tasksOfItem({ key: item.key, executors }, ids);
  const wanted = typeOf(meant, expanding);
  const made = item.write ?? (item.deliverables.length > 0 ? item.deliverables : ['**']);
  const drafts: PlanDraft[] = [];
  for (const [i, task] of tasks.entries()) {
    const worker = workerOf(task, meant, expanding);
    if (worker === undefined) continue;
    const part = { worker: worker.name, number: i + 1, of: tasks.length };
    const { checks, gates, deliverables } = new Verifying(meant, part, expanding).all();
    // A story is work on code; only the item itself can say otherwise.
    const isStory = item.type !== undefined || (isCode(made) && isCode(around.writes(worker.name)));
    const type = wanted === 'story' && !isStory ? 'task' : wanted;
    const before = tasks[i - 1];
    const depends_on = before === undefined ? meant.depends_on : [...meant.depends_on, before.id];
    const results = before === undefined ? meant.results : [...meant.results, before.id];
    const title = part.of === 1 ? item.title : `${item.title} (${worker.name})`;
    const { steps, text } = withoutSteps(item.text);
    const head = given({
      title,
      type,
      agent: worker.head,
      squad: squad?.name,
      category: meant.category,
      workflow: expanding.document.workflow ?? PLAN_WORKFLOW,
      ...keysOf(item),
      plan: around.plan,
      wave: meant.wave,
      depends_on: listed(depends_on),
      context_from: listed(results),
      deliverables: listed(deliverables),
      verify: listed(checks),
      quality_gate: listed(gates),
      skills: listed(item.skills),
      tags: listed(item.tags),
      write: item.write,
    });
    drafts.push({
      id: task.id,
      key: item.key,
      kind: 'task',
      line: item.box.line,
      ...given({ wave: meant.wave }),
      agent: worker.name,
      checks,
      gates,
      deliverables,
      depends_on,
      results,
      contract: {
        head,
        title,
        objective: text === '' ? item.title : `${item.title}\n\n${text}`,
        requirements: requirementsOf(meant, expanding, part, before),
        criteria: criteriaOf(item, checks, deliverables),
        ...given({ context_files: listed(item.context_files), steps }),
      },
    });
  }
  return drafts;
}

/** Whole numbers as such; anything else is judged with the contract. */
function keysOf({ keys }: PlanItem): Readonly<Record<string, unknown>> {
  const entries = Object.entries(keys).map(([key, text]) => {
    return [key, /^\d+$/.test(text) ? Number(text) : text];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

function listed(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

const TYPES: ReadonlySet<string> = new Set(
  CONTRACT_TYPES.filter((one) => !/^(?:checkpoint|assumptions)$/.test(one)),
);

function typeOf({ item, squad }: Meant, expanding: Expanding) {
  const { document } = expanding;
  const wanted = item.type ?? document.contract_type;
  if (wanted === undefined) return squad?.contract_type ?? 'task';
  const word = wanted
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  if (TYPES.has(word)) return word as ContractHead['type'];
  const line = item.type === undefined ? document.said_on?.contract_type : item.box.line;
  report(expanding, line ?? 1, {
    code: 'bad_value',
    severity: 'warning',
    message: 'an unknown contract type: custom is used',
    found: wanted,
    expected: [...TYPES].join(', '),
    fix: 'Name one of them, or keep custom',
  });
  return 'custom';
}

/** `head`: in the contract; undefined where a category or the default chooses when it is called. */
function workerOf(task: ItemTask, meant: Meant, expanding: Expanding) {
  const { squad, item, category } = meant;
  if (task.executor !== undefined) {
    const name = whoIsMeant(task.executor, squad, expanding, { line: item.box.line });
    return name === undefined ? undefined : { name, head: name };
  }
  const routed = category === undefined ? undefined : routeOf(category, meant, expanding);
  const wanted = routed?.agent ?? squad?.default_executor;
  if (wanted === undefined) return { name: DEFAULT_AGENT, head: undefined };
  const name = whoIsMeant(wanted, squad, expanding, {
    ...(squad && { file: squad.file }),
    line: 1,
  });
  // The model of a category counts only for the agent that it chose.
  return name === undefined ? undefined : { name, head: routed === undefined ? name : undefined };
}

/** undefined: an unknown category, which is reported. */
function routeOf(category: string, { squad, item }: Meant, expanding: Expanding) {
  const { categories } = expanding.around;
  const own = squad?.categories.get(category);
  if (own !== undefined) return { agent: own.agent };
  if (categories.has(category)) return { agent: categories.get(category) };
  const known = [...(squad?.categories.keys() ?? []), ...categories.keys()];
  report(expanding, item.box.line, {
    code: 'bad_value',
    severity: 'warning',
    message: 'an unknown category: it chooses no agent',
    found: category,
    ...(known.length === 0 ? {} : { expected: known.join(', ') }),
    fix: 'Name an executor, or a category that the squad or the configuration has',
  });
  return undefined;
}

const OBJECTIVE_CHARS_MAX = 2000;

function requirementsOf(
  { item }: Meant,
  { document: { title, objective }, around: { file } }: Expanding,
  { number, of, worker }: Part,
  before: ItemTask | undefined,
): string {
  const about = [objective.trim(), item.section_text ?? ''].map((text) =>
    text.length > OBJECTIVE_CHARS_MAX
      ? `${text.slice(0, OBJECTIVE_CHARS_MAX)}…\n\nThe rest is in ${file}.`
      : text,
  );
  const own =
    of === 1
      ? ''
      : `${of} agents work on this, one after the other; ${worker} is number ${number}: do your own part of it.`;
  const earlier =
    before === undefined ? '' : `The work before yours is the result of ${before.id}.`;
  const plan = `Part of the plan ${title === '' ? file : `"${title}" (${file})`}.`;
  return [plan, [own, earlier].filter(Boolean).join(' '), ...about].filter(Boolean).join('\n\n');
}

/** The plan's criteria, else what the runner checks. */
function criteriaOf(item: PlanItem, checks: readonly string[], deliverables: readonly string[]) {
  const written = item.criteria.map(({ text }) => text).filter((text) => text.trim() !== '');
  if (written.length > 0) return written;
  const named = criteriaFor(checks, deliverables);
  return named.length > 0 ? named : [item.title];
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*(?:sh|bash|shell)\s*$/;

/** Closed shell blocks are steps for the shell adapter. */
function withoutSteps(text: string): { readonly text: string; readonly steps?: string } {
  const left: string[] = [];
  const steps: string[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const mark = FENCE.exec(lines[i] ?? '')?.[1];
    const end =
      mark === undefined ? -1 : lines.findIndex((line, at) => at > i && line.trim() === mark);
    if (end === -1) {
      left.push(lines[i] ?? '');
      continue;
    }
    steps.push(...lines.slice(i + 1, end));
    i = end;
  }
  const script = steps.join('\n');
  const rest = left.join('\n').replace(/\n{3,}/g, '\n\n');
  return { text: rest.trim(), ...(script.trim() === '' ? {} : { steps: script }) };
}
