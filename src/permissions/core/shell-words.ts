/** A command line as simple commands, in order. A syntax error becomes an unknown command. */
import { parse } from 'unbash';
import type { CommandNode, CompoundList, HereDoc, Redirection as Redirected } from 'unbash';
import type { AndOr, Assignment, PipelineNode, Script, Statement, SyntaxNode } from 'unbash';
import { SIGNS, UNKNOWN, word, WordReader, type Source, type Variables } from './shell-word.ts';
import type { Word } from './shell-word.ts';

export interface Redirection {
  readonly op: '>' | '>>';
  readonly target: Word;
}

export interface SimpleCommand {
  readonly assigned: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** Its stdin as text: a here-document or here-string. */
  readonly input?: Word;
  /** The file on its stdin. */
  readonly from?: Word;
  readonly defines?: { readonly name: string; readonly body: Source };
  /** The operators around it: `;` for line ends as well, '' at the ends. */
  readonly before: string;
  readonly after: string;
}

const DEPTH_MAX = 8;

/** All commands, those in substitutions and functions too. */
export function shellCommands(text: Source, variables: Variables, depth = 0): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  if (depth > DEPTH_MAX) return found;
  const inner = (one: Source): undefined => {
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

/** The variables that it sets in this shell. */
export function settings({ assigned, words }: SimpleCommand): SimpleCommand['assigned'] {
  if (words.every(({ text }) => KEYWORDS.has(text))) return assigned;
  if (!DECLARES.test(words[0]?.text ?? '')) return [];
  return words.slice(1).flatMap(({ text }) => {
    const [, name, value] = /^([A-Za-z_]\w*)\+?=([^]*)$/.exec(text) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value: word(value) }];
  });
}

/** A command follows them. */
export const KEYWORDS = new Set('if elif else while until {'.split(' '));

export function readCommands(
  source: Source,
  variables: Variables,
  inner: (text: Source) => string | undefined,
): Generator<SimpleCommand> {
  const reader = new CommandReader(new WordReader(variables, inner));
  return reader.script(typeof source === 'string' ? parse(source.replaceAll(SIGNS, '?')) : source);
}

type Draft = { -readonly [key in keyof SimpleCommand]?: SimpleCommand[key] };

class CommandReader {
  readonly #in: WordReader;
  /** Keywords before the next command. */
  #waiting: readonly string[] = [];
  #sign = '';

  constructor(words: WordReader) {
    this.#in = words;
  }

  *script({ commands, ...one }: Script): Generator<SimpleCommand> {
    yield* this.#list(commands, '');
    const { errors = [] } = one as { readonly errors?: readonly unknown[] };
    if (errors.length > 0) yield this.#made('', { words: [word(UNKNOWN)] });
  }

  *#list(statements: readonly Statement[], end = ';'): Generator<SimpleCommand> {
    for (const [i, { command, background }] of statements.entries()) {
      const last = i === statements.length - 1 ? end : ';';
      yield* this.#node(command, background === true ? '&' : last);
    }
  }

  *#body({ commands }: CompoundList, keyword?: string): Generator<SimpleCommand> {
    if (keyword !== undefined) this.#waiting = [...this.#waiting, keyword];
    yield* this.#list(commands);
  }

  /** Adds the keywords and the operator before it; `after` precedes the next one. */
  #made(after: string, draft: Draft): SimpleCommand {
    const words = [...this.#waiting.map(word), ...(draft.words ?? [])];
    const before = this.#sign;
    this.#sign = after;
    this.#waiting = [];
    return { assigned: [], redirections: [], ...draft, words, before, after };
  }

  *#node(node: AndOr | PipelineNode, after: string): Generator<SimpleCommand> {
    if (node.type !== 'AndOr' && node.type !== 'Pipeline') return yield* this.#command(node, after);
    for (const [i, one] of node.commands.entries()) {
      yield* this.#node(one, node.operators[i]?.replace('|&', '|') ?? after);
    }
  }

  *#command(
    node: CommandNode | CompoundList,
    after: string,
    around: readonly Redirected[] = [],
  ): Generator<SimpleCommand> {
    const close = (name: string): SimpleCommand =>
      this.#made(after, { words: [word(name)], ...this.#redirected(around) });
    switch (node.type) {
      case 'Command': {
        const first = node.name === undefined ? [] : this.#in.words(node.name);
        const given = node.args.flatMap((one) =>
          one.type === 'Word' ? this.#in.words(one) : word(this.#assignment(one).join('=')),
        );
        const assigned = node.prefix.flatMap((one) => {
          if (one.type !== 'Assignment') return [];
          const [name = '', value = ''] = this.#assignment(one);
          return [{ name, value: word(value) }];
        });
        const words = [...first, ...given];
        yield this.#made(after, { assigned, words, ...this.#redirected(node.redirects) });
        return;
      }
      case 'Redirected':
        return yield* this.#command(node.command, after, node.redirects);
      case 'CompoundList':
        return yield* this.#body(node);
      case 'Coproc':
        return yield* this.#command(node.body, after);
      case 'Function': {
        const { pos, end, name } = node;
        const body = node.body.type === 'BraceGroup' ? node.body.body : node.body;
        const commands =
          body.type === 'CompoundList'
            ? body.commands
            : [{ type: 'Statement', pos, end, command: body, background: undefined } as const];
        const script = { type: 'Script', pos, end, shebang: undefined, commands } as const;
        yield this.#made(after, { defines: { name: name.value, body: script } });
        return;
      }
      case 'If':
        yield* this.#body(node.clause, 'if');
        yield* this.#body(node.then);
        for (const { clause, then } of node.elif) {
          yield* this.#body(clause, 'elif');
          yield* this.#body(then);
        }
        if (node.else !== undefined) yield* this.#body(node.else, 'else');
        yield close('fi');
        return;
      case 'While':
        yield* this.#body(node.clause, 'while');
        yield* this.#body(node.body);
        yield close('done');
        return;
      case 'For':
      case 'Select': {
        const list = node.wordlist?.flatMap((one) => this.#in.words(one));
        const head = [word(node.type.toLowerCase()), word(node.name.value)];
        yield this.#made(';', {
          words: list === undefined ? head : [...head, word('in'), ...list],
        });
        yield* this.#body(node.body);
        yield close('done');
        return;
      }
      case 'ArithmeticFor':
        this.#look(node.initialize, node.test, node.update);
        yield* this.#body(node.body, 'while');
        yield close('done');
        return;
      case 'Case':
        this.#look(node.word);
        yield this.#made(';', { words: [word('case')] });
        for (const { body, pattern } of node.items) {
          this.#look(...pattern);
          yield* this.#body(body);
        }
        yield close('esac');
        return;
      case 'BraceGroup':
        yield* this.#body(node.body, '{');
        yield close('}');
        return;
      case 'Subshell':
        this.#in.ran({ ...node, type: 'Script', shebang: undefined, commands: node.body.commands });
        yield close('true');
        return;
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.#look(node.expression);
        yield close('true');
    }
  }

  #look(...nodes: readonly (SyntaxNode | undefined)[]): void {
    for (const one of nodes) if (one !== undefined) this.#in.look(one);
  }

  #assignment({ name, value, append, index }: Assignment): readonly [string, string] {
    this.#look(index);
    if (value.type === 'ArrayValue') this.#look(...value.elements);
    const isPlain = value.type === 'Word' && append !== true && index === undefined;
    return [name, isPlain ? this.#in.text(value) : UNKNOWN];
  }

  #redirected(all: readonly Redirected[]): Draft & Pick<SimpleCommand, 'redirections'> {
    const found: { input?: Word; from?: Word } = {};
    const redirections = all.flatMap((one): Redirection[] => {
      if (one.type === 'HereDoc') found.input = word(this.#document(one));
      else if (one.target === undefined) return [];
      else if (one.type === 'HereString') found.input = word(this.#in.text(one.target));
      else {
        const targets = this.#in.words(one.target);
        if (one.operator === '<') found.from = targets[0] ?? word('');
        if (!one.operator.includes('>')) return [];
        const op = one.operator.endsWith('>>') ? '>>' : '>';
        const isNumber = one.operator === '>&' && /^(\d+|-|\d+-)$/.test(targets[0]?.text ?? '');
        const files = targets.filter(({ text }) => text !== '/dev/fd/0');
        return isNumber ? [] : files.map((target) => ({ op, target }));
      }
      return [];
    });
    return { ...found, redirections };
  }

  #document({ delimiter, body }: HereDoc): string {
    return delimiter?.quoted === true ? body.text : this.#in.joined(body.parts, body.text);
  }
}
