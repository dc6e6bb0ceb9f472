/**
 * What an agent wrote into `children/` on its desk: read as untrusted text, held against what its
 * parent may give away, and made, once its outcome is committed. One child that cannot be made refuses
 * all of them, in words that its agent reads next; nothing is made then.
 */
import type { Contract } from '../../core/contract.ts';
import {
  childBudget,
  childTaskId,
  inherited,
  widenings,
  type ChildBudget,
} from '../../core/children.ts';
import { inOrder } from '../../core/expand-order.ts';
import { isTaskId } from '../../core/id.ts';
import { Fault, ok, problem, refused, type Problem, type Result } from '../../core/problem.ts';
import { sha256 } from '../../store/hash.ts';
import { archiveFolder, shown, taskFolder } from '../../store/layout.ts';
import { listOrNothing, locate } from '../../store/tasks.ts';
import { parseContract } from '../../text/contract.ts';
import { dumpFrontMatter, readFrontMatter } from '../../text/front-matter.ts';
import { agentsOf } from '../agent-book.ts';
import { isSomewhere } from '../archive.ts';
import { childNames, CHILDREN, childrenOf, rounds } from '../children.ts';
import { mayGiveWorkTo, squadOf } from '../delegating.ts';
import { makeTaskOnce } from '../make-task.ts';
import { preflight } from '../preflight.ts';
import { readContract } from '../read-contract.ts';
import { readText } from '../read-text.ts';
import { executorOf, roleOf, type Role } from '../roles.ts';
import { squadsOf } from '../squad-book.ts';
import { inSquad } from '../squad-contract.ts';
import type { Workspace } from '../workspace.ts';
import { findPlace, type Running } from './running.ts';

/** More entries than that are not even looked at. */
const ENTRIES_MAX = 200;
const ANCESTORS_MAX = 100;
const WALK_MAX = 2_000;

export interface WantedChildren {
  /** The files, without `.md`. */
  readonly names: readonly string[];
  /** Why none of them is made; empty: they can be. */
  readonly problems: readonly string[];
  /** It may give work to nobody: what lies there is not even read. */
  readonly ignored?: true;
}

interface Wish {
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly agent: string;
  readonly depends_on: readonly string[];
}

/** In words, where what lies there is not used: of an agent that may give work to nobody, or beside an end. */
export function unusedChildren(
  { owner }: Running,
  found: WantedChildren | undefined,
  beside: 'result' | 'questions' | undefined,
): string | undefined {
  if (found === undefined || (found.ignored !== true && beside === undefined)) return undefined;
  const files = found.names.length === 1 ? '1 file' : `${found.names.length} files`;
  const why =
    found.ignored === true
      ? `${owner.agent} may give work to nobody`
      : beside === 'result'
        ? 'it handed in a result as well'
        : 'it asked questions as well';
  return `${CHILDREN}/ on its desk: ${files}; ${why}, so no task was made`;
}

/** Of who may give work to others; undefined where nothing lies there. */
export function givenToOthers(running: Running, desk: string): WantedChildren | undefined {
  const found = wantedChildren(running, desk);
  return found?.ignored === true ? undefined : found;
}

/** undefined where nothing lies there, and for a person, who makes tasks himself. */
export function wantedChildren(running: Running, desk: string): WantedChildren | undefined {
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
  if (kind !== 'folder') return { names, problems: [`${CHILDREN} is no folder`] };
  const problems = [
    ...seen.slice(0, ENTRIES_MAX).flatMap((entry) => badEntry(entry.name, entry.kind)),
    ...overBudget(running, contract, role, seen.length),
  ];
  if (problems.length > 0) return { names, problems };
  return { names, problems: problemsOf(running, contract, desk, giving) };
}

function badEntry(name: string, kind: string): readonly string[] {
  const file = JSON.stringify(`${CHILDREN}/${name}`);
  if (kind !== 'file') return [`${file} is no plain file`];
  if (name.endsWith('.md') && isTaskId(name.slice(0, -'.md'.length))) return [];
  return [`${file} is to be named <name>.md, with a name of a-z, 0-9, _ and -`];
}

function overBudget(running: Running, contract: Contract, role: Role, wanted: number): string[] {
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
    found.push(`its children would stand ${depth} deep, and depth_max is ${depth_max}`);
  }
  return found;
}

/** The agent's own, that of the squad whose work it is, that of the configuration. */
export function budgetOf(ws: Workspace, { head }: Contract, role: Role): ChildBudget {
  const squad = head.squad === undefined ? undefined : squadsOf(ws).get(head.squad);
  return childBudget(role.definition, squad?.limits, ws.config);
}

/** The attempts that this one goes on from; the delegations among them came before. */
function before(running: Running) {
  const { ws, id, task } = running;
  const attempts = task.attempts.filter(({ number }) => number <= running.owner.base);
  return {
    place: findPlace(running)?.folder ?? taskFolder(ws.layout, 'in_progress', id),
    attempts,
  };
}

/** From the nearest up. */
export function ancestors(ws: Workspace, contract: Contract): readonly string[] {
  const found: string[] = [];
  for (let at = contract.head.parent; at !== undefined && found.length < ANCESTORS_MAX;) {
    if (found.includes(at)) break;
    found.push(at);
    at = contractOf(ws, at)?.head.parent;
  }
  return found;
}

function contractOf(ws: Workspace, id: string): Contract | undefined {
  const [state] = locate(ws.disk, ws.layout, id);
  const folder =
    state === undefined ? archiveFolder(ws.layout, id) : taskFolder(ws.layout, state, id);
  const { contract } = readContract(ws, folder, id);
  return contract.ok ? contract.value : undefined;
}

function problemsOf(
  running: Running,
  contract: Contract,
  desk: string,
  giving: readonly string[],
): readonly string[] {
  const { ws, id } = running;
  const found: string[] = [];
  const wishes = new Map<string, Wish>();
  const round = rounds(before(running).attempts).length + 1;
  const names = childNames(ws, desk);
  const siblings = new Set(names.map((name) => childTaskId(id, round, name, sha256)));
  for (const name of names) {
    const wish = readChild(running, contract, desk, name);
    if (wish.ok) {
      wishes.set(name, wish.value.wish);
      const said = [
        ...inTheWay(running, wish.value, { parent: contract, giving, siblings }),
        ...taken(ws, id, wish.value.wish.id),
      ];
      found.push(...said.map((words) => `${CHILDREN}/${name}.md: ${words}`));
    } else found.push(...wish.problems.map((one) => inWords(name, one)));
  }
  const edges = new Map([...wishes.values()].map((one) => [one.id, one.depends_on]));
  for (const cycle of inOrder(edges).cycles) {
    const names = cycle.map((one) => [...wishes.values()].find((w) => w.id === one)?.name ?? one);
    found.push(`they depend on each other: ${names.join(' → ')}`);
  }
  return found;
}

function inWords(name: string, one: Problem): string {
  const at = one.line > 1 ? `, line ${one.line}` : '';
  const what = one.found === undefined ? '' : ` (${one.found})`;
  return `${CHILDREN}/${name}.md${at}: ${one.message}${what}; ${one.fix}`;
}

/** Ids are never used twice: of another task nothing is to be made again. */
function taken(ws: Workspace, parent: string, id: string): readonly string[] {
  if (!isSomewhere(ws, id) || contractOf(ws, id)?.head.parent === parent) return [];
  return [`the id that it would have is taken (${id}); name the file otherwise`];
}

interface ReadChild {
  readonly wish: Wish;
  /** As it was written. */
  readonly said: Contract;
  /** As it would be made. */
  readonly made: Contract;
}

/** What is written, with what the runner says of it: its parent, who asked for it, whole ids. */
function readChild(
  running: Running,
  parent: Contract,
  desk: string,
  name: string,
): Result<ReadChild> {
  const { ws, id } = running;
  const path = `${desk}/${CHILDREN}/${name}.md`;
  const file = shown(ws.layout, path);
  const text = readText(ws.disk, path, file);
  if (!text.ok) return text;
  const front = readFrontMatter(text.value, file);
  if (!front.ok) return front;
  if (!front.value.present) return refused([noHead(file)]);
  const said = parseContract(text.value, file);
  if (!said.ok) return said;
  const round = rounds(before(running).attempts).length + 1;
  const siblings = new Set(childNames(ws, desk));
  const idOf = (one: string): string =>
    siblings.has(one) ? childTaskId(id, round, one, sha256) : one;
  const { head } = said.value;
  const squad = head.squad ?? parent.head.squad ?? ownSquad(ws, running.owner.agent);
  const agent = head.agent === undefined ? undefined : fullName(ws, head.agent, squad);
  const depends_on = head.depends_on.map(idOf);
  const { id: _, ...rest } = front.value.head;
  const all: Record<string, unknown> = {
    v: 1,
    ...inherited(parent.head),
    ...(squad === undefined ? {} : { squad }),
    ...rest,
    ...(agent === undefined ? {} : { agent }),
    quality_gate: head.quality_gate.map((one) => fullName(ws, one, squad)),
    depends_on,
    context_from: head.context_from.map(idOf),
    parent: id,
    delegated_by: running.owner.agent,
    created: ws.machine.now().toISOString(),
  };
  const made = `${dumpFrontMatter(all)}${front.value.body}`;
  const read = parseContract(made, file);
  if (!read.ok) return read;
  if (read.value.head.id !== undefined) return refused([namesItself(file, read.value.head.id)]);
  const whole = inSquad(ws, read.value);
  const wish = {
    name,
    id: idOf(name),
    text: made,
    agent: executorOf(ws, whole).name,
    depends_on,
  };
  return ok({ wish, said: said.value, made: whole });
}

function noHead(file: string): Problem {
  const message = 'it has no front matter';
  const fix = 'begin it with ---, the keys, and ---';
  return problem({ code: 'front_matter', file, message, fix });
}

function namesItself(file: string, found: string): Problem {
  const message = 'its heading gives it an id, which is made for it';
  return problem({ code: 'id_mismatch', file, message, found, fix: 'write a title there' });
}

function ownSquad(ws: Workspace, agent: string): string | undefined {
  const name = squadOf(agent);
  return name === undefined || squadsOf(ws).get(name) === undefined ? undefined : name;
}

/** As people call agents: with an @, and in a squad without its name. */
function fullName(ws: Workspace, said: string, squad: string | undefined): string {
  const name = said.replace(/^@/, '');
  return squad === undefined ? name : squadsOf(ws).nameIn(squad, name);
}

interface Around {
  readonly parent: Contract;
  readonly giving: readonly string[];
  /** The ids that they would have. */
  readonly siblings: ReadonlySet<string>;
}

function inTheWay(
  running: Running,
  { wish, said, made }: ReadChild,
  { parent, giving, siblings }: Around,
): readonly string[] {
  const { ws, id } = running;
  const agent = roleOf(ws, wish.agent).definition;
  const canonical = agentsOf(ws).isPlain(wish.agent) ? wish.agent : (agent?.name ?? wish.agent);
  const found: string[] = [];
  if (!giving.includes(canonical)) {
    const named = made.head.agent === undefined ? 'it names nobody, so it would go to' : 'it names';
    found.push(`${named} ${wish.agent}, who is none of: ${giving.join(', ')}`);
  }
  found.push(...widenings(said.head, { id, parent: parent.head, agent, config: ws.config }));
  found.push(...wrongDependencies(running, parent, made, siblings));
  const folder = taskFolder(ws.layout, 'ready', wish.id);
  const settled = made.head.depends_on.length === 0;
  for (const one of preflight(ws, folder, made, settled)) {
    // What is not installed here is no fault of who writes contracts.
    const counts = one.severity === 'error' ? one.code !== 'environment' : isWidening(one);
    if (counts) found.push(`${one.message}${one.found === undefined ? '' : ` (${one.found})`}`);
  }
  return found;
}

function isWidening({ code }: Problem): boolean {
  return code === 'beyond_rights';
}

/** Nobody waits for what waits for him. */
function wrongDependencies(
  running: Running,
  parent: Contract,
  made: Contract,
  siblings: ReadonlySet<string>,
): readonly string[] {
  const { ws, id } = running;
  const above = new Set([id, ...ancestors(ws, parent)]);
  return [...new Set([...made.head.depends_on, ...made.head.context_from])].flatMap((one) => {
    if (above.has(one) && made.head.depends_on.includes(one)) {
      return [`it depends on ${one}, which waits for it`];
    }
    if (siblings.has(one)) return [];
    if (!isSomewhere(ws, one)) return [`${one} is neither a file beside it nor a task`];
    const leads = made.head.depends_on.includes(one) && leadsTo(ws, one, above);
    return leads ? [`it depends on ${one}, which waits for this task`] : [];
  });
}

/** By what it depends on; bounded, and what is beyond is found when it waits. */
function leadsTo(ws: Workspace, start: string, above: ReadonlySet<string>): boolean {
  const seen = new Set([start]);
  for (const one of seen) {
    if (above.has(one)) return true;
    if (seen.size > WALK_MAX) return false;
    for (const next of contractOf(ws, one)?.head.depends_on ?? []) seen.add(next);
  }
  return false;
}

/**
 * Between the outcome's commit and the parent's move: whoever dies in between is followed by somebody
 * who takes the outcome over and does this again, and what is there by then is left as it is.
 */
export function makeChildren(running: Running, desk: string): void {
  const { ws, id, contract, emit } = running;
  if (contract === undefined) return;
  const wishes = new Map<string, Wish>();
  for (const name of childNames(ws, desk)) {
    const read = readChild(running, contract, desk, name);
    // They were read before the commit: somebody else wrote there since.
    if (!read.ok) {
      const why = read.problems[0]?.message ?? 'it cannot be read';
      const fix = `Restore ${shown(ws.layout, `${desk}/${CHILDREN}/${name}.md`)}, or abort the task`;
      throw new Fault(`a child of ${id} cannot be made any more: ${why}`, { fix });
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
