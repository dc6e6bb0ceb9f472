/** A graph of tasks as Mermaid and as DOT. Titles are untrusted: none can add a node or a script. */
import type { TaskGraph, TaskNode } from '../../core/base/dependency-graph.ts';
import { escapeText } from './escape-terminal.ts';

const TITLE_MAX = 60;

const CLASSES: Readonly<Record<string, string>> = {
  draft: 'fill:#eee,stroke:#999,color:#333',
  ready: 'fill:#dff3f7,stroke:#0a7a8c,color:#000',
  in_progress: 'fill:#dce6fb,stroke:#2450b0,color:#000',
  questions: 'fill:#f3e0f7,stroke:#8a2a9c,color:#000',
  review: 'fill:#fdf3d0,stroke:#a07800,color:#000',
  blocked: 'fill:#fbdcdc,stroke:#b02424,color:#000',
  done: 'fill:#dff5e0,stroke:#1e7a2a,color:#000',
  aborted: 'fill:#eee,stroke:#999,color:#333',
  missing: 'fill:#fff,stroke:#b02424,stroke-dasharray:4,color:#b02424',
};

/** Nodes are named by number, so that no id can be a word of the language. */
export function mermaidGraph(graph: TaskGraph): string {
  const names = new Map(graph.nodes.map(({ id }, i) => [id, `t${i}`]));
  const name = (id: string): string => names.get(id) ?? '';
  const used = new Set(graph.nodes.map(classOf));
  return [
    'flowchart LR',
    ...graph.nodes.map(
      (node) =>
        `  ${name(node.id)}["${label(node).map(entities).join('<br/>')}"]:::${classOf(node)}`,
    ),
    ...graph.edges.map(({ from, to, on_cycle }) =>
      on_cycle ? `  ${name(from)} -. cycle .-> ${name(to)}` : `  ${name(from)} --> ${name(to)}`,
    ),
    ...Object.entries(CLASSES)
      .filter(([state]) => used.has(state))
      .map(([state, style]) => `  classDef ${state} ${style}`),
  ].join('\n');
}

export function dotGraph(graph: TaskGraph): string {
  return [
    'digraph contracts {',
    '  rankdir=LR;',
    '  node [shape=box, style=rounded];',
    ...graph.nodes.map((node) => {
      const more = classOf(node) === 'missing' ? ', style=dashed, color=red' : '';
      return `  ${quoted([node.id])} [label=${quoted(label(node))}${more}];`;
    }),
    ...graph.edges.map(({ from, to, on_cycle }) => {
      const more = on_cycle ? ' [color=red, label="cycle"]' : '';
      return `  ${quoted([from])} -> ${quoted([to])}${more};`;
    }),
    '}',
  ].join('\n');
}

function classOf(node: TaskNode): string {
  if (node.state === 'unknown') return 'missing';
  if (node.state === 'archived' || node.state === 'archived_done') return 'done';
  return node.state === 'archived_aborted' ? 'aborted' : node.state;
}

function label({ id, title, state }: TaskNode): string[] {
  const signs = [...escapeText(title)];
  const short =
    signs.length > TITLE_MAX ? `${signs.slice(0, TITLE_MAX - 1).join('')}…` : signs.join('');
  const where = state === 'unknown' ? 'does not exist' : state.replaceAll('_', ' ');
  return [id, ...(short === '' || short === id ? [] : [short]), where];
}

/** Ids, and letters, digits and spaces of any script, stay; all else becomes `#NN;`. */
function entities(text: string): string {
  if (/^[a-z0-9_-]+$/.test(text)) return text;
  return text.replace(/[^\p{L}\p{M}\p{N} ]/gu, (char) => `#${char.codePointAt(0) ?? 0};`);
}

function quoted(lines: readonly string[]): string {
  const inert = lines.map((line) =>
    line.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('&', '&amp;'),
  );
  return `"${inert.join(String.raw`\n`)}"`;
}
