/**
 * Reads the DOT language strictly enough to see what Graphviz would see: quoted names with their
 * escapes, statements, attributes. Anything else throws.
 */

export interface DotRead {
  readonly nodes: readonly { readonly id: string; readonly label: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label: string }[];
}

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(->)|([A-Za-z_]\w*)|([{}[\];=,]))/sy;

function tokens(text: string): string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`not DOT: ${text.slice(at, at + 40)}`);
    found.push(match[0].trim());
  }
  return found;
}

/** `\n` ends a line, `\N` and its like would be the node's name, any other sign stands for itself. */
function unquoted(token: string): string {
  if (!token.startsWith('"')) return token;
  return token
    .slice(1, -1)
    .replace(/\\(.)/gs, (_whole, char: string) => {
      if (/[NGETHLlr]/.test(char)) throw new Error(`an escape of Graphviz: \\${char}`);
      return char === 'n' ? '\n' : char;
    })
    .replaceAll('&amp;', '&');
}

export function readDot(text: string): DotRead {
  const queue = tokens(text);
  const take = (wanted?: string): string => {
    const token = queue.shift();
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`not DOT: expected ${wanted ?? 'more'}, found ${token ?? 'the end'}`);
    return token;
  };
  const nodes: { id: string; label: string }[] = [];
  const edges: { from: string; to: string; label: string }[] = [];
  take('digraph');
  take();
  take('{');
  while (queue[0] !== '}') {
    const name = take();
    if (queue[0] === '=') {
      take('=');
      take();
    } else if (queue[0] === '->') {
      take('->');
      const to = unquoted(take());
      edges.push({ from: unquoted(name), to, label: labelOf(queue, take) });
    } else {
      const label = labelOf(queue, take);
      if (name !== 'node') nodes.push({ id: unquoted(name), label });
    }
    take(';');
  }
  take('}');
  if (queue.length > 0) throw new Error(`not DOT: ${queue.join(' ')} after its end`);
  return { nodes, edges };
}

/** The label among `[a=b, …]`, where there are any. */
function labelOf(queue: readonly string[], take: (wanted?: string) => string): string {
  let label = '';
  if (queue.at(0) !== '[') return label;
  take('[');
  for (;;) {
    const key = take();
    take('=');
    const value = unquoted(take());
    if (key === 'label') label = value;
    if (queue.at(0) !== ',') break;
    take(',');
  }
  take(']');
  return label;
}
