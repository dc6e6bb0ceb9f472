/** The points where agents are called: verbs that call none do not load them. */
import { parentOf } from '../../engine/cache/known-task.ts';
import type { CallPoints, BriefAsked } from '../../workspace/tasks/capability.ts';
import { epicsOf } from './epics.ts';
import { makeChildren, wantedChildren, budgetOf } from './make-children.ts';
import { ancestors, childrenOf, noteFrom } from './child-tasks.ts';
import { memberName } from '../../squads/core/squad.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { reportOf } from '../../engine/brief/task-report.ts';
import { isCode } from '../../permissions/core/roles.ts';
import { ownPermissions } from '../../permissions/engine/enforce/effective-permissions.ts';
import { mayGiveWorkTo } from './delegates.ts';
import { skillNames, skillsNamed } from '../../agents/engine/skill-files.ts';
import { squadsOf } from '../../squads/engine/registry.ts';
import { workflowsOf } from '../../squads/engine/documents.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export const calls: CallPoints = {
  brief: briefOfChief,
  evidence: wantedChildren,
  handed_over: makeChildren,
  ledger: (ws, tasks) => {
    const parents = new Set([...tasks.values()].flatMap((task) => parentOf(task) ?? []));
    return { epics: epicsOf(ws, tasks, parents) };
  },
};

const CELL_CHARS_MAX = 160;
const ROWS_MAX = 40;
const SQUADS_MAX = 20;

/** The part of a brief for an agent that may delegate. Each table is limited, as is the brief. */
function briefOfChief(asked: BriefAsked): Readonly<Record<string, unknown>> {
  if (!asked.works) return {};
  const { parent = '' } = asked.contract.head;
  return { delegation: delegationOf(asked) ?? false, children: childrenReported(asked), parent };
}

/** `left`: how many more files it may write; `one`: an agent for the example. */
function delegationOf({ running, contract, role, folder }: BriefAsked) {
  const { ws, id, task } = running;
  const giving = mayGiveWorkTo(ws, role, contract.head.squad);
  const [one] = giving;
  if (one === undefined) return undefined;
  const { children_max, depth_max } = budgetOf(ws, contract, role);
  const made = childrenOf(ws, folder, id, task.attempts).length;
  const deep = ancestors(ws, contract).length + 1 > depth_max;
  const left = deep ? 0 : Math.max(0, children_max - made);
  const why = deep
    ? `it is already at the deepest level of child tasks (depth_max ${depth_max})`
    : `its ${children_max} children were made (children_max)`;
  const none = { agents: [], tools: [], categories: [], skills: [], squads: [], workflows: [] };
  return left === 0
    ? { left, why_none: why, ...none, one }
    : { left, why_none: '', ...tables(ws, giving), one };
}

function tables(ws: Workspace, giving: readonly string[]) {
  const allowed = new Set(giving);
  return {
    agents: bounded(
      giving.map((name) => row(name, agentsOf(ws).get(name)?.description ?? '')),
      ROWS_MAX,
    ),
    tools: toolRows(ws, giving),
    categories: bounded(categoryRows(ws, allowed), ROWS_MAX),
    skills: bounded(skillRows(ws), ROWS_MAX),
    squads: bounded(squadRows(ws, allowed), SQUADS_MAX),
    workflows: bounded(workflowRows(ws, allowed), SQUADS_MAX),
  };
}

/** By how far an agent may write: the cheapest first. */
function toolRows(ws: Workspace, giving: readonly string[]): string[] {
  const levels = giving.map((name) => {
    const role = { name, definition: agentsOf(ws).get(name) };
    const { write, create, git } = ownPermissions(ws.layout, role);
    return git.includes('push') ? 3 : isCode([...write, ...create]) ? 2 : Number(write.length > 0);
  });
  const tools = ['read and search | low', 'documents | low', 'code | high', 'push | highest'];
  return tools.flatMap((tool, level) => {
    const names = giving.filter((_, i) => levels[i] === level);
    return names.length === 0 ? [] : `| ${tool} | ${cell(names.join(', '))} |`;
  });
}

function categoryRows(ws: Workspace, allowed: ReadonlySet<string>): string[] {
  const own = Object.entries(ws.config.categories).flatMap(([name, { agent }]) =>
    agent !== undefined && allowed.has(agent) ? [row(name, agent)] : [],
  );
  const theirs = squadsOf(ws)
    .all()
    .flatMap((squad) =>
      [...squad.categories].flatMap(([name, { agent }]) => {
        const full = agent === undefined ? undefined : memberName(squad, agent);
        const whose = `${full}, with squad: ${squad.name}`;
        return full !== undefined && allowed.has(full) ? [row(name, whose)] : [];
      }),
    );
  return [...own, ...theirs];
}

function skillRows(ws: Workspace): string[] {
  const skills = skillsNamed(ws, skillNames(ws).slice(0, ROWS_MAX + 1));
  return skills.map(({ name, description }) => row(name, description));
}

function squadRows(ws: Workspace, allowed: ReadonlySet<string>): string[] {
  return squadsOf(ws)
    .all()
    .flatMap(({ name, description, agents, chief }) => {
      const theirs = agents.filter(({ full }) => allowed.has(full)).map(({ full }) => full);
      return theirs.length === 0 ? [] : [row(name, description, theirs.join(', '), chief ?? '—')];
    });
}

function workflowRows(ws: Workspace, allowed: ReadonlySet<string>): string[] {
  return squadsOf(ws)
    .all()
    .filter(({ agents }) => agents.some(({ full }) => allowed.has(full)))
    .flatMap((squad) =>
      workflowsOf(ws, squad).map(({ path, description }) => row(path, squad.name, description)),
    );
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|');
  return line.length > CELL_CHARS_MAX ? `${line.slice(0, CELL_CHARS_MAX - 1)}…` : line;
}

function bounded(rows: readonly string[], most: number): readonly string[] {
  return rows.length <= most
    ? rows
    : [...rows.slice(0, most), `| and ${rows.length - most} more | |`];
}

function childrenReported({ running: { ws, id, task }, folder }: BriefAsked) {
  const children = childrenOf(ws, folder, id, task.attempts);
  return children.map(({ id: child, name }) => {
    return { ...reportOf(ws, child), name, note: noteFrom(ws, child) };
  });
}
