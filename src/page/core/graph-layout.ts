/** Places for the nodes and edges of a graph of tasks: a column for each step of depth. Pure, linear but for sorting. */
import type { TaskEdge, TaskGraph, TaskNode } from '../../task/core/base/dependency-graph.ts';
import { inOrder } from '../../task/core/base/expand-order.ts';

/** Pixels. */
export const NODE = { width: 190, height: 44 } as const;
const GAP = { x: 46, y: 14 } as const;
const MARGIN = 8;
/** More are not readable as a picture. */
const NODES_MAX = 300;

export interface Placed {
  readonly node: TaskNode;
  readonly x: number;
  readonly y: number;
}

export interface Drawn {
  readonly nodes: readonly Placed[];
  /** `path` as in the attribute `d` of SVG. */
  readonly edges: readonly (TaskEdge & { readonly path: string })[];
  readonly width: number;
  readonly height: number;
  /** Nodes that are left out. */
  readonly more: number;
}

/** Puts what others wait for on the left. Edges on a cycle do not count for the depth. */
export function placed({ nodes, edges }: TaskGraph): Drawn {
  const shown = nodes.slice(0, NODES_MAX);
  const ids = new Set(shown.map(({ id }) => id));
  const between = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const depths = depthsOf(shown, between);
  const columns: TaskNode[][] = [];
  for (const node of shown) (columns[depths.get(node.id) ?? 0] ??= []).push(node);
  const before = new Map<string, string[]>();
  for (const { from, to } of between) before.set(to, [...(before.get(to) ?? []), from]);
  const at = new Map<string, Placed>();
  for (const [column, all] of columns.entries()) {
    // Beside what it waits for, so that few lines cross.
    const rowOf = ({ id }: TaskNode): number => {
      const rows = (before.get(id) ?? []).flatMap((one) => at.get(one)?.y ?? []);
      return rows.length === 0 ? 0 : rows.reduce((sum, y) => sum + y, 0) / rows.length;
    };
    const sorted = all.map((node) => ({ node, row: rowOf(node) })).sort((a, b) => a.row - b.row);
    for (const [row, { node }] of sorted.entries()) {
      const x = MARGIN + column * (NODE.width + GAP.x);
      at.set(node.id, { node, x, y: MARGIN + row * (NODE.height + GAP.y) });
    }
  }
  const rows = Math.max(0, ...columns.map((all) => all.length));
  return {
    nodes: [...at.values()],
    edges: between.map((edge) => ({ ...edge, path: pathOf(at.get(edge.from), at.get(edge.to)) })),
    width: 2 * MARGIN + columns.length * (NODE.width + GAP.x) - GAP.x,
    height: 2 * MARGIN + rows * (NODE.height + GAP.y) - GAP.y,
    more: nodes.length - shown.length,
  };
}

/** The longest way from a node on which nothing before it waits. */
function depthsOf(nodes: readonly TaskNode[], edges: readonly TaskEdge[]) {
  const before = new Map(nodes.map(({ id }) => [id, [] as string[]]));
  for (const { from, to, on_cycle } of edges) if (!on_cycle) before.get(to)?.push(from);
  const depths = new Map<string, number>();
  for (const id of inOrder(before).order) {
    const above = before.get(id) ?? [];
    depths.set(id, Math.max(0, ...above.map((one) => (depths.get(one) ?? 0) + 1)));
  }
  return depths;
}

function pathOf(from: Placed | undefined, to: Placed | undefined): string {
  if (from === undefined || to === undefined) return '';
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const bend = Math.max(GAP.x / 2, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
