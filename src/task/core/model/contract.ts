/** A contract as it is once its text was read (docs/reference/contract.md). */
import type { Check } from './checks.ts';
import type { ContractHead } from './contract-shape.ts';

export { checkName, deliverableCheck, factsOf, isBy, pathsOf, type Check } from './checks.ts';

export interface Criterion {
  /** 1-based, in the order of the contract. */
  readonly number: number;
  readonly text: string;
  /** 1-based line in contract.md. */
  readonly line: number;
}

export interface Contract {
  readonly head: ContractHead;
  readonly title: string;
  readonly checks: readonly Check[];
  readonly objective: string;
  readonly requirements: string;
  readonly instructions: string;
  readonly criteria: readonly Criterion[];
  /** `context_files` of the head and the list under `## Context Files`, without repeats. */
  readonly context_files: readonly string[];
  /** The ```sh blocks under `## Steps`, for the shell adapter. */
  readonly steps: readonly string[];
  /** The body without its title and what stands in a section above. */
  readonly rest: string;
  /** Keys that we do not know, kept as they are. */
  readonly unknown_keys: readonly string[];
  /** 1-based lines of what is given, by path: `agent`, `verify.0`, `context_files/<the path>`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** The name of the gate that means a person. */
export const PERSON = 'person';
/** The kind of adapter by which a person is called; as the name of somebody it means the same. */
const HUMAN = 'human';

/** Whoever writes about people may mean one by these. */
const PEOPLE: ReadonlySet<string> = new Set([PERSON, HUMAN, 'me', 'user']);

export function isPerson(name: string): boolean {
  return PEOPLE.has(name.toLowerCase());
}

/** One word for whoever is a person. */
export function personOr(name: string): string {
  return name === HUMAN ? PERSON : name;
}

/** The key by which it waits for this task. */
export function keyNaming({ head }: Contract, id = ''): 'depends_on' | 'context_from' {
  return head.depends_on.includes(id) ? 'depends_on' : 'context_from';
}
