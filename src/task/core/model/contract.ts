/** A contract as it is once its text was read (docs/reference/contract.md). */
import type { ContractHead } from './contract-shape.ts';

/** One verification, as data. `named` is a name that a squad defines or a capability checks. */
export type Check =
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'file_exists'; readonly path: string }
  | ChecklistCheck
  | { readonly kind: 'matches'; readonly path: string; readonly pattern: string }
  | { readonly kind: 'template'; readonly path: string; readonly headings: string }
  /** result.md has these sections, each with text. */
  | { readonly kind: 'result'; readonly headings: readonly string[] }
  /** The file is JSON of this schema. */
  | { readonly kind: 'json'; readonly path: string; readonly schema: string }
  /** `path`: what it looks at, a name or a path. */
  | { readonly kind: 'named'; readonly name: string; readonly path?: string };

/** With a squad that has it: `file`, as people are shown it, and its items. */
export interface ChecklistCheck {
  readonly kind: 'checklist';
  readonly name?: string;
  readonly file?: string;
  readonly items?: readonly string[];
}

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

/** The text by which a check is called in receipts, criteria and messages. */
export function checkName(check: Check): string {
  switch (check.kind) {
    case 'run':
      return `run: ${check.command}`;
    case 'file_exists':
      return `file_exists: ${check.path}`;
    case 'checklist':
      return check.name === undefined ? 'checklist' : `checklist: ${check.name}`;
    case 'matches':
      return `matches: ${check.path} /${check.pattern}/`;
    case 'template':
      return `template: ${check.path} ${check.headings}`;
    case 'result':
      return `result: ${check.headings.join(', ')}`;
    case 'json':
      return `json: ${check.path} ${check.schema}`;
    case 'named':
      return check.path === undefined ? check.name : `${check.name}: ${check.path}`;
  }
}

/** The key by which it waits for this task. */
export function keyNaming({ head }: Contract, id = ''): 'depends_on' | 'context_from' {
  return head.depends_on.includes(id) ? 'depends_on' : 'context_from';
}
