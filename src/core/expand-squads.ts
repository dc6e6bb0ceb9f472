/** Whose work an item of a plan is: the squads that it names, each looked up once. Pure. */
import { nearestId } from './nearest.ts';
import type { Expanding } from './plan-draft.ts';
import type { PlanDocument, PlanItem } from './plan-document.ts';
import { problem } from './problem.ts';
import type { Squad } from './squad.ts';

/** Squads by name; one that nobody knows is said once. */
export class Squads {
  readonly #document: PlanDocument;
  readonly #expanding: Expanding;
  readonly #unknown = new Set<string>();

  constructor(document: PlanDocument, expanding: Expanding) {
    this.#document = document;
    this.#expanding = expanding;
  }

  /** Of the plan itself, or of an item where that names another. */
  get(item?: PlanItem, own?: string): Squad | undefined {
    const name = own ?? this.#document.squad;
    if (name === undefined) return undefined;
    const { around, problems } = this.#expanding;
    const squad = around.squad(name);
    if (squad !== undefined || this.#unknown.has(name)) return squad;
    this.#unknown.add(name);
    const near = nearestId(name, around.squads());
    problems.push(
      problem({
        code: 'bad_value',
        file: around.file,
        line: (own === undefined ? this.#document.said_on?.squad : item?.box.line) ?? 1,
        message: 'there is no such squad',
        found: name,
        ...(around.squads().length === 0 ? {} : { expected: around.squads().join(', ') }),
        fix: near === undefined ? 'See them: contracts squad list' : `Did you mean ${near}?`,
      }),
    );
    return undefined;
  }
}
