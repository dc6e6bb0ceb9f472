/** Why a child cannot be made, in words for its agent. Reads. */
import { isOfMachine } from '../../task/core/model/problem.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { widenings } from '../core/child-rules.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { isSomewhere } from '../../engine/board/archive.ts';
import { preflight } from '../../engine/preflight/preflight.ts';
import { roleOf } from '../../agents/engine/roles.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { ReadChild } from './read-child.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { ancestors, contractOf } from './child-tasks.ts';

const WALK_MAX = 2_000;

interface Around {
  readonly parent: Contract;
  readonly giving: readonly string[];
  readonly siblings: ReadonlySet<string>;
}

/** Reasons, each to stand behind the names of its files. */
export function inTheWay(
  running: Running,
  { wish, written, made }: ReadChild,
  { parent, giving, siblings }: Around,
): readonly string[] {
  const { ws, id } = running;
  const agent = roleOf(ws, wish.agent).definition;
  const canonical = agentsOf(ws).isPlain(wish.agent) ? wish.agent : (agent?.name ?? wish.agent);
  const found: string[] = [];
  if (!giving.includes(canonical)) {
    const named =
      made.head.agent === undefined ? 'it names no agent, so it would go to' : 'it names';
    found.push(`${named} ${wish.agent}, which is none of: ${giving.join(', ')}`);
  }
  found.push(...widenings(written.head, { id, parent: parent.head, agent, config: ws.config }));
  found.push(...wrongDependencies(running, parent, made, siblings));
  const folder = taskFolder(ws.layout, 'ready', wish.id);
  const settled = made.head.depends_on.length === 0;
  for (const one of preflight(ws, folder, made, settled)) {
    // A program that is missing here is not the fault of the agent that wrote the contract.
    const counts = one.severity === 'error' ? !isOfMachine(one) : one.code === 'beyond_permissions';
    if (counts) found.push(`${one.message}${one.found === undefined ? '' : ` (${one.found})`}`);
  }
  // An id is never used twice, unless it is this child from before a crash.
  if (isSomewhere(ws, wish.id) && contractOf(ws, wish.id)?.head.parent !== id) {
    found.push(`its id is already taken (${wish.id}); give the file another name`);
  }
  return found.map((words) => `: ${words}`);
}

/** A task never depends on one that waits for it. */
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

/** Limited; a cycle beyond the limit is found when the task waits. */
function leadsTo(ws: Workspace, start: string, above: ReadonlySet<string>): boolean {
  const seen = new Set([start]);
  for (const one of seen) {
    if (above.has(one)) return true;
    if (seen.size > WALK_MAX) return false;
    for (const next of contractOf(ws, one)?.head.depends_on ?? []) seen.add(next);
  }
  return false;
}
