/** Fills the brief of one attempt (docs/concepts.md#attempts). User text is only data in the template. */
import { workflowWords } from '../../task/core/model/contract-shape.ts';
import { skillTexts } from '../../agents/core/skills.ts';
import type { Baseline } from '../../permissions/engine/audit/snapshot.ts';
import { checkName, factsOf, isBy, type Contract } from '../../task/core/model/contract.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { checklistsOf } from '../../task/core/model/criterion-check.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { type Limits } from '../../task/core/model/policy.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { noticedIn } from '../../task/core/attempts/noticed.ts';
import { deskFolder, DOCUMENTS } from '../../task/store/tasks/layout.ts';
import { gatherInputs, type Inputs } from '../../workspace/tasks/inputs.ts';
import { reportOf, type TaskReport } from './task-report.ts';
import { quotedOutput } from '../../task/text/markdown/escape.ts';
import {
  capabilitiesOf,
  reminderLines,
  type BriefPart,
  type NamedBytes,
  type Section,
} from '../../workspace/tasks/capability.ts';
import { mayNot, protocolOf } from '../../permissions/engine/enforce/brief-section.ts';
import { doorOf, givenDocuments, type Door } from '../attempt/documents.ts';
import { lastWords, quoted } from '../attempt/log-tail.ts';
import type { Role } from '../../agents/engine/roles.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { skillsNamed } from '../../agents/engine/skill-files.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { readBefore } from '../../workspace/tasks/read-attempts.ts';
import { routeOf } from '../../workspace/tasks/routes.ts';
import { fillTemplate, type Workspace } from '../../workspace/open/workspace.ts';

export interface CallOptions extends Pick<Limits, 'timeout_ms' | 'stall_ms'> {
  readonly role: Role;
  readonly folder: string;
  /** Its workdir and permissions, as recorded in the attempt. */
  readonly guard: Baseline;
  readonly session: string | undefined;
  /** More files for the desk: the result that a reviewer judges. */
  readonly given: readonly NamedBytes[];
  /** For a reviewer: criteria that the result does not mention. */
  readonly unmentioned?: readonly { readonly text: string }[];
  /** A sandbox will be around it. */
  readonly sandboxed?: boolean;
  /** A process that died had begun the desk. */
  readonly cut_short?: boolean;
}

type BriefOptions = Pick<CallOptions, 'role' | 'folder' | 'sandboxed' | 'unmentioned'> & {
  readonly guard: Pick<Baseline, 'workdir' | 'permissions'>;
};

/** The last one; all of them for the third retry, which starts fresh (docs/clients.md#clients-of-models). */
function failureWords(running: Running, folder: string, failures: Inputs['failures']): string {
  const { ws, task } = running;
  const shown = failures.length >= 3 ? failures : failures.slice(-1);
  return shown
    .map((one) => {
      const attempt = task.attempts.find((other) => other.number === one.attempt && !other.lost);
      const end = attempt === undefined ? '' : quoted(lastWords(ws, folder, attempt));
      return `Attempt ${one.attempt} ended as ${one.outcome}: ${one.text}${end}`;
    })
    .join('\n\n');
}

/** With what each gave before the first call of this round. */
function checksOf({ ws, task, number, kind }: Running, { checks }: Contract, folder: string) {
  const before = kind === 'work' ? readBefore(ws, folder, task.attempts, number) : undefined;
  return checks.flatMap((check) => {
    if (isBy(check, 'gate')) return [];
    const name = checkName(check);
    const was = before?.receipts.find((one) => one.check === name);
    const fails = was?.passed === false && factsOf(check).before === 'shown' ? was : undefined;
    const printed = quotedOutput(fails?.output ?? '');
    return { name, passes: was?.passed === true, fails: fails?.reason ?? '', printed };
  });
}

function findingWords({ findings }: Inputs): string {
  return findings.map((one) => `Attempt ${one.attempt}, ${one.by}:\n\n${one.text}`).join('\n\n');
}

/** Why the same gate is asked again. */
function noVerdictWords({ task, owner, kind }: Running): string {
  const last = lastEnded(task.attempts, 'review')?.outcome;
  if (kind === 'work' || last?.no_verdict !== true || last.gate !== owner.agent) return '';
  return `Attempt ${last.attempt} gave no verdict: ${last.reason}`;
}

/** `previous`: the files of an earlier attempt are on its desk. */
export function renderBrief(
  running: Running,
  contract: Contract,
  options: BriefOptions,
  previous: boolean,
): string {
  const { ws, id, number, kind, task } = running;
  const { role, folder } = options;
  const { workdir, permissions } = options.guard;
  const works = kind === 'work';
  const door = doorOf(running, contract, role);
  const sandbox = options.sandboxed === true ? workdir.isolation : undefined;
  const inputs = gatherInputs(ws, folder, task.attempts);
  const given = givenDocuments(running, door);
  const route = routeOf(ws, contract);
  const own = kindOf(ws, contract);
  const asked = { running, contract, role, works: works && own.works, folder };
  const parts: readonly BriefPart[] = capabilitiesOf(ws).map((one) => one.brief?.(asked) ?? {});
  return fillTemplate(ws, 'brief', {
    // Where no capability says more.
    delegation: false,
    children: [],
    parent: '',
    id,
    title: contract.title,
    attempt: number,
    kind,
    decides: own.decision !== undefined,
    agent: role.name,
    workflow: workflowWords(contract.head),
    instructions: isGivenApart(running, role) ? '' : (role.definition?.instructions ?? ''),
    objective: contract.objective === '' ? contract.title : contract.objective,
    requirements: contract.requirements,
    criteria: contract.criteria.map((criterion) => criterion.text),
    unmentioned: options.unmentioned?.map(({ text }) => text) ?? [],
    contract_instructions: contract.instructions,
    // A script would find its own words in it.
    rest: role.adapter?.writes_result_itself === false ? '' : contract.rest,
    must_do: [
      ...documentsIn(door, given.length > 0),
      ...(works ? protocolOf(role, permissions, route) : []),
    ],
    documents: given.map(({ name }) => name),
    must_not: works ? mayNot(permissions, sandbox) : [],
    desk: deskFolder(ws.layout, id, number),
    root: workdir.root,
    conflict: workdir.conflict ?? '',
    checks: checksOf(running, contract, folder),
    checklists: checklistsOf(contract),
    gates: own.works ? gatesFor(ws, contract) : [],
    deliverables: contract.head.deliverables,
    context_files: contract.context_files,
    has_files: !works || previous || contract.context_files.length + given.length > 0,
    answers: inputs.answers,
    [works ? 'findings' : 'earlier']: findingWords(inputs),
    failure:
      noVerdictWords(running) || (works ? failureWords(running, folder, inputs.failures) : ''),
    resolution: inputs.resolutions.join('\n\n'),
    own_status: running.owner.owner === 'host' || role.adapter?.client === undefined,
    results: resultsFor(ws, contract),
    previous,
    noticed: works ? [] : noticedIn(task.attempts),
    reminders: works ? [] : reminderLines(running, folder),
    skills: skillTexts(skillsNamed(ws, skillsOf(running, contract, role, route?.skills))),
    ...Object.assign({}, ...parts),
    notes: [...parts.flatMap(({ notes = [] }) => notes), ...inputs.notes],
    context: parts.flatMap(({ context = [] }) => context.filter(hasText)),
    sections: parts.flatMap(({ sections = [] }) => sections.filter(hasText)),
  });
}

/** True if its client gets the instructions beside the brief; a host gets the brief alone. */
function isGivenApart({ owner }: Running, { adapter, definition }: Role): boolean {
  const bytes = Buffer.byteLength(definition?.instructions?.trim() ?? '');
  return owner.owner !== 'host' && bytes <= (adapter?.instructions_max ?? 0);
}

function hasText({ text }: Section): boolean {
  return text !== '';
}

/** The contract's skills are for work only; those of the agent and the squad are for reviews too. */
function skillsOf(
  { kind }: Running,
  { head }: Contract,
  role: Role,
  common: readonly string[] = [],
): readonly string[] {
  const own = [...common, ...(role.definition?.skills ?? [])];
  return kind === 'work' ? [...head.skills, ...own] : own;
}

function documentsIn({ taken }: Door, has_copies: boolean): string[] {
  const change = has_copies ? 'change the copy that is there, or ' : '';
  const places = taken.filter(({ is_open }) => is_open).map(({ folder }) => folder);
  return places.map(
    (folder) =>
      `Hand in documents of \`.contracts/${folder}/\` below \`${DOCUMENTS}/${folder}/\` on the desk: ${change}write a new file. When you are done the runner puts in place what your permissions allow, and appends where you may only append. What a person changed since then stays.`,
  );
}

/** The result of each task that it takes one from; why it failed, for one that is not done. */
function resultsFor(ws: Workspace, { head }: Contract): readonly TaskReport[] {
  const reports = head.context_from.filter(isTaskId).map((id) => reportOf(ws, id));
  return reports
    .map((one) => (one.state === 'done' ? { ...one, state: '' } : one))
    .filter(({ state, text }) => state !== '' || text !== '');
}
