/**
 * A command line of a POSIX shell as its simple commands: words, assignments and redirections, in
 * order, those inside `$(…)`, backticks, brackets and here-documents too. Enough to see what is done
 * openly; a shell can hide anything (variables, aliases, programs it writes first). Never fails:
 * what it does not understand is taken for words.
 */
import { BLANK, ENDS, WordReader, type Variables, type Word } from './shell-word.ts';

export interface Redirection {
  /** `>` overwrites, `>>` grows. */
  readonly op: '>' | '>>';
  readonly target: Word;
}

export interface SimpleCommand {
  readonly assigned: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

const DEPTH_MAX = 8;

export function shellCommands(text: string, variables: Variables, depth = 0): SimpleCommand[] {
  if (depth > DEPTH_MAX) return [];
  const commands: SimpleCommand[] = [];
  const inner = (one: string): void => {
    commands.push(...shellCommands(one, new Map(variables), depth + 1));
  };
  const reader = new CommandReader(new WordReader(text, variables, inner));
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

interface Draft {
  readonly assigned: { name: string; value: Word }[];
  readonly words: Word[];
  readonly redirections: Redirection[];
}

class CommandReader {
  readonly #in: WordReader;
  /** Ends of here-documents whose text begins behind the next line end. */
  #documents: { readonly end: string; readonly tabs: boolean }[] = [];

  constructor(words: WordReader) {
    this.#in = words;
  }

  /** undefined at the end. */
  next(): SimpleCommand | undefined {
    if (this.#in.at >= this.#in.text.length) return undefined;
    const made: Draft = { assigned: [], words: [], redirections: [] };
    while (this.#in.at < this.#in.text.length) {
      const char = this.#in.text[this.#in.at] ?? '';
      if (BLANK.test(char)) this.#in.at++;
      else if (this.#in.text.startsWith('\\\n', this.#in.at)) this.#in.at += 2;
      else if (char === '#') this.#skipLine();
      else if (this.#redirected(made)) continue;
      else if (ENDS.has(char)) {
        this.#in.at++;
        if (char === '\n') this.#skipDocuments();
        return made;
      } else this.#take(made);
    }
    return made;
  }

  #take(made: Draft): void {
    const word = this.#in.word();
    const [, name, value] = ASSIGNMENT.exec(word.text) ?? [];
    if (made.words.length === 0 && name !== undefined && value !== undefined) {
      made.assigned.push({ name, value: { text: value, known: word.known } });
    } else made.words.push(word);
  }

  #skipLine(): void {
    const end = this.#in.text.indexOf('\n', this.#in.at);
    this.#in.at = end === -1 ? this.#in.text.length : end;
  }

  /** True when a redirection, or the beginning of a here-document, was taken. */
  #redirected(made: Draft): boolean {
    const rest = this.#in.text.slice(this.#in.at, this.#in.at + 16);
    const [whole, op] = /^(?:\d*|&)(<<<|<<-?|<>|<&|>>|>\||>&|>|<)/.exec(rest) ?? [];
    if (whole === undefined || op === undefined) return false;
    // `<(…)` and `>(…)` are commands of their own.
    if (rest[whole.length] === '(') {
      this.#in.at += whole.length;
      return true;
    }
    this.#in.at += whole.length;
    while (BLANK.test(this.#in.text[this.#in.at] ?? '')) this.#in.at++;
    if (op === '<<' || op === '<<-') {
      this.#documents.push({ end: this.#in.word().text, tabs: op === '<<-' });
      return true;
    }
    const target = this.#in.word();
    const isDescriptor = op.endsWith('&') && /^(\d+|-)$/.test(target.text);
    if (op.includes('>') && !isDescriptor) {
      made.redirections.push({ op: op === '>>' ? '>>' : '>', target });
    }
    return true;
  }

  #skipDocuments(): void {
    for (const { end, tabs } of this.#documents) {
      const from = this.#in.at;
      for (;;) {
        const begin = this.#in.at;
        if (begin >= this.#in.text.length) break;
        this.#skipLine();
        const line = this.#in.text.slice(begin, this.#in.at++);
        if ((tabs ? line.replace(/^\t+/, '') : line) === end) break;
      }
      this.#in.substitutionsIn(this.#in.text.slice(from, this.#in.at));
    }
    this.#documents = [];
  }
}
