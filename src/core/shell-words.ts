/**
 * A command line of a POSIX shell as its simple commands: words, assignments and redirections, in
 * order, those inside `$(…)`, backticks, brackets and here-documents too. Enough to see what is done
 * openly; a shell can hide anything (variables, aliases, programs it writes first). Never fails:
 * what it does not understand is taken for words.
 */

export interface Redirection {
  /** `>` overwrites, `>>` grows. */
  readonly op: '>' | '>>';
  readonly target: Word;
}

export interface Word {
  readonly text: string;
  /** False where a part of it is not known before it runs. */
  readonly known: boolean;
}

export interface SimpleCommand {
  readonly assigned: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

/** Values of variables that are known; those that the command sets itself are added. */
export type Variables = Map<string, string>;

const DEPTH_MAX = 8;

export function shellCommands(text: string, variables: Variables, depth = 0): SimpleCommand[] {
  if (depth > DEPTH_MAX) return [];
  const commands: SimpleCommand[] = [];
  const inner = (one: string): void => {
    commands.push(...shellCommands(one, new Map(variables), depth + 1));
  };
  const reader = new Reader(text, variables, inner);
  for (;;) {
    const command = reader.next();
    if (command === undefined) return commands;
    if (isEmpty(command)) continue;
    commands.push(command);
    if (command.words.length === 0 || command.words[0]?.text === 'export')
      remember(command, variables);
  }
}

function isEmpty({ assigned, words, redirections }: SimpleCommand): boolean {
  return assigned.length + words.length + redirections.length === 0;
}

function remember({ assigned, words }: SimpleCommand, variables: Variables): void {
  for (const { name, value } of assigned) {
    if (value.known) variables.set(name, value.text);
    else variables.delete(name);
  }
  for (const { text, known } of words.slice(1)) {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (known && name !== undefined && value !== undefined) variables.set(name, value);
  }
}

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/;
const BLANK = /[ \t]/;
const ENDS = new Set(['\n', ';', '&', '|', '(', ')']);

interface Draft {
  readonly assigned: { name: string; value: Word }[];
  readonly words: Word[];
  readonly redirections: Redirection[];
}

class Reader {
  readonly #text: string;
  readonly #variables: Variables;
  readonly #inner: (text: string) => void;
  #at = 0;
  /** Ends of here-documents whose text begins behind the next line end. */
  #documents: { readonly end: string; readonly tabs: boolean }[] = [];

  constructor(text: string, variables: Variables, inner: (text: string) => void) {
    this.#text = text;
    this.#variables = variables;
    this.#inner = inner;
  }

  /** undefined at the end. */
  next(): SimpleCommand | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const made: Draft = { assigned: [], words: [], redirections: [] };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (BLANK.test(char)) this.#at++;
      else if (this.#text.startsWith('\\\n', this.#at)) this.#at += 2;
      else if (char === '#') this.#skipLine();
      else if (this.#redirected(made)) continue;
      else if (ENDS.has(char)) {
        this.#at++;
        if (char === '\n') this.#skipDocuments();
        return made;
      } else this.#take(made);
    }
    return made;
  }

  #take(made: Draft): void {
    const word = this.#word();
    const [, name, value] = ASSIGNMENT.exec(word.text) ?? [];
    if (made.words.length === 0 && name !== undefined && value !== undefined) {
      made.assigned.push({ name, value: { text: value, known: word.known } });
    } else made.words.push(word);
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  /** True when a redirection, or the beginning of a here-document, was taken. */
  #redirected(made: Draft): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 16);
    const [whole, op] = /^(?:\d*|&)(<<<|<<-?|<>|<&|>>|>\||>&|>|<)/.exec(rest) ?? [];
    if (whole === undefined || op === undefined) return false;
    // `<(…)` and `>(…)` are commands of their own.
    if (rest[whole.length] === '(') {
      this.#at += whole.length;
      return true;
    }
    this.#at += whole.length;
    while (BLANK.test(this.#text[this.#at] ?? '')) this.#at++;
    if (op === '<<' || op === '<<-') {
      this.#documents.push({ end: this.#word().text, tabs: op === '<<-' });
      return true;
    }
    const target = this.#word();
    const isDescriptor = op.endsWith('&') && /^(\d+|-)$/.test(target.text);
    if (op.includes('>') && !isDescriptor) {
      made.redirections.push({ op: op === '>>' ? '>>' : '>', target });
    }
    return true;
  }

  #skipDocuments(): void {
    for (const { end, tabs } of this.#documents) {
      const from = this.#at;
      for (;;) {
        const begin = this.#at;
        if (begin >= this.#text.length) break;
        this.#skipLine();
        const line = this.#text.slice(begin, this.#at++);
        if ((tabs ? line.replace(/^\t+/, '') : line) === end) break;
      }
      this.#substitutionsIn(this.#text.slice(from, this.#at));
    }
    this.#documents = [];
  }

  /** What a here-document runs; its plain text is no command. */
  #substitutionsIn(text: string): void {
    for (const [, one = ''] of text.matchAll(/\$\(([^()]*)\)/g)) this.#inner(one);
    for (const [, one = ''] of text.matchAll(/(?<!\\)`([^`]*)`/g)) this.#inner(one);
  }

  #word(): Word {
    let text = '';
    let known = true;
    const add = (word: Word): void => {
      text += word.text;
      known &&= word.known;
    };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (BLANK.test(char) || ENDS.has(char) || char === '<' || char === '>') break;
      if (char === "'") add(this.#single());
      else if (char === '"') add(this.#double());
      else if (char === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        text += next === '\n' ? '' : next;
        this.#at += 2;
      } else if (char === '$' || char === '`') add(this.#expanded());
      else {
        text += char;
        this.#at++;
      }
    }
    const home = this.#variables.get('HOME');
    const isHome = home !== undefined && (text === '~' || text.startsWith('~/'));
    return { text: isHome ? `${home}${text.slice(1)}` : text, known };
  }

  #single(): Word {
    const end = this.#text.indexOf("'", this.#at + 1);
    const to = end === -1 ? this.#text.length : end;
    const text = this.#text.slice(this.#at + 1, to);
    this.#at = to + 1;
    return { text, known: true };
  }

  #double(): Word {
    let text = '';
    let known = true;
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at] ?? '';
      if (char === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        text += /["\\$`]/.test(next) ? next : next === '\n' ? '' : `\\${next}`;
        this.#at += 2;
      } else if (char === '$' || char === '`') {
        const word = this.#expanded();
        text += word.text;
        known &&= word.known;
      } else {
        text += char;
        this.#at++;
      }
    }
    this.#at++;
    return { text, known };
  }

  /** At `$` or a backtick: a variable, a command, a calculation. */
  #expanded(): Word {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith('`')) {
      const length = /^`(?:\\[^]|[^\\`])*/.exec(rest)?.[0].length ?? 1;
      const end = length < rest.length ? length : -1;
      const to = end === -1 ? rest.length : end;
      this.#inner(rest.slice(1, to).replaceAll('\\`', '`'));
      this.#at += to + 1;
      return { text: '', known: false };
    }
    if (rest.startsWith('$(')) {
      const to = closing(rest, 1);
      if (!rest.startsWith('$((')) this.#inner(rest.slice(2, to));
      this.#at += to + 1;
      return { text: '', known: false };
    }
    if (rest.startsWith("$'")) {
      this.#at++;
      return { ...this.#single(), known: false };
    }
    const [whole, braced, plain] = /^\$(?:\{(\w+)\}|(\w+))/.exec(rest) ?? [];
    if (whole !== undefined) {
      this.#at += whole.length;
      const value = this.#variables.get(braced ?? plain ?? '');
      return { text: value ?? '', known: value !== undefined };
    }
    if (rest.startsWith('${')) {
      const end = rest.indexOf('}');
      this.#substitutionsIn(rest.slice(0, end === -1 ? rest.length : end));
      this.#at += end === -1 ? rest.length : end + 1;
      return { text: '', known: false };
    }
    this.#at++;
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
