/** Whose work an item of a plan is: the squads that it names, each looked up once. Pure. */
import { nearestId } from './nearest.ts';
import type { Expanding } from './plan-draft.ts';
import type { PlanDocument, PlanItem } from './plan-document.ts';
import { problem, type Problem } from './problem.ts';
import type { Squad } from './squad.ts';

/** Squads by name; one that nobody knows is said once. */
export class Squads {
  readonly #document: PlanDocument;
  readonly #expanding: Expanding;
  readonly #unknown = new Set<string>();
  /** One that is named cannot be used, so that nobody knows whose agents it has. */
  broken = false;

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
    const line = (own === undefined ? this.#document.said_on?.squad : item?.box.line) ?? 1;
    const wrong = around.squadProblem(name);
    if (wrong !== undefined) {
      this.broken = true;
      problems.push(unusable(name, wrong, { file: around.file, line }));
      return undefined;
    }
    const near = nearestId(name, around.squads());
    problems.push(
      problem({
        code: 'bad_value',
        file: around.file,
        line,
        message: 'there is no such squad',
        found: name,
        ...(around.squads().length === 0 ? {} : { expected: around.squads().join(', ') }),
        fix: near === undefined ? 'See them: contracts squad list' : `Did you mean ${near}?`,
      }),
    );
    return undefined;
  }
}

function unusable(
  name: string,
  { file, line, message, fix }: Problem,
  place: Pick<Problem, 'file' | 'line'>,
): Problem {
  return problem({
    code: 'unknown_squad',
    ...place,
    message: `this squad cannot be used (${file}:${line}: ${message})`,
    found: name,
    fix,
  });
}
