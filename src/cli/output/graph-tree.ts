/** The graph as a tree: each task once, below the first one that it waits for. Pure, and without recursion. */
import { addTo } from '../../task/core/base/groups.ts';
import type { TaskGraph, TaskNode } from '../../task/core/base/dependency-graph.ts';
import type { ListedTask } from '../../engine/queries/list.ts';
import { shortNames } from '../../task/core/model/id.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { ID, markOf, titleOf, whoOf } from './task-cells.ts';
import { columns, type Column } from './text-width.ts';

/** Deeper ones are indented no further. */
const INDENT_MAX = 48;
/** A dependency that is met is not waited for. */
const MET: ReadonlySet<TaskNode['state']> = new Set(['done', 'archived_done', 'archived']);
const TITLE: Column = { least: 24, most: 80 };
const WHO: Column = { most: 16, drop: 3 };
const SHAPES: readonly Column[] = [{}, TITLE, {}, WHO, ID, { least: 16, drop: 2 }];

/** `tasks`: the live ones, in the order in which siblings are shown. */
export function treeLines(graph: TaskGraph, tasks: readonly ListedTask[], limit: number): string[] {
  const names = shortNames(graph.nodes.map(({ id }) => id));
  const nameOf = (id: string): string => escapeText(names.get(id) ?? id);
  const listed = new Map(tasks.map((task, place) => [task.id, { task, place }]));
  const at = ({ id }: TaskNode): number => listed.get(id)?.place ?? tasks.length;
  const shown = graph.nodes.filter(({ state }) => !MET.has(state)).sort((a, b) => at(a) - at(b));
  const nodes = new Map(shown.map((node) => [node.id, node]));
  const edges = graph.edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  const [after, below] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { from, to } of edges) addTo(after, to, from);
  for (const { id } of shown) below.set(id, []);
  for (const { from, to } of edges) below.get(from)?.push(to);
  const rows: string[][] = [];
  const left = new Set(nodes.keys());
  const rank = ({ id }: TaskNode): number =>
    (after.has(id) ? 2 : 0) + (below.get(id)?.length === 0 ? 1 : 0);
  // On a cycle nothing is first: what is left is begun anywhere.
  for (const root of shown.toSorted((a, b) => rank(a) - rank(b))) {
    const open = [{ id: root.id, parent: '', lead: '', rest: '' }];
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      const { id, parent, lead, rest } = top;
      const node = nodes.get(id);
      if (node === undefined || !left.delete(id)) continue;
      const task = listed.get(id)?.task;
      const also = (after.get(id) ?? []).filter((one) => one !== parent).map(nameOf);
      const state = node.state === 'unknown' ? 'does not exist' : node.state.replaceAll('_', ' ');
      const about = task && [markOf(task), lead + titleOf(task), state, whoOf(task)];
      const more = also.length === 0 ? '' : `also after ${also.join(', ')}`;
      rows.push([...(about ?? ['', lead + nameOf(id), state, '']), nameOf(id), more]);
      const children = (below.get(id) ?? []).filter((one) => left.has(one)).toReversed();
      for (const [i, child] of children.entries()) {
        const [branch, trunk] = i === 0 ? ['└─ ', '   '] : ['├─ ', '│  '];
        const next = (rest + trunk).slice(0, INDENT_MAX);
        open.push({ id: child, parent: id, lead: rest + branch, rest: next });
      }
    }
  }
  return columns(rows, SHAPES, limit);
}
