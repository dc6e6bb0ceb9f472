/**
 * The sentences that a play makes, each with its code, so that a case names codes and no wording. Spies
 * that call through see what the product makes; a sentence that they did not see stays, which is loud.
 * Problems and faults are worded at the place that finds them: test/cases/sentences.tsv has each sentence.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import * as faults from '../../src/engine/attempt/fault-event.ts';
import * as outcomes from '../../src/engine/core/words/outcomes.ts';
import * as waits from '../../src/engine/core/words/waits.ts';
import * as problems from '../../src/task/core/model/problem.ts';
import type { Problem } from '../../src/task/core/model/problem.ts';
import { keptFields, quotePattern, withNumbers } from './kept-fields.ts';

interface Sentence {
  readonly code: string;
  readonly kept: readonly string[];
  /** Of the table; undefined where the code has one sentence, with a test of its own. */
  readonly row?: string;
  /** Where it is looked for: after an arrow too, or as a value of JSON alone; anywhere when left out. */
  readonly place?: 'fix' | 'json';
}

export class Words {
  /** Rows of the table that stand for a sentence in what was masked. */
  readonly rows = new Set<string>();
  private readonly known = new Map<string, Sentence>();

  note(text: string, sentence: Sentence): void {
    const known = this.known.get(text);
    // What has a code of its own says more than the problem that it quotes.
    if (text === '' || (known !== undefined && known.row === undefined && sentence.row)) return;
    this.known.set(text, sentence);
  }

  /** `clean` masks what differs from run to run; a sentence whose row `has` does not know stays. */
  mask(text: string, clean: (text: string) => string, has: (row: string) => boolean): string {
    let masked = text;
    const all = [...this.known].toSorted(([a], [b]) => b.length - a.length);
    for (const [words, sentence] of all) {
      const row = sentence.row && clean(sentence.row);
      if (row !== undefined && !has(row)) continue;
      const places = placesOf(clean(words), sentence.place);
      masked = masked.replace(places, (shown) => {
        if (row !== undefined) this.rows.add(row);
        return this.nameOf(sentence, shown, clean);
      });
    }
    return masked;
  }

  /** A field may be a sentence itself, or an id that is `shown` without its end. */
  private nameOf({ code, kept }: Sentence, shown: string, clean: (text: string) => string): string {
    const fields = kept.map((field) => {
      const inner = this.known.get(field);
      if (inner !== undefined) return this.nameOf(inner, field, clean);
      return clean(shown.includes(field) ? field : field.replace(ID_END, ''));
    });
    return `<${[code, ...fields].join(' ')}>`;
  }
}

const playing = new AsyncLocalStorage<Words>();

/** What is made while `run` runs, and by what it starts, is noted there alone. */
export function hear<T>(words: Words, run: () => Promise<T>): Promise<T> {
  if (!vi.isMockFunction(waits.wait)) listen();
  return playing.run(words, run);
}

/** A whole sentence or a part of one after a mark, as it is, as JSON has it, and as YAML has it in quotes. */
function placesOf(words: string, place: Sentence['place']): RegExp {
  const forms = [words, JSON.stringify(words).slice(1, -1), words.replaceAll("'", "''")];
  const [plain = '', json = '', yaml = ''] = forms.map(patternOf);
  const value = `(?<=":")${json}(?=")`;
  if (place === 'json') return new RegExp(value, 'g');
  if (place === 'fix') return new RegExp(`(?<= → )${plain}(?![\\w-])|${value}`, 'g');
  const before = '(?<=^|[^\\w\\s] ?|  )';
  return new RegExp(`${before}(?:${plain}|${json}|${yaml})(?! ?[\\w-])`, 'gm');
}

/** The end of an id, which a terminal does not show where the id is clear without it. */
const ID_END = /-[0-9a-z]{4}(?![\w-])/g;

const patternOf = (words: string): string => quotePattern(words).replace(ID_END, '(?:$&)?');

type Made<F> = F extends (...given: infer G) => infer R ? [real: F, given: G, made: R] : never;

/** Calls through; `see` gets what was given and made. */
function watch<M extends object, K extends keyof M & string>(
  module: M,
  name: K,
  see: (words: Words, ...all: Made<M[K]>) => void,
): void {
  const real = module[name] as (...given: unknown[]) => unknown;
  const spied = (...given: unknown[]): unknown => {
    const made = real(...given);
    const words = playing.getStore();
    if (words !== undefined) see(words, ...([real, given, made] as never as Made<M[K]>));
    return made;
  };
  vi.spyOn(module as Record<string, typeof real>, name as string).mockImplementation(spied);
}

/** Until the test file ends, when vitest takes all spies back. */
function listen(): void {
  watch(waits, 'wait', (words, real, [code, fields], { reason, fix }) => {
    // A problem is printed with its place, and has a code of its own.
    const made = (all: typeof fields) => real(code, all);
    if (code !== 'problem')
      noteOne(words, `wait: ${code}`, fields, reason, (all) => made(all).reason);
    noteOne(words, `fix: ${code}`, fields, fix, (all) => made(all).fix, 'fix');
  });
  watch(waits, 'refusal', (words, _real, _given, { fix }) =>
    words.note(fix, { code: 'fix: problem', kept: [], place: 'fix' }),
  );
  watch(outcomes, 'ended', (words, real, [code, fields], { reason }) =>
    noteOne(words, `outcome: ${code}`, fields, reason, (all) => real(code, all as never).reason),
  );
  watch(outcomes, 'finding', (words, real, [code, fields], made) =>
    noteOne(words, `finding: ${code}`, fields, made.words, (all) => real(code, all).words),
  );
  watch(problems, 'problem', (words, _real, _given, made) => noteProblem(words, made));
  watch(problems, 'formatProblem', (words, _real, [made]) => noteProblem(words, made));
  watch(problems, 'refused', (words, _real, _given, made) => {
    if (!made.ok) for (const one of made.problems) noteProblem(words, one);
  });
  watch(faults, 'faultEvent', (words, _real, _given, made) => {
    if (made.event !== 'fault') return;
    const { code = 'unknown', reason, fix } = made;
    noteTabled(words, `fault: ${code}`, [], reason, fix);
  });
}

/** One that is nothing but a field keeps what the field has: its words are of another table. */
function noteOne<F>(
  words: Words,
  code: string,
  fields: F,
  text: string,
  render: (fields: F) => string,
  place?: 'fix',
): void {
  const kept = playing.exit(() => keptFields(fields, render));
  if (!kept.includes(text)) words.note(text, { code, kept, ...(place && { place }) });
}

function noteProblem(words: Words, { code, message, found, expected, fix }: Problem): void {
  const facts = [found && `found ${found}`, expected && `expected ${expected}`].filter(Boolean);
  const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const kept = found === undefined ? [] : [found];
  const row = noteTabled(words, code, kept, `${message}${details}`, fix);
  if (details !== '') words.note(message, { code, kept, row, place: 'json' });
  if (expected !== undefined) words.note(expected, { code: 'expected', kept: [], place: 'json' });
}

function noteTabled(
  words: Words,
  code: string,
  found: readonly string[],
  text: string,
  fix: string,
): string {
  const row = `${code}: ${text}. ${fix}`.replaceAll('\n', '\\n');
  const kept = withNumbers(text, found);
  words.note(`${text}. ${fix}`, { code, kept, row });
  words.note(text, { code, kept, row });
  words.note(fix, { code: 'fix', kept: [], row, place: 'json' });
  return row;
}
