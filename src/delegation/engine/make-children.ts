/**
 * Makes the child tasks of a desk once the outcome is committed. They are untrusted text: one child that
 * exceeds its parent refuses all of them, and the agent reads why.
 */
import { addTo } from '../../task/core/base/groups.ts';
import type { OutcomeRecord } from '../../task/core/attempts/record.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { childBudget, childTaskId, type ChildBudget } from '../core/child-rules.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { inOrder } from '../../task/core/base/expand-order.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { Fault, type Problem } from '../../task/core/model/problem.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { ancestors, childNames, CHILDREN, childrenOf, rounds } from './child-tasks.ts';
import { mayGiveWorkTo } from './delegates.ts';
import { makeTaskOnce } from '../../engine/board/make-task.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { squadsOf } from '../../squads/engine/registry.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { before, readChild, type Wish } from './read-child.ts';
import { inTheWay } from './check-child.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import type { HandedOver, RoleAsked } from '../../workspace/tasks/capability.ts';

const ENTRIES_MAX = 200;

/** undefined where the desk has none, and for a person, who makes tasks directly. */
export function wantedChildren(running: Running, desk: string): HandedOver | undefined {
  const found = filesOn(running, desk);
  if (found === undefined) return undefined;
  const { names, ignored } = found;
  const unused: HandedOver['unused'] = (beside) => {
    if (ignored !== true && beside === undefined) return undefined;
    const files = names.length === 1 ? '1 file' : `${names.length} files`;
    const also = beside === 'result' ? 'handed in a result' : 'asked questions';
    const why = ignored
      ? `${running.owner.agent} may not give work to other agents`
      : `it ${also} as well`;
    return `${CHILDREN}/ on its desk: ${files}; ${why}, so no task was made`;
  };
  return { ...found, unused };
}

function filesOn(running: Running, desk: string): Omit<HandedOver, 'unused'> | undefined {
  const { ws, contract } = running;
  if (contract === undefined || running.owner.owner === 'person') return undefined;
  if (ws.disk.stat(desk)?.kind !== 'folder') return undefined;
  const folder = `${desk}/${CHILDREN}`;
  const kind = ws.disk.stat(folder)?.kind;
  if (kind === undefined) return undefined;
  const entries = kind === 'folder' ? listOrNothing(ws.disk, folder) : [];
  const seen = entries.filter(({ name }) => !name.startsWith('.'));
  if (kind === 'folder' && seen.length === 0) return undefined;
  const names = seen.map(({ name }) => name.replace(/\.md$/, ''));
  const role = executorOf(ws, contract);
  const giving = mayGiveWorkTo(ws, role, contract.head.squad);
  if (giving.length === 0) return { names, problems: [], ignored: true };
  if (kind !== 'folder') return { names, problems: [`${CHILDREN} is not a folder`] };
  const problems = [
    ...seen.slice(0, ENTRIES_MAX).flatMap((entry) => badEntry(entry.name, entry.kind)),
    ...overBudget(running, contract, role, seen.length),
  ];
  if (problems.length > 0) return { names, problems };
  return { names, problems: problemsOf(running, contract, desk, giving) };
}

function badEntry(name: string, kind: string): readonly string[] {
  const file = JSON.stringify(`${CHILDREN}/${name}`);
  if (kind !== 'file') return [`${file} is not a plain file`];
  if (name.endsWith('.md') && isTaskId(name.slice(0, -'.md'.length))) return [];
  return [`${file} must be named <name>.md, with a name of a-z, 0-9, _ and -`];
}

function overBudget(running: Running, contract: Contract, role: RoleAsked, wanted: number) {
  const { ws, id } = running;
  const { children_max, depth_max } = budgetOf(ws, contract, role);
  const { place, attempts } = before(running);
  const used = childrenOf(ws, place, id, attempts).length;
  const found: string[] = [];
  if (used + wanted > children_max) {
    const there = used === 0 ? '' : `, and ${used} were made before`;
    found.push(`too many children: ${wanted}, where children_max is ${children_max}${there}`);
  }
  const depth = ancestors(ws, contract).length + 1;
  if (depth > depth_max) {
    found.push(`its children would be at depth ${depth}, and depth_max is ${depth_max}`);
  }
  return found;
}

/** The agent's budget, else the squad's, else the configuration's. */
export function budgetOf(ws: Workspace, { head }: Contract, role: RoleAsked): ChildBudget {
  const squad = head.squad === undefined ? undefined : squadsOf(ws).get(head.squad);
  return childBudget(role.definition, squad, ws.config);
}

function problemsOf(running: Running, contract: Contract, desk: string, giving: readonly string[]) {
  const { ws, id } = running;
  const found: string[] = [];
  // What several files have in common is said once.
  const files = new Map<string, string[]>();
  const wishes = new Map<string, Wish>();
  const round = rounds(before(running).attempts).length + 1;
  const names = childNames(ws, desk);
  const siblings = new Set(names.map((name) => childTaskId(id, round, name, sha256)));
  for (const name of names) {
    const wish = readChild(running, contract, desk, name);
    if (wish.ok) wishes.set(name, wish.value.wish);
    const around = { parent: contract, giving, siblings };
    const wrong = wish.ok ? inTheWay(running, wish.value, around) : wish.problems.map(inWords);
    for (const words of wrong) addTo(files, words, `${CHILDREN}/${name}.md`);
  }
  for (const [words, names] of files) found.push(`${names.join(', ')}${words}`);
  const edges = new Map([...wishes.values()].map((one) => [one.id, one.depends_on]));
  for (const cycle of inOrder(edges).cycles) {
    const names = cycle.map((one) => [...wishes.values()].find((w) => w.id === one)?.name ?? one);
    found.push(`they depend on each other: ${names.join(' → ')}`);
  }
  return found;
}

function inWords(one: Problem): string {
  const at = one.line > 1 ? `, line ${one.line}` : '';
  const what = one.found === undefined ? '' : ` (${one.found})`;
  return `${at}: ${one.message}${what}; ${one.fix}`;
}

/** Runs between commit and move of the parent. A recovery repeats it: an existing child stays. */
export function makeChildren(running: Running, desk: string, { outcome }: OutcomeRecord): void {
  const { ws, id, contract, emit } = running;
  if (contract === undefined || outcome !== 'delegated') return;
  const wishes = new Map<string, Wish>();
  for (const name of childNames(ws, desk)) {
    const read = readChild(running, contract, desk, name);
    // They were readable before the commit, so something else wrote there since.
    if (!read.ok) {
      const why = read.problems[0]?.message ?? 'it cannot be read';
      const fix = `Restore ${shown(ws.layout, `${desk}/${CHILDREN}/${name}.md`)}, or abort the task`;
      throw new Fault('tree', `a child of ${id} can no longer be made: ${why}`, { fix });
    }
    wishes.set(read.value.wish.id, read.value.wish);
  }
  const edges = new Map([...wishes].map(([one, wish]) => [one, wish.depends_on]));
  for (const one of inOrder(edges).order) {
    const wish = wishes.get(one);
    if (wish === undefined || !makeTaskOnce(ws, 'ready', wish.id, wish.text)) continue;
    emit({
      event: 'child_made',
      task: wish.id,
      parent: id,
      agent: wish.agent,
      file: `${CHILDREN}/${wish.name}.md`,
      reason: `a part of ${id}, for ${wish.agent}`,
    });
  }
}
