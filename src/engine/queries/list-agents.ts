/**
 * Who can be called here, and why somebody cannot. Starts nothing but clients that are asked for their
 * version and their login, in the one way in which all commands ask.
 */
import { loginWords } from '../../clients/adapters/client-login.ts';
import { CLIENTS, isClient } from '../../clients/core/records.ts';
import { adapterNames } from '../../clients/adapters/registry.ts';
import type { AgentSource } from '../../agents/core/agents.ts';
import { TOOL_WORDS, toolNames, toolWord } from '../../permissions/core/tools.ts';
import type { LineData } from '../core/events/command-lines.ts';
import { modelChain } from '../../task/core/model/models.ts';
import { didYouMean, nearestId } from '../../task/core/base/nearest.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { ownPermissions } from '../../permissions/engine/enforce/effective-permissions.ts';
import { clientHint, isThere } from '../preflight/executor.ts';
import { adapterType, roleOf, type Role } from '../../agents/engine/roles.ts';
import { readSkill, skillNames } from '../../agents/engine/skill-files.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { clientVersions } from './client-versions.ts';

export type AgentRow = LineData<'agent'>;
export type AgentStory = LineData<'agent_story'>;

/** Nearest first; hidden ones and those that are switched off too. Their clients are asked. */
export async function agentRows(ws: Workspace): Promise<readonly AgentRow[]> {
  const order: readonly AgentSource[] = ['project', 'config', 'user', 'built-in'];
  const rows = agentsOf(ws)
    .names()
    .map((name) => rowOf(ws, name));
  const doubted = await withVersions(ws, rows);
  return order.flatMap((source) =>
    doubted.filter((row) => row.source === source).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
}

/** Doubts about agents that could be called: a version that is too old or unknown, a login that is missing. */
async function withVersions<Row extends AgentRow>(ws: Workspace, rows: readonly Row[]) {
  const called = rows.filter(({ callable }) => callable).map(({ adapter }) => adapter);
  const versions = await clientVersions(ws, called, { logins: called });
  return rows.map((row) => {
    const asked = row.callable ? versions.get(row.adapter) : undefined;
    if (asked?.doubt !== undefined)
      return { ...row, why: asked.doubt, fix: `Update it: npm install -g ${asked.npm ?? ''}` };
    if (asked?.type === undefined || asked.login !== 'no') return row;
    return { ...row, why: loginWords(asked.type, 'no'), fix: CLIENTS[asked.type].login.how };
  });
}

function rowOf(ws: Workspace, name: string): AgentRow {
  const registry = agentsOf(ws);
  const role = roleOf(ws, name);
  const off = registry.switchedOff(name);
  const described = role.definition ?? off;
  const file = described?.file ?? registry.fileOf(name) ?? '';
  return {
    name: described?.name ?? name,
    source:
      described?.source ?? (file.startsWith('~') || file.startsWith('/') ? 'user' : 'project'),
    file,
    description: (described?.description ?? '').replace(/\s+/g, ' ').trim(),
    adapter: role.adapter_name,
    model: chainOf(ws, role)[0] ?? '',
    hidden: described?.hidden === true,
    ...hindrance(ws, role, file),
  };
}

type Hindrance = Pick<AgentRow, 'callable' | 'why' | 'fix'>;

function hindrance(ws: Workspace, role: Role, file: string): Hindrance {
  const no = (why: string, fix: string): Hindrance => ({ callable: false, why, fix });
  if (agentsOf(ws).switchedOff(role.name) !== undefined) {
    return no('it is switched off', `Take the line that switches it off out of ${file}`);
  }
  const [broken] = agentsOf(ws).problems(role.name);
  if (role.definition === undefined) {
    const left_out = broken?.message.replace(/^agent \S+ is left out: /, '');
    return no(`its file cannot be read: ${left_out ?? ''}`, broken?.fix ?? `Correct ${file}`);
  }
  const { adapter, adapter_name: name } = role;
  if (adapter === undefined) {
    const fix = `${didYouMean(name, adapterNames(ws.config))}Add it to .contracts/config.yaml`;
    return no(`there is no adapter ${name}`, fix);
  }
  const { program } = adapter;
  if (program !== undefined && !isThere(ws, program)) {
    const fix = `${clientHint(ws, '')}${adapter.install ?? `Install ${program}`}`;
    return no(`${program} is not installed`, fix);
  }
  const { adapters } = ws.config;
  const entry = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
  const missing = (entry?.env ?? []).filter((one) => (ws.env[one] ?? '') === '');
  if (missing.length > 0) {
    return no(`${missing.join(' and ')} is not set`, `Set ${missing.join(' and ')}`);
  }
  return { callable: true, why: '', fix: '' };
}

function chainOf(ws: Workspace, role: Role): readonly string[] {
  return modelChain(undefined, role.named, ws.config, role.adapter_name);
}

/** The story of an agent, even of one that cannot be called; refused when there is none of that name. */
export async function agentStory(ws: Workspace, name: string): Promise<Result<AgentStory>> {
  const registry = agentsOf(ws);
  const role = roleOf(ws, name);
  const described = role.definition ?? registry.switchedOff(name);
  if (described === undefined && registry.problems(name).length === 0) return nobody(ws, name);
  const { tools, skills = [], delegates_to = [], instructions = '' } = described ?? {};
  const type = adapterType(ws, role.adapter_name);
  const client = isClient(type) ? type : undefined;
  const [row = rowOf(ws, name)] = await withVersions(ws, [rowOf(ws, name)]);
  return ok({
    ...row,
    known: described !== undefined,
    models: chainOf(ws, role),
    permissions: ownPermissions(ws.layout, role),
    tools,
    client_tools: client === undefined ? [] : toolNames(client, tools ?? []),
    skills: skills.map((skill) => ({ name: skill, found: readSkill(ws, skill).ok })),
    delegates_to,
    instructions,
    problems: registry.problems(name),
  });
}

/** `what`: a tool in our word or a client's, or a skill. Whose file names no tools has all of them. */
export function whoCan(ws: Workspace, what: string): Result<(name: string) => boolean> {
  const tool = toolWord(what);
  const skills = skillNames(ws);
  if (tool === undefined && !skills.includes(what)) {
    const known = [...TOOL_WORDS, ...skills];
    return refused({
      code: 'bad_value',
      file: 'command line',
      message: 'is no tool and no skill',
      found: what,
      expected: TOOL_WORDS.join(', '),
      fix: `${didYouMean(what, known)}See the skills: contracts agents`,
    });
  }
  return ok((name) => {
    const { tools, skills: own = [] } = roleOf(ws, name).definition ?? {};
    const isAllowed = tools === undefined || tools.some((one) => one.replace(/\(.*/, '') === tool);
    return tool === undefined ? own.includes(what) : isAllowed;
  });
}

function nobody(ws: Workspace, name: string): Result<never> {
  const near = nearestId(name, agentsOf(ws).names());
  const list = 'See who is there: contracts agents';
  return refused({
    code: 'unknown_agent',
    file: '.contracts/agents',
    message: 'this agent does not exist',
    found: name,
    fix: near === undefined ? list : `Did you mean ${near}? contracts agents show ${near}`,
  });
}
