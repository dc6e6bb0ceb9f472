/** Finds the squads and agents that items name; agents of the squad come first. Pure. */
import { isPerson, PERSON } from '../../task/core/model/contract.ts';
import { didYouMean, nearestId } from '../../task/core/base/nearest.ts';
import { report, type Expanding, type PlanAround } from './plan-draft.ts';
import type { PlanItem } from './plan-document.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { Squad } from '../../squads/core/squad.ts';

/** Reports an unknown squad once. */
export class Squads {
  readonly #expanding: Expanding;
  readonly #unknown = new Set<string>();
  /** A squad that is named cannot be used, so unknown agents may be its agents. */
  broken = false;

  constructor(expanding: Expanding) {
    this.#expanding = expanding;
  }

  /** The squad of the plan, or of an item that names another. */
  get(item?: PlanItem, own?: string): Squad | undefined {
    const { document, around } = this.#expanding;
    const name = own ?? document.squad;
    if (name === undefined) return undefined;
    const squad = around.squad(name);
    if (squad !== undefined || this.#unknown.has(name)) return squad;
    this.#unknown.add(name);
    const line = (own === undefined ? document.said_on?.squad : item?.box.line) ?? 1;
    const wrong = around.squadProblem(name);
    if (wrong !== undefined) {
      this.broken = true;
      const { file, line: at, message: why, fix } = wrong;
      const message = `this squad cannot be used (${file}:${at}: ${why})`;
      report(this.#expanding, line, { code: 'unknown_squad', message, found: name, fix });
      return undefined;
    }
    const known = around.squads();
    report(this.#expanding, line, {
      code: 'bad_value',
      message: 'there is no such squad',
      found: name,
      ...(known.length === 0 ? {} : { expected: known.join(', ') }),
      fix: didYouMean(name, known).trim() || 'See them: contracts squad list',
    });
    return undefined;
  }
}

/** undefined: unknown, which is reported. */
export function whoIsMeant(
  name: string,
  squad: Squad | undefined,
  { around, problems }: Pick<Expanding, 'around' | 'problems'>,
  place: { readonly file?: string; readonly line: number },
): string | undefined {
  if (isPerson(name)) return PERSON;
  const full = agentNamed(name, squad, around);
  if (full === undefined)
    problems.push(unknownAgent(name, { file: around.file, ...place }, squad, around));
  return full;
}

/** undefined: unknown. */
export function agentNamed(
  name: string,
  squad: Squad | undefined,
  around: PlanAround,
): string | undefined {
  const plain = name.replace(/^@/, '');
  const own = squad?.agents.find((one) => one.name === plain)?.full;
  // A squad that only names an agent does not define it.
  return own === undefined || own === plain ? around.agent(plain) : own;
}

function unknownAgent(
  name: string,
  place: { readonly file: string; readonly line: number },
  squad: Squad | undefined,
  around: PlanAround,
): Problem {
  const own = (squad?.agents ?? [])
    .map((one) => one.name)
    .filter((one) => agentNamed(one, squad, around) !== undefined);
  const near = nearestId(name, [...own, ...around.agents()]) ?? elsewhere(name, around);
  const meant = near === undefined ? '' : `Did you mean @${near}? `;
  const of = squad === undefined || own.length === 0 ? '' : `@${own.join(', @')}, or `;
  return problem({
    code: 'unknown_agent',
    ...place,
    message: 'this agent does not exist',
    found: `@${name}`,
    expected: `${of}one of those that contracts agents lists`,
    fix: `${meant}${around.hiding?.(name) ?? 'Describe it in .contracts/agents/, or name another one'}`,
  });
}

/** An agent of that name in another squad. */
function elsewhere(name: string, around: PlanAround): string | undefined {
  const all = around.squads().flatMap((one) => around.squad(one)?.agents ?? []);
  return all.find((one) => one.name === name)?.full;
}
