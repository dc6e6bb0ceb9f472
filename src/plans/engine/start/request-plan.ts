/** `plan new`: a reviewed contract for the plan agent. Its folder, made at once, reserves the name. */
import { PERSON } from '../../../task/core/model/contract.ts';
import { slugOf } from '../../../task/core/model/id.ts';
import { didYouMean } from '../../../task/core/base/nearest.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { ok, problem, refused, type Result } from '../../../task/core/model/problem.ts';
import { chooseSquad, type SquadChoice } from '../../../squads/core/squad-inference.ts';
import { verifierNames } from '../../core/verifiers.ts';
import { makeFolder } from '../../../task/store/disk/disk.ts';
import { planFolder, plansFolder, SETTINGS } from '../../../task/store/tasks/layout.ts';
import { interviewOf, requirementsOf, type PlanRequest } from '../../text/request.ts';
import { agentsOf } from '../../../agents/engine/registry.ts';
import { aroundPlan } from './plan-context.ts';
import { planFileOf } from './find-plans.ts';
import { readBoard } from '../../../engine/board/board.ts';
import { roleOf } from '../../../agents/engine/roles.ts';
import { squadsOf } from '../../../squads/engine/registry.ts';
import { documentsToRead } from '../../../squads/engine/documents.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
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
  /** Of the contract. */
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
  const request = requestOf(ws, plan, wanted.request, { squad, choice, also: named.slice(1) });
  const { file } = request;
  const created = createTask(ws, {
    id: wanted.id,
    title: `Plan: ${wanted.request.split(/\r?\n/)[0] ?? ''}`.slice(0, 200),
    objective: `A plan by which others can fulfil the request without asking: \`${file}\`.`,
    requirements: requirementsOf(request),
    instructions: interviewOf(request),
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
  return ![...readBoard(ws, { quick: 'rows' }).tasks.values()].some(
    ({ contract }) => contract.ok && contract.value.head.plan === name,
  );
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

function requestOf(
  ws: Workspace,
  plan: string,
  request: string,
  { squad, choice, also }: Pick<PlanRequest, 'squad' | 'also'> & Pick<AskedPlan, 'choice'>,
): PlanRequest {
  const { checks, detected } = aroundPlan(ws, plan);
  const agents = agentsOf(ws);
  return {
    request,
    file: planFileOf(ws, plan),
    squad,
    chosen: wordsOf(choice),
    agents: squad.agents
      .filter(({ full }) => agents.has(full))
      .map(({ name, full, description = agents.get(full)?.description }) => ({
        name,
        description,
      })),
    verifiers: verifierNames({ checks, squad_checks: squad.checks, detected }),
    also,
    documents: documentsToRead(ws, squad),
    squads: squadsOf(ws)
      .all()
      .filter(({ name }) => name !== squad.name),
  };
}

function wordsOf({ how, confidence, why }: SquadChoice): string {
  if (how === 'explicit') return 'as it was asked for';
  if (how === 'inferred') return `inferred, ${Math.round(confidence * 100)} % sure, by: ${why}`;
  return `the default: ${why}`;
}
