/**
 * One word of a POSIX shell as it will be when it runs: quotes taken off, variables that are known put
 * in, and what `$(…)` and backticks run handed on. Knows where it stands in the text; a part that is
 * only known when it runs makes the word an unknown one. Never fails.
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

export class WordReader {
  readonly text: string;
  at = 0;
  readonly #variables: Variables;
  readonly #inner: (text: string) => void;

  /** `inner` is told each command that a word runs. */
  constructor(text: string, variables: Variables, inner: (text: string) => void) {
    this.text = text;
    this.#variables = variables;
    this.#inner = inner;
  }

  /** What a here-document runs; its plain text is no command. */
  substitutionsIn(text: string): void {
    for (const [, one = ''] of text.matchAll(/\$\(([^()]*)\)/g)) this.#inner(one);
    for (const [, one = ''] of text.matchAll(/(?<!\\)`([^`]*)`/g)) this.#inner(one);
  }

  /** The one that begins here. */
  word(): Word {
    let text = '';
    let known = true;
    const add = (word: Word): void => {
      text += word.text;
      known &&= word.known;
    };
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? '';
      if (BLANK.test(char) || ENDS.has(char) || char === '<' || char === '>') break;
      if (char === "'") add(this.#single());
      else if (char === '"') add(this.#double());
      else if (char === '\\') {
        const next = this.text[this.at + 1] ?? '';
        text += next === '\n' ? '' : next;
        this.at += 2;
      } else if (char === '$' || char === '`') add(this.#expanded());
      else {
        text += char;
        this.at++;
      }
    }
    const home = this.#variables.get('HOME');
    const isHome = home !== undefined && (text === '~' || text.startsWith('~/'));
    return { text: isHome ? `${home}${text.slice(1)}` : text, known };
  }

  #single(): Word {
    const end = this.text.indexOf("'", this.at + 1);
    const to = end === -1 ? this.text.length : end;
    const text = this.text.slice(this.at + 1, to);
    this.at = to + 1;
    return { text, known: true };
  }

  #double(): Word {
    let text = '';
    let known = true;
    this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      const char = this.text[this.at] ?? '';
      if (char === '\\') {
        const next = this.text[this.at + 1] ?? '';
        text += /["\\$`]/.test(next) ? next : next === '\n' ? '' : `\\${next}`;
        this.at += 2;
      } else if (char === '$' || char === '`') {
        const word = this.#expanded();
        text += word.text;
        known &&= word.known;
      } else {
        text += char;
        this.at++;
      }
    }
    this.at++;
    return { text, known };
  }

  /** At `$` or a backtick: a variable, a command, a calculation. */
  #expanded(): Word {
    const rest = this.text.slice(this.at);
    if (rest.startsWith('`')) {
      const length = /^`(?:\\[^]|[^\\`])*/.exec(rest)?.[0].length ?? 1;
      const end = length < rest.length ? length : -1;
      const to = end === -1 ? rest.length : end;
      this.#inner(rest.slice(1, to).replaceAll('\\`', '`'));
      this.at += to + 1;
      return { text: '', known: false };
    }
    if (rest.startsWith('$(')) {
      const to = closing(rest, 1);
      if (!rest.startsWith('$((')) this.#inner(rest.slice(2, to));
      this.at += to + 1;
      return { text: '', known: false };
    }
    if (rest.startsWith("$'")) {
      this.at++;
      return { ...this.#single(), known: false };
    }
    const [whole, braced, plain] = /^\$(?:\{(\w+)\}|(\w+))/.exec(rest) ?? [];
    if (whole !== undefined) {
      this.at += whole.length;
      const value = this.#variables.get(braced ?? plain ?? '');
      return { text: value ?? '', known: value !== undefined };
    }
    if (rest.startsWith('${')) {
      const end = rest.indexOf('}');
      this.substitutionsIn(rest.slice(0, end === -1 ? rest.length : end));
      this.at += end === -1 ? rest.length : end + 1;
      return { text: '', known: false };
    }
    this.at++;
    return { text: '$', known: true };
  }
}

/** Where the bracket that opens at `from` is closed, quotes looked at. */
function closing(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      if (end !== -1) at = end;
    } else if (char === '(') open++;
    else if (char === ')' && --open === 0) return at;
  }
  return text.length;
}
