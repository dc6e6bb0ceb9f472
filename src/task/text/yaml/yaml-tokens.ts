/**
 * A look at the tokens of YAML before it is parsed, in linear time: deep nesting does not merely throw
 * in a recursive parser, it can end the whole process. Throws YamlRefusal only.
 */
import { CST, Lexer } from 'yaml';

export const YAML_DEPTH_MAX = 16;
export const YAML_NODES_MAX = 5000;
/** Columns that can be open at once; a column holds at most a mapping and a list. */
const COLUMNS_MAX = 2 * YAML_DEPTH_MAX;
const TOKENS_MAX = 20 * YAML_NODES_MAX;

/** `offset` counts from the start of the YAML source. */
export class YamlRefusal extends Error {
  readonly offset: number;
  readonly fix: string;
  constructor(message: string, offset: number, fix: string) {
    super(message);
    this.offset = offset;
    this.fix = fix;
  }
}

export function tooDeep(offset: number): YamlRefusal {
  const message = `nested deeper than ${YAML_DEPTH_MAX} levels`;
  return new YamlRefusal(message, offset, 'Write it flatter');
}

export function tooMany(offset: number): YamlRefusal {
  return new YamlRefusal(`more than ${YAML_NODES_MAX} nodes`, offset, 'Write less');
}

const REFUSED_TOKENS: Readonly<Record<string, readonly [string, string]>> = {
  anchor: [
    'an anchor (&) is not allowed',
    'Write the value out, or quote a text that starts with &',
  ],
  alias: ['an alias (*) is not allowed', 'Write the value out, or quote a text that starts with *'],
  tag: ['a tag (!) is not allowed', 'Leave the tag out, or quote a text that starts with !'],
  'directive-line': ['a directive (%) is not allowed', 'Quote a text that starts with %'],
  'doc-start': ['a second document is not allowed', 'Keep one mapping between the two --- lines'],
  'doc-end': ['a document end is not allowed', 'Keep one mapping between the two --- lines'],
};

// Two of the lexer's tokens are marks without a length of their own.
const DOC_MODE = '\u0002';
const SCALAR_NEXT = '\u001f';
const FLOW_ERROR_END = '\u0018';

export function checkTokens(source: string): void {
  // The lexer's marks among them may not be in the text itself.
  // oxlint-disable-next-line no-control-regex
  const control = source.search(/[\u0000-\u0008\u000b-\u001f\u007f]/);
  if (control !== -1) throw new YamlRefusal('a control character', control, 'Remove the character');
  let offset = 0;
  let lineStart = 0;
  let flow = 0;
  let tokens = 0;
  let fresh = true;
  let scalar = false;
  const columns: number[] = [];
  for (const token of new Lexer().lex(source)) {
    if (token === DOC_MODE || token === FLOW_ERROR_END) continue;
    if (token === SCALAR_NEXT) {
      scalar = true;
      continue;
    }
    const type = scalar ? 'scalar' : CST.tokenType(token);
    scalar = false;
    const refusal = type === null ? undefined : REFUSED_TOKENS[type];
    if (refusal !== undefined) throw new YamlRefusal(refusal[0], offset, refusal[1]);
    tokens += 1;
    if (type === 'flow-seq-start' || type === 'flow-map-start') flow += 1;
    if (type === 'flow-seq-end' || type === 'flow-map-end') flow = Math.max(0, flow - 1);
    const indicator = type === 'seq-item-ind' || type === 'explicit-key-ind';
    const content = type !== 'space' && type !== 'newline' && type !== 'comment';
    if (indicator || (fresh && content)) open(columns, offset - lineStart);
    if (content) fresh = indicator;
    if (columns.length + flow > COLUMNS_MAX) throw tooDeep(offset);
    if (tokens > TOKENS_MAX) throw tooMany(offset);
    const lastBreak = token.lastIndexOf('\n');
    if (lastBreak !== -1) {
      lineStart = offset + lastBreak + 1;
      fresh = true;
    }
    offset += token.length;
  }
}

/** Keeps the stack of open block columns ascending. */
function open(columns: number[], column: number): void {
  while (columns.length > 0 && columns.at(-1)! > column) columns.pop();
  if (columns.at(-1) !== column) columns.push(column);
}
