/** A contract with what its squad adds. Nothing is written back; preflight reports a missing squad. */
import { isBy, type Check, type Contract } from '../../task/core/model/contract.ts';
import { ContractWords } from '../../task/core/model/contract-body.ts';
import { DEFAULT_AGENT } from '../../task/core/model/policy.ts';
import { parseCheck } from '../../task/text/documents/verify-entry.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { squadsOf } from './registry.ts';
import { checklistIn } from './documents.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Route } from '../../workspace/tasks/routes.ts';
import { categoryIn, executorIn, gatesIn, type Squad } from '../core/squad.ts';

export function inSquad(ws: Workspace, contract: Contract): Contract {
  const { squad } = contract.head;
  return squad === undefined ? contract : new SquadContract(ws, contract, squad);
}

/** undefined: no squad, or a missing one. */
export function routeIn(ws: Workspace, { head }: Contract): Route | undefined {
  const squad = head.squad === undefined ? undefined : squadsOf(ws).get(head.squad);
  return (
    squad && {
      category: categoryIn(squad, head),
      executor: (agent) => executorIn(squad, { agent }),
      skills: squad.skills,
      checks: [...squad.checks.keys()],
      articles: squad.articles.filter((one) => !one.of_stories || head.type === 'story'),
      plan_type: squad.plan_type,
    }
  );
}

/** Reads the squad only when it is needed. */
class SquadContract extends ContractWords implements Contract {
  readonly #ws: Workspace;
  readonly #own: Contract;
  readonly #name: string;
  #head: Contract['head'] | undefined;
  #checks: readonly Check[] | undefined;

  constructor(ws: Workspace, own: Contract, name: string) {
    super();
    this.#ws = ws;
    this.#own = own;
    this.#name = name;
  }

  get #squad(): Squad | undefined {
    return squadsOf(this.#ws).get(this.#name);
  }

  get head(): Contract['head'] {
    return (this.#head ??= headIn(this.#ws, this.#squad, this.#own.head));
  }

  get checks(): readonly Check[] {
    return (this.#checks ??= checksIn(this.#ws, this.#squad, this.#own));
  }

  protected get words(): Contract {
    return this.#own;
  }

  get title(): string {
    return this.#own.title;
  }

  get context_files(): readonly string[] {
    return this.#own.context_files;
  }

  get unknown_keys(): readonly string[] {
    return this.#own.unknown_keys;
  }

  get lines(): ReadonlyMap<string, number> {
    return this.#own.lines;
  }
}

type Head = Contract['head'];

function headIn(ws: Workspace, squad: Squad | undefined, head: Head): Head {
  if (squad === undefined) return head;
  const { agent } = head;
  const registry = squadsOf(ws);
  return {
    ...head,
    ...limitsIn(ws, squad, head),
    ...(agent === undefined ? {} : { agent: registry.nameIn(squad.name, agent) }),
    quality_gate: [...gatesIn(squad, head)],
    skills: head.skills.map((skill) => registry.skillIn(squad.name, skill)),
  };
}

/** A contract cannot set limits of delegation. */
const LIMITS = [
  ...(['retries_max', 'questions_max', 'reviews_max'] as const),
  ...(['timeout', 'cost_max', 'tokens_max'] as const),
];

/** Limits that come after the contract and the agent, and before the configuration. */
function limitsIn(ws: Workspace, squad: Squad, head: Head): Partial<Head> {
  const open = LIMITS.filter((key) => squad[key] !== undefined && head[key] === undefined);
  if (open.length === 0) return {};
  const name = executorIn(squad, head) ?? DEFAULT_AGENT;
  const registry = agentsOf(ws);
  const own = registry.isPlain(name) ? undefined : registry.get(name);
  const given = open.filter((key) => own?.[key] === undefined);
  return Object.fromEntries(given.map((key) => [key, squad[key]]));
}

function checksIn(ws: Workspace, squad: Squad | undefined, { checks, head }: Contract) {
  if (squad === undefined) return checks;
  const all = checks.flatMap((check): readonly Check[] => {
    const own =
      check.kind === 'named' && check.path === undefined ? squad.checks.get(check.name) : undefined;
    if (own === undefined) return [check];
    return own.flatMap((entry) => {
      const read = parseCheck(entry, squad.file, 1);
      return read.ok ? [read.value] : [];
    });
  });
  const { deliverables } = head;
  return all.map((one) => (isBy(one, 'gate') ? checklistIn(ws, squad, one, deliverables) : one));
}
