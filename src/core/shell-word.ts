/**
 * Words of a shell as they will be when it runs: quotes taken off, known variables put in, braces and
 * values with blanks taken apart. What `$(…)` and backticks run is handed on. A part that is only known
 * when it runs is a sign, UNKNOWN, and its word is unknown. Never fails.
 */
export interface Word {
  readonly text: string;
  /** False where a part of it is not known before it runs. */
  readonly known: boolean;
}

/** Values of variables that are known; those that the command sets itself are added. */
export type Variables = Map<string, string>;

export const BLANK = /[ \t]/;
export const ENDS: ReadonlySet<string> = new Set(['\n', ';', '&', '|', '(', ')']);
/** Signs of our own, from the area that Unicode leaves for that. */
export const UNKNOWN = '\uE000';
export const SPLIT = '\uE001';
const [OPEN, COMMA, SHUT] = ['\uE002', '\uE003', '\uE004'];
const BRACES: Readonly<Record<string, string>> = { '{': OPEN, ',': COMMA, '}': SHUT };
const WORDS_MAX = 256;
/** Numbers, and what is no path: any name without a slash. */
const NUMBERS = new Set([...'$#?!', 'RANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'PPID']);

export function word(text: string): Word {
  return { text, known: !text.includes(UNKNOWN) };
}

export class WordReader {
  readonly text: string;
  at = 0;
  readonly #variables: Variables;
  readonly #inner: (text: string) => string | undefined;
  readonly #depth: number;

  /** `inner` is told each command that a word runs, and says what that prints, where it is known. */
  constructor(
    text: string,
    variables: Variables,
    inner: (text: string) => string | undefined,
    depth = 0,
  ) {
    this.#depth = depth;
    this.text = text.replaceAll(/[\uE000-\uE004]/g, '?');
    this.#variables = variables;
    this.#inner = inner;
  }

  /** The text of a here-document, or of a default: variables and commands in it, no quotes. */
  expand(text: string): string {
    if (this.#depth > 20) return UNKNOWN;
    return new WordReader(text, this.#variables, this.#inner, this.#depth + 1).#quoted('');
  }

  /** Those that the one which begins here becomes: mostly one. */
  words(): Word[] {
    const from = this.at;
    let text = '';
    let isQuoted = false;
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? '';
      if (char === '(' && /[=?*+@!]$/.test(text)) {
        const to = closing(this.text, this.at, '(', ')');
        const inside = this.expand(this.text.slice(this.at, to));
        text += text.endsWith('=') || inside.includes(UNKNOWN) ? UNKNOWN : '*';
        this.at = to + 1;
      } else if (BLANK.test(char) || ENDS.has(char) || char === '<' || char === '>') break;
      else if (char === "'" || char === '"') {
        isQuoted = true;
        text += char === "'" ? this.#single() : this.#double();
      } else if (char === '\\') {
        const next = this.text[this.at + 1] ?? '';
        text += next === '\n' ? '' : next;
        this.at += 2;
      } else if (char === '$' || char === '`') {
        text += this.#expanded().replaceAll(/[ \t\n]+/g, SPLIT);
      } else {
        text += char === '{' && this.text[this.at + 1] === '}' ? char : (BRACES[char] ?? char);
        if (text.endsWith('{')) {
          text += '}';
          this.at++;
        }
        this.at++;
      }
    }
    if (this.text[from] === '~') text = this.#home(text);
    const all = braces(text, 0)
      .slice(0, WORDS_MAX)
      .flatMap((one) => (one === '' ? [one] : one.split(SPLIT).filter((part) => part !== '')));
    return all.filter((one) => one !== '' || isQuoted).map(word);
  }

  #home(text: string): string {
    const home = this.#variables.get('HOME');
    const to = text.indexOf('/');
    const name = to === -1 ? text : text.slice(0, to);
    return (name === '~' && home !== undefined ? home : UNKNOWN) + text.slice(name.length);
  }

  #single(): string {
    const end = this.text.indexOf("'", this.at + 1);
    const to = end === -1 ? this.text.length : end;
    const text = this.text.slice(this.at + 1, to);
    this.at = to + 1;
    return text;
  }

  #double(): string {
    this.at++;
    const text = this.#quoted('"');
    this.at++;
    return text;
  }

  #quoted(end: string): string {
    let text = '';
    while (this.at < this.text.length && this.text[this.at] !== end) {
      const char = this.text[this.at] ?? '';
      if (char === '\\') {
        const next = this.text[this.at + 1] ?? '';
        text += /["\\$`]/.test(next) ? next : next === '\n' ? '' : `\\${next}`;
        this.at += 2;
      } else if (char === '$' || char === '`') text += this.#expanded();
      else {
        text += char;
        this.at++;
      }
    }
    return text;
  }

  /** At `$` or a backtick: a variable, a command, a calculation. */
  #expanded(): string {
    const rest = this.text.slice(this.at);
    const inside = (from: number, to: number): string => {
      this.at += to + 1;
      return rest.slice(from, to);
    };
    if (rest.startsWith('`')) {
      const length = /^`(?:\\[^]|[^\\`])*/.exec(rest)?.[0].length ?? 1;
      return this.#inner(inside(1, length).replaceAll('\\`', '`')) ?? UNKNOWN;
    }
    if (rest.startsWith('$((')) {
      this.expand(inside(3, closing(rest, 1, '(', ')')));
      return '*';
    }
    if (rest.startsWith('$(')) return this.#inner(inside(2, closing(rest, 1, '(', ')'))) ?? UNKNOWN;
    if (rest.startsWith("$'")) {
      const text = /^\$'((?:\\[^]|[^'\\])*)/.exec(rest)?.[1] ?? '';
      this.at += text.length + 3;
      return decoded(text);
    }
    if (rest.startsWith('$"')) {
      this.at++;
      return this.#double();
    }
    if (rest.startsWith('${')) return this.#braced(inside(2, closing(rest, 1, '{', '}')));
    const [whole, name = ''] = /^\$(\w+|[$#?!@*-])/.exec(rest) ?? [];
    this.at += whole?.length ?? 1;
    return whole === undefined ? '$' : this.#value(name);
  }

  #value(name: string): string {
    return NUMBERS.has(name) ? '*' : (this.#variables.get(name) ?? UNKNOWN);
  }

  /** Between `${` and `}`. */
  #braced(text: string): string {
    const [, name = '', op = '', rest = ''] =
      /^(\w+|[$#?!])(:?[-=?+]|%%?|##?|$)([^]*)$/.exec(text) ?? [];
    const other = this.expand(rest === '' ? text : rest);
    if (name === '' || (op === '' && rest !== '')) return /^#\w+$/.test(text) ? '*' : UNKNOWN;
    const own = this.#value(name);
    if (op.endsWith('+')) return own === UNKNOWN || own === '' ? UNKNOWN : other;
    if (/^:?[-=]$/.test(op)) return own === UNKNOWN || own === '' ? other : own;
    if (op === '' || op.endsWith('?')) return own;
    if (own.includes(UNKNOWN) || other.includes(UNKNOWN)) return UNKNOWN;
    return without(own, op, other);
  }
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

const SIGNS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\x1b', a: '\x07' };

/** Between `$'` and `'`. */
function decoded(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|([0-7]{1,3})|([^]))/g,
    (_, x?: string, u?: string, o?: string, other = '') => {
      const hex = x ?? u;
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      return o === undefined ? (SIGNS[other] ?? other) : String.fromCharCode(parseInt(o, 8));
    },
  );
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

/** Where the bracket that opens at `from` is closed, quotes and here-documents looked at. */
export function closing(
  text: string,
  from: number,
  open: string,
  shut: string,
  plain = open === '(',
): number {
  let count = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === "'" && plain) {
      const end = text.indexOf(char, at + 1);
      if (end !== -1) at = end;
    } else if (char === '"') {
      const end = /^"(?:\\[^]|[^"\\])*"/.exec(text.slice(at, at + 65_536))?.[0].length;
      if (end !== undefined) at += end - 1;
    } else if (char === '<' && plain) at = pastDocument(text, at);
    else if (char === open) count++;
    else if (char === shut && --count === 0) return at;
  }
  return text.length;
}

/** Where the here-document that is named at `at` ends; `at` where none is. */
function pastDocument(text: string, at: number): number {
  const [, end] = /^<<-?[ \t]*['"\\]?(\w+)/.exec(text.slice(at, at + 100)) ?? [];
  const line = end === undefined ? -1 : text.indexOf('\n', at);
  if (line === -1) return at;
  const found = new RegExp(`\\n[ \\t]*${end}(?=[\\n)]|$)`).exec(text.slice(line));
  return found === null ? at : line + found.index + found[0].length - 1;
}
