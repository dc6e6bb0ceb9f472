/**
 * The inputs of a plan: where its words name one, `{{name}}`, its value is put. Values go into the
 * contracts as data, after the plan was read, so that no box, key or script in a value counts.
 */
import type { ContractDraft } from '../../task/core/model/contract-draft.ts';
import type { PlanDocument } from './plan-document.ts';
import { report, type Expanding, type PlanDraft } from './plan-draft.ts';

type Inputs = Readonly<Record<string, string>>;

const PLACE = /\{\{[ \t]*([a-z][a-z0-9_]{0,39})[ \t]*\}\}/g;

export function filled(text: string, inputs: Inputs): string {
  return text.replace(PLACE, (place, name: string) =>
    Object.hasOwn(inputs, name) ? (inputs[name] ?? place) : place,
  );
}

/** The names in a text, each once. */
export function inputsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACE)].map(([, name = '']) => name))];
}

/** `plan`: its name, which is an input of each plan that has some. */
function inputsOf({ inputs }: PlanDocument, plan: string): Inputs | undefined {
  return inputs && { plan, ...inputs };
}

/** Puts the values into the titles that people see, and into the names of agents. */
export function withInputs(document: PlanDocument, plan: string): PlanDocument {
  const inputs = inputsOf(document, plan);
  if (inputs === undefined) return document;
  const fill = (text: string): string => titled(text, inputs);
  const items = document.items.map((item) => {
    return { ...item, title: fill(item.title), executors: item.executors.map(fill) };
  });
  return { ...document, title: fill(document.title), items };
}

const TITLE_CHARS_MAX = 160;

/** On one line. */
function titled(text: string, inputs: Inputs): string {
  // A title is filled before the words that it stands in: what its value names is not put there too.
  const inert = Object.entries(inputs).map(([name, value]) => [
    name,
    value.replaceAll('{{', '{ {'),
  ]);
  const title = filled(text, Object.fromEntries(inert) as Inputs)
    .replace(/\s+/g, ' ')
    .trim();
  const chars = [...title];
  return chars.length <= TITLE_CHARS_MAX
    ? title
    : `${chars.slice(0, TITLE_CHARS_MAX - 1).join('')}…`;
}

/** Entries that a shell reads, which must not be made of values. */
const READ_AGAIN = /^(?:run|matches):/;

export function fillDraft(draft: PlanDraft, expanding: Expanding): PlanDraft {
  const inputs = inputsOf(expanding.document, expanding.around.plan);
  if (inputs === undefined) return draft;
  const fill = (text: string): string => filled(text, inputs);
  const checks = draft.checks.map((one) => (READ_AGAIN.test(one) ? one : fill(one)));
  const deliverables = draft.deliverables.map(fill);
  const { head, ...words } = draft.contract;
  const contract: ContractDraft = {
    ...mapped(words, fill),
    title: titled(words.title, inputs),
    head: {
      ...head,
      title: titled(words.title, inputs),
      ...(checks.length > 0 && { verify: checks }),
      ...(deliverables.length > 0 && { deliverables }),
    },
  };
  reportUnfilled(draft, expanding);
  return { ...draft, checks, deliverables, contract };
}

/** A script stays as it is. */
function mapped<T extends Omit<ContractDraft, 'head'>>(
  words: T,
  fill: (text: string) => string,
): T {
  const entries = Object.entries(words).map(
    ([key, value]: [string, string | readonly string[]]) => {
      if (key === 'steps') return [key, value];
      return [key, typeof value === 'string' ? fill(value) : value.map(fill)];
    },
  );
  return Object.fromEntries(entries) as T;
}

function reportUnfilled({ line, contract, checks }: PlanDraft, expanding: Expanding): void {
  const { title: _, verify: _checks, deliverables: _files, ...rules } = contract.head;
  const commands = checks.filter((one) => READ_AGAIN.test(one));
  const kept = JSON.stringify([rules, commands, contract.steps ?? '']);
  for (const name of inputsIn(kept)) {
    report(expanding, line, {
      code: 'bad_value',
      message: 'the value of an input would be read here as a command or a rule',
      found: `{{${name}}}`,
      expected: 'inputs in titles, text, criteria, files and context alone',
      fix: 'Write the value itself there',
    });
  }
}
