/** `plan new`: a reviewed contract for the plan agent. Its folder, made at once, reserves the name. */
import { PERSON } from '../../../task/core/model/contract.ts';
import { slugOf } from '../../../task/core/model/id.ts';
import { didYouMean } from '../../../task/core/base/nearest.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { ok, problem, refused, type Result } from '../../../task/core/model/problem.ts';
import { chooseSquad, type SquadChoice } from '../../../squads/core/squad-inference.ts';
import type { Squad } from '../../../squads/core/squad.ts';
import { verifierNames } from '../../core/verifiers.ts';
import { makeFolder } from '../../../task/store/disk/disk.ts';
import { planFolder, plansFolder, SETTINGS } from '../../../task/store/tasks/layout.ts';
import { oneLine } from '../../../task/text/markdown/sections.ts';
import { agentsOf } from '../../../agents/engine/registry.ts';
import { aroundPlan } from './plan-context.ts';
import { planFileOf } from './find-plans.ts';
import { planOf } from '../../../engine/cache/known-task.ts';
import { readBoard } from '../../../engine/board/board.ts';
import { roleOf } from '../../../agents/engine/roles.ts';
import { squadsOf } from '../../../squads/engine/registry.ts';
import { documentsToRead } from '../../../squads/engine/documents.ts';
import { fillTemplate, type Workspace } from '../../../workspace/open/workspace.ts';
import { createTask, type Created } from '../../../engine/commands/create.ts';

const PLANNER = 'plan';
const REVIEWERS = ['plan-analyzer', 'plan-reviewer'] as const;
const NAME_CHARS_MAX = 40;
const NAMES_TRIED_MAX = 99;

export interface WantedPlan {
  readonly request: string;
  /** The first has the plan, each other one a section. Empty: chosen by the words. */
  readonly squads?: readonly string[];
  readonly name?: string | undefined;
  readonly id?: string | undefined;
}

export interface AskedPlan {
  readonly plan: string;
  readonly choice: SquadChoice;
  readonly created: Created;
}

export function askForPlan(ws: Workspace, wanted: WantedPlan): Result<AskedPlan> {
  const registry = squadsOf(ws);
  const named = [...new Set(wanted.squads)];
  const choice = chooseSquad(wanted.request, registry.all(), named[0]);
  const squad = registry.get(choice.name);
  const unknown = [choice.name, ...named].filter((name) => registry.get(name) === undefined);
  if (squad === undefined || unknown.length > 0) {
    return refused([...new Set(unknown)].map((name) => unknownSquad(ws, name)));
  }
  const taken = takeName(ws, wanted);
  if (!taken.ok) return taken;
  const plan = taken.value;
  const file = planFileOf(ws, plan);
  const also = named.slice(1).map((name) => `\`${name}\``);
  const values = {
    ...valuesOf(ws, plan, squad),
    file,
    request: wanted.request.split(/\r?\n/).map((line) => `> ${line}`.trimEnd()),
    chosen: wordsOf(choice),
    also: also.join(' and '),
  };
  const created = createTask(ws, {
    id: wanted.id,
    title: `Plan: ${wanted.request.split(/\r?\n/)[0] ?? ''}`.slice(0, 200),
    objective: `A plan by which others can fulfil the request without asking: \`${file}\`.`,
    requirements: fillTemplate(ws, 'plans/request', values),
    instructions: fillTemplate(ws, 'plans/interview', values),
    criteria: [
      `\`${file}\` is there, and \`plan_valid\` passes`,
      'Each wish of the request is met by an item, and what proves it can be checked by somebody else',
      'What the request left open was asked, or stands under Assumptions',
    ],
    head: {
      workflow: 'plan',
      agent: PLANNER,
      plan,
      deliverables: [file],
      verify: [`plan_valid: ${plan}`],
      quality_gate: gatesOf(ws),
      write: [`${SETTINGS}/plans/${plan}/**`],
    },
  });
  return created.ok ? ok({ plan, choice, created: created.value }) : created;
}

/** A person replaces reviewers that no configured client can be. */
function gatesOf(ws: Workspace): readonly string[] {
  const gates = REVIEWERS.map((name) => {
    const { adapter, adapter_name } = roleOf(ws, name);
    const judges = adapter !== undefined && adapter.mode !== 'human' && adapter_name !== 'shell';
    return judges ? name : PERSON;
  });
  return [...new Set(gates)];
}

/** A given name must be free; one made from the request gets a number. */
export function takeName(
  ws: Workspace,
  { name, request }: Pick<WantedPlan, 'name' | 'request'>,
): Result<string> {
  const base = name ?? slugOf(request).slice(0, NAME_CHARS_MAX);
  if (!PLAN_NAME.test(base)) {
    return refused({
      code: 'bad_value',
      file: `${SETTINGS}/plans`,
      message: 'this cannot be the name of a plan',
      found: base,
      expected: 'a-z, 0-9, _ and -, at most 48',
      fix: 'Choose another one: --name NAME',
    });
  }
  const odd = [`${ws.layout.root}/${SETTINGS}`, plansFolder(ws.layout)].find((folder) => {
    makeFolder(ws.disk, folder);
    return ws.disk.stat(folder)?.kind !== 'folder';
  });
  if (odd !== undefined) {
    return refused({
      code: 'not_a_file',
      file: `${SETTINGS}/plans`,
      message: 'this is a link or a file',
      fix: 'Put a real folder there',
    });
  }
  const tries = name === undefined ? NAMES_TRIED_MAX : 1;
  for (let n = 1; n <= tries; n++) {
    const one = n === 1 ? base : `${base}-${n}`;
    if (isFree(ws, one)) return ok(one);
  }
  return refused({
    code: 'bad_value',
    file: planFileOf(ws, base),
    message: 'a plan of this name is there already',
    found: base,
    fix: 'Choose another one: --name NAME',
  });
}

/** Free: the folder is new, or empty without a live request for that name. */
function isFree(ws: Workspace, name: string): boolean {
  const folder = planFolder(ws.layout, name);
  const made = makeFolder(ws.disk, folder);
  if (!made && (ws.disk.stat(folder)?.kind !== 'folder' || ws.disk.names(folder).length > 0)) {
    return false;
  }
  const { tasks } = readBoard(ws, { quick: 'rows' });
  return ![...tasks.values()].some((task) => planOf(task) === name);
}

function unknownSquad(ws: Workspace, name: string) {
  const names = squadsOf(ws).names();
  return problem({
    code: 'unknown_squad',
    file: `${SETTINGS}/squads`,
    message: 'there is no such squad that can be used',
    found: name,
    expected: names.join(', '),
    fix: didYouMean(name, names).trim() || 'See contracts squad list',
  });
}

/** Values of the templates plans/request and plans/interview. */
function valuesOf(ws: Workspace, plan: string, squad: Squad) {
  const { checks, detected } = aroundPlan(ws, plan);
  const known = agentsOf(ws);
  const agents = squad.agents
    .filter(({ full }) => known.has(full))
    .map(({ name, full, description = known.get(full)?.description }) => ({ name, description }));
  const names = agents.map(({ name }) => name);
  const examples = [squad.default_executor, names[0]].filter((name) => name !== undefined);
  const [first = 'builder', second = 'builder'] = examples;
  const other = names.find((name) => name !== first) ?? second;
  const form = (squad.plan_template ?? '').trim();
  const ticks = (form || `${first} ${other}`).match(/`+/g) ?? [];
  return {
    ...squad,
    squad: squad.name,
    executor: squad.default_executor ?? '',
    reviewer: squad.default_reviewer ?? '',
    agents: listed(agents),
    categories: listed([...squad.categories].map(([name, one]) => ({ ...one, name }))),
    squads: listed(
      squadsOf(ws)
        .all()
        .filter(({ name }) => name !== squad.name),
    ),
    skills: squad.skills.join(', '),
    verifiers: verifierNames({ checks, squad_checks: squad.checks, detected }).join(', '),
    documents: documentsToRead(ws, squad),
    first,
    other,
    form,
    fence: '`'.repeat(Math.max(2, ...ticks.map((run) => run.length)) + 1),
  };
}

interface Named {
  readonly name: string;
  readonly description?: string | undefined;
}

function listed(all: readonly Named[]) {
  return all.map(({ name, description = '' }) => ({ name, about: oneLine(description) }));
}

function wordsOf({ how, confidence, why }: SquadChoice): string {
  if (how === 'explicit') return 'as it was asked for';
  if (how === 'inferred') return `inferred, ${Math.round(confidence * 100)} % sure, by: ${why}`;
  return `the default: ${why}`;
}
