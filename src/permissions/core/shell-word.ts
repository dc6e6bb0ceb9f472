/** Words as the shell will see them; a part known only at run time is the sign UNKNOWN. */
import { forEachChild } from 'unbash';
import type { ParameterExpansionPart, Script, SyntaxNode, Word as Parsed, WordPart } from 'unbash';

export interface Word {
  readonly text: string;
  /** False where a part of it is not known before it runs. */
  readonly known: boolean;
}

/** A command line, or its syntax tree. */
export type Source = string | Script;
/** Known variables; those that the command sets itself are added. */
export type Variables = Map<string, string>;

/** Private-use characters of Unicode. */
export const SIGNS = /[\uE000-\uE004]/g;
export const UNKNOWN = '\uE000';
export const SPLIT = '\uE001';
const [OPEN, COMMA, SHUT] = ['\uE002', '\uE003', '\uE004'];
const BRACES: Readonly<Record<string, string>> = { '{': OPEN, ',': COMMA, '}': SHUT };
const WORDS_MAX = 256;
/** Numbers; else any name without a slash. */
const NUMBERS = new Set([...'$#?!', 'RANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'PPID']);

export function word(text: string): Word {
  return { text, known: !text.includes(UNKNOWN) };
}

export class WordReader {
  readonly #variables: Variables;
  readonly #inner: (text: Source) => string | undefined;

  /** `inner` gets each command substitution and returns its output, where that is known. */
  constructor(variables: Variables, inner: (text: Source) => string | undefined) {
    this.#variables = variables;
    this.#inner = inner;
  }

  /** One word expands to one in most cases. */
  words(one: Parsed): Word[] {
    const isQuoted = /['"]/.test(one.text);
    return braces(this.#home(one, this.#parts(one.parts, one.value)), 0)
      .slice(0, WORDS_MAX)
      .flatMap((text) => (text === '' ? [text] : text.split(SPLIT).filter((part) => part !== '')))
      .filter((text) => text !== '' || isQuoted)
      .map(word);
  }

  /** As the value of a variable: not split. */
  text(one: Parsed): string {
    return this.#home(one, this.joined(one.parts, one.value));
  }

  joined(parts: readonly WordPart[] | undefined, plain: string): string {
    return this.#parts(parts, plain).replaceAll(SPLIT, ' ');
  }

  look(node: SyntaxNode): void {
    if (node.type === 'Word') this.#parts(node.parts, node.value);
    else if ('script' in node) this.ran(node.script);
    else forEachChild(node, (child) => this.look(child));
  }

  /** The output of a script in a subshell. */
  ran(script: Script | undefined): string {
    return (script && this.#inner(script)) ?? UNKNOWN;
  }

  #home({ text: written }: Parsed, text: string): string {
    const home = this.#variables.get('HOME');
    if (!written.startsWith('~')) return text;
    const [name = ''] = /^[^/]*/.exec(text) ?? [];
    return (name === '~' && home !== undefined ? home : UNKNOWN) + text.slice(name.length);
  }

  #parts(parts: readonly WordPart[] | undefined, plain: string, isBrace = false): string {
    const inBraces = (text: string): string =>
      isBrace ? text.replaceAll(/[{,}]/g, (sign) => BRACES[sign] ?? sign) : text;
    if (parts === undefined) return inBraces(plain);
    return parts
      .map((part) => {
        switch (part.type) {
          case 'Literal':
            return inBraces(part.value);
          case 'Glob':
          case 'SingleQuoted':
          case 'AnsiCQuoted':
            return part.value;
          case 'DoubleQuoted':
          case 'LocaleString':
            return this.#parts(part.parts, '').replaceAll(SPLIT, ' ');
          case 'BraceExpansion':
            return this.#parts(part.parts, part.text, true);
          case 'ExtendedGlob':
            return this.#parts(part.parts, part.pattern).includes(UNKNOWN) ? UNKNOWN : '*';
          case 'ProcessSubstitution':
            this.ran(part.script);
            return '/dev/fd/0';
          case 'ArithmeticExpansion':
            this.look(part);
            return '*';
          case 'CommandExpansion':
            return apart(this.ran(part.script));
          case 'SimpleExpansion':
            return apart(this.#value(part.text.slice(1)));
          case 'ParameterExpansion':
            return apart(this.#parameter(part));
        }
      })
      .join('');
  }

  #value(name: string): string {
    return NUMBERS.has(name) ? '*' : (this.#variables.get(name) ?? UNKNOWN);
  }

  #parameter({ parameter, prefix, index, operation }: ParameterExpansionPart): string {
    if (index !== undefined) this.look(index);
    const own = this.#value(parameter);
    const isKnown =
      index === undefined && (operation?.type === 'Default' || operation?.type === 'Remove');
    if (!isKnown && operation !== undefined) this.look(operation);
    if (prefix === '#') return '*';
    if (prefix !== undefined || index !== undefined) return UNKNOWN;
    if (operation === undefined) return own;
    if (operation.type !== 'Default' && operation.type !== 'Remove') return UNKNOWN;
    const other = this.text(operation.operand);
    const isSet = own !== UNKNOWN && own !== '';
    if (operation.type === 'Remove')
      return (own + other).includes(UNKNOWN) ? UNKNOWN : without(own, operation.operator, other);
    if (operation.operator.endsWith('+')) return isSet ? other : UNKNOWN;
    return operation.operator.endsWith('?') || isSet ? own : other;
  }
}

function apart(text: string): string {
  return text.replaceAll(/[ \t\n]+/g, SPLIT);
}

/** `${x%.ts}` and its kin. */
function without(value: string, op: string, glob: string): string {
  const isLong = op.length === 2;
  const any = isLong ? '[^]*' : '[^]*?';
  const source = glob
    .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', any)
    .replaceAll('?', '[^]');
  if (op.startsWith('#')) return value.replace(new RegExp(`^${source}`), '');
  return value.replace(new RegExp(`^(${isLong ? '[^]*?' : '[^]*'})${source}$`), '$1');
}

/** `a{b,c}d` as `abd` and `acd`; braces without a comma are plain. */
function braces(text: string, depth: number): string[] {
  const [whole, before = '', inner = '', after = ''] =
    /^([^]*?)\uE002([^\uE002\uE004]*\uE003[^\uE002\uE004]*)\uE004([^]*)$/.exec(text) ?? [];
  if (whole === undefined || depth > 5) {
    const plain = text.replaceAll(OPEN, '{').replaceAll(COMMA, ',').replaceAll(SHUT, '}');
    return [plain];
  }
  const all = inner.split(COMMA).flatMap((one) => braces(before + one + after, depth + 1));
  return all.slice(0, WORDS_MAX);
}
