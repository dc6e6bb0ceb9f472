/**
 * A command line of a shell as its simple commands, one after the other: words, assignments,
 * redirections, what stands on its stdin, and the signs around it. What a command runs inside of a word
 * is told to `inner` before the command itself comes. Never fails: what it does not understand is words.
 */
import {
  BLANK,
  closing,
  ENDS,
  UNKNOWN,
  word,
  WordReader,
  type Variables,
  type Word,
} from './shell-word.ts';

export interface Redirection {
  /** `>` overwrites, `>>` grows. */
  readonly op: '>' | '>>';
  readonly target: Word;
}

export interface SimpleCommand {
  readonly assigned: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** The text on its stdin: a here-document or here-string. */
  readonly input?: Word;
  /** The file on its stdin. */
  readonly from?: Word;
  /** It makes a function, of this text. */
  readonly defines?: { readonly name: string; readonly body: string };
  /** The sign before it and the one behind it: `;` for line ends and `&` as well, '' at the ends. */
  readonly before: string;
  readonly after: string;
}

const DEPTH_MAX = 8;

/** All of them, those in words too, for who does not walk through them. */
export function shellCommands(text: string, variables: Variables, depth = 0): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  if (depth > DEPTH_MAX) return found;
  const inner = (one: string): undefined => {
    found.push(...shellCommands(one, new Map(variables), depth + 1));
  };
  for (const command of readCommands(text, variables, inner)) {
    found.push(command);
    if (command.defines !== undefined) inner(command.defines.body);
    for (const { name, value } of settings(command)) {
      if (value.known) variables.set(name, value.text);
      else variables.delete(name);
    }
  }
  return found;
}

const DECLARES = /^(export|local|declare|typeset|readonly)$/;

/** What it leaves set. */
export function settings({ assigned, words }: SimpleCommand): SimpleCommand['assigned'] {
  if (words.every(({ text }) => KEYWORDS.has(text))) return assigned;
  if (!DECLARES.test(words[0]?.text ?? '')) return [];
  return words.slice(1).flatMap(({ text }) => {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value: word(value) }];
  });
}

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=([^]*)$/;
/** Behind these a command begins. */
export const KEYWORDS = new Set('if then elif else while until do ! { time for'.split(' '));

export function* readCommands(
  text: string,
  variables: Variables,
  inner: (text: string) => string | undefined,
): Generator<SimpleCommand> {
  const reader = new CommandReader(new WordReader(text, variables, inner), inner);
  for (;;) {
    const command = reader.next();
    if (command === undefined) return;
    yield command;
  }
}

type Draft = { -readonly [key in keyof SimpleCommand]: SimpleCommand[key] } & {
  assigned: { name: string; value: Word }[];
  words: Word[];
  redirections: Redirection[];
};

class CommandReader {
  readonly #in: WordReader;
  readonly #inner: (text: string) => string | undefined;
  /** Here-documents stand behind a line end: where it is, and where they end. */
  #documents = { from: -1, to: -1 };
  #count = 0;
  #sign = '';
  /** `(` and `case` that are open. */
  readonly #open: string[] = [];

  constructor(words: WordReader, inner: (text: string) => string | undefined) {
    this.#in = words;
    this.#inner = inner;
  }

  /** undefined at the end. */
  next(): SimpleCommand | undefined {
    const reader = this.#in;
    if (reader.at >= reader.text.length) return undefined;
    const made: Draft = {
      assigned: [],
      words: [],
      redirections: [],
      before: this.#sign,
      after: '',
    };
    while (reader.at < reader.text.length) {
      const char = reader.text[reader.at] ?? '';
      if (BLANK.test(char)) reader.at++;
      else if (reader.text.startsWith('\\\n', reader.at)) reader.at += 2;
      else if (char === '#') this.#skipLine();
      else if (this.#redirected(made) || this.#calculated(made)) continue;
      else if (ENDS.has(char)) {
        if (char === '(' && made.words.length === 1 && this.#defined(made)) continue;
        made.after = this.#signAt();
        // What stands before the bracket of a case is a pattern.
        if (made.after === 'case') Object.assign(made, { words: [], assigned: [], after: ';' });
        this.#sign = made.after;
        return made;
      } else this.#take(made);
    }
    this.#sign = '';
    return made;
  }

  #signAt(): string {
    const reader = this.#in;
    const [sign = ''] =
      /^(&&|\|\||\|&|;;&?|;&|[^])/.exec(reader.text.slice(reader.at, reader.at + 3)) ?? [];
    const isDocument = sign === '\n' && reader.at === this.#documents.from;
    reader.at = isDocument ? this.#documents.to : reader.at + sign.length;
    if (sign === '(') this.#open.push(sign);
    if (sign === ')') return this.#open.at(-1) === 'case' ? 'case' : (this.#open.pop(), sign);
    if (sign.startsWith('|')) return sign === '||' ? sign : '|';
    return sign === '(' || sign === '&&' || sign === '&' ? sign : ';';
  }

  #defined(made: Draft): boolean {
    const { text, at } = this.#in;
    const [sign = ''] = /^\([ \t]*\)\s*[{(]/.exec(text.slice(at, at + 256)) ?? [];
    return sign !== '' && this.#function(made, at + sign.length - 1);
  }

  /** From its bracket on. */
  #function(made: Draft, from: number): boolean {
    const { text } = this.#in;
    const isGroup = text[from] === '(';
    const to = closing(text, from, isGroup ? '(' : '{', isGroup ? ')' : '}', true);
    const body = isGroup ? text.slice(from, to + 1) : text.slice(from + 1, to);
    made.defines = { name: made.words.at(-1)?.text ?? '', body };
    made.words = [];
    this.#in.at = to + 1;
    return true;
  }

  /** `[[ … ]]` and `((…))` where a command begins: their signs write nothing. */
  #calculated(made: Draft): boolean {
    const reader = this.#in;
    const begins = this.#open.length < 50 && made.words.every(({ text }) => KEYWORDS.has(text));
    const two = begins ? reader.text.slice(reader.at, reader.at + 2) : '';
    if (two === '((') {
      const to = closing(reader.text, reader.at, '(', ')');
      if (closing(reader.text, reader.at + 1, '(', ')') !== to - 1) return false;
      reader.expand(reader.text.slice(reader.at + 2, to));
      reader.at = to + 1;
      made.words.push(word('true'));
      return true;
    }
    if (two !== '[[' || !/\s/.test(reader.text[reader.at + 2] ?? '')) return false;
    while (reader.at < reader.text.length) {
      const [plain] = /^[\s<>&|();]+/.exec(reader.text.slice(reader.at, reader.at + 64)) ?? [];
      if (plain !== undefined) reader.at += plain.length;
      else if (reader.words().some(({ text }) => text === ']]')) break;
    }
    made.words.push(word('true'));
    return true;
  }

  #take(made: Draft): void {
    const isFirst = made.words.every(({ text }) => KEYWORDS.has(text));
    const { at } = this.#in;
    for (const one of this.#in.words()) {
      const [, name, value] = ASSIGNMENT.exec(one.text) ?? [];
      if (isFirst && made.words.every(({ text }) => KEYWORDS.has(text)) && name !== undefined) {
        const grows = /^\w+\+=/.test(one.text);
        made.assigned.push({ name, value: word(grows ? UNKNOWN : (value ?? '')) });
      } else made.words.push(one);
    }
    const last = made.words.at(-1)?.text;
    if (isFirst && last === 'case') this.#open.push('case');
    if (isFirst && last === 'esac') this.#open.splice(this.#open.lastIndexOf('case'));
    const isFunction = made.words.length === 2 && made.words[0]?.text === 'function';
    const bracket = isFunction
      ? /^\s*(?:\(\s*\)\s*)?[{(]/.exec(this.#in.text.slice(this.#in.at))
      : null;
    if (bracket !== null && at !== this.#in.at)
      this.#function(made, this.#in.at + bracket[0].length - 1);
  }

  #skipLine(): void {
    const end = this.#in.text.indexOf('\n', this.#in.at);
    this.#in.at = end === -1 ? this.#in.text.length : end;
  }

  /** True when a redirection, or the beginning of a here-document, was taken. */
  #redirected(made: Draft): boolean {
    const reader = this.#in;
    const rest = reader.text.slice(reader.at, reader.at + 16);
    const [whole, op] = /^(?:\d*|&)(<<<|<<-?|<>|<&|>>|>\||>&|>|<)/.exec(rest) ?? [];
    if (whole === undefined || op === undefined) return false;
    reader.at += whole.length;
    // `<(…)` and `>(…)` are commands of their own.
    if (reader.text[reader.at] === '(') {
      const to = closing(reader.text, reader.at, '(', ')');
      this.#inner(reader.text.slice(reader.at + 1, to));
      reader.at = to + 1;
      made.words.push(word('/dev/fd/0'));
      return true;
    }
    while (BLANK.test(reader.text[reader.at] ?? '')) reader.at++;
    const from = reader.at;
    const targets = reader.words();
    if ((op === '<<' || op === '<<-') && this.#count++ < 50) {
      made.input = this.#document(op === '<<-', reader.text.slice(from, reader.at), targets);
    } else if (op === '<<<') made.input = word(targets.map(({ text }) => text).join(' '));
    else if (op === '<') made.from = targets[0] ?? word('');
    for (const target of op.includes('>') ? targets : []) {
      if (op === '>&' && /^(\d+|-|\d+-)$/.test(target.text)) continue;
      made.redirections.push({ op: op === '>>' ? '>>' : '>', target });
    }
    return true;
  }

  #document(tabs: boolean, raw: string, [end = word('')]: readonly Word[]): Word {
    const { text, at } = this.#in;
    const line = lineEnd(text, at);
    const from = this.#documents.from === line ? this.#documents.to : line + 1;
    let to = from;
    for (let begin = from; begin < text.length;) {
      const next = text.indexOf('\n', begin) === -1 ? text.length : text.indexOf('\n', begin);
      const one = text.slice(begin, next);
      begin = next + 1;
      this.#documents = { from: line, to: begin };
      if ((tabs ? one.replace(/^\t+/, '') : one) === end.text) break;
      to = begin;
    }
    const body = text.slice(from, to);
    return word(/['"\\]/.test(raw) ? body : this.#in.expand(body));
  }
}

/** The end of the line that `at` is in, quotes looked at. */
function lineEnd(text: string, at: number): number {
  const line = /(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\n'"\\])*/y;
  line.lastIndex = at;
  return at + (line.exec(text)?.[0].length ?? 0);
}
