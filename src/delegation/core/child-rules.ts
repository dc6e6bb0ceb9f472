/** Rules for child tasks: their ids, what a child may not claim beyond its parent, and its budget. Pure. */
import { given } from '../../task/core/base/defined-fields.ts';
import { durationMs } from '../../task/core/base/duration.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import { stemOf, suffixOfHash, wordsOf } from '../../task/core/model/id.ts';
import type { AgentConfig, Config } from '../../task/core/model/policy.ts';
import { NETWORKS, type ContractHead } from '../../task/core/model/contract-shape.ts';
import type { SquadLimits } from '../../squads/core/squad-schema.ts';

const PARENT_CHARS_MAX = 28;
const NAME_CHARS_MAX = 24;

type Hash = (...parts: readonly string[]) => string;

/** `round`: how often the parent delegated before, so that a crash changes no id and a later round can reuse a name. */
export function childTaskId(parent: string, round: number, name: string, hash: Hash): string {
  const [of, own] = [wordsOf(stemOf(parent), PARENT_CHARS_MAX), wordsOf(name, NAME_CHARS_MAX)];
  return `${of}-${own}${suffixOfHash(hash('child', parent, String(round), name))}`;
}

/** `depth_max`: how many ancestors a child may have. */
export type ChildBudget = Pick<Config, 'children_max' | 'depth_max'>;

export function childBudget(
  agent: AgentConfig | undefined,
  squad: SquadLimits | undefined,
  config: Config,
): ChildBudget {
  return {
    children_max: agent?.children_max ?? squad?.children_max ?? config.children_max,
    depth_max: agent?.depth_max ?? squad?.depth_max ?? config.depth_max,
  };
}

type Head = Partial<ContractHead>;

const COUNTED = ['retries_max', 'questions_max', 'reviews_max', 'cost_max', 'tokens_max'] as const;
const SANDBOXES = ['none', 'auto', 'bwrap'] as const;

/** Defaults and limits of a child; `agent` does the work. */
export interface Ceiling {
  readonly id: string;
  readonly parent: Head;
  readonly agent: AgentConfig | undefined;
  readonly config: Config;
}

/** Lists what exceeds the parent: a child's contract narrows its parent's and never widens it. */
export function widenings(head: Head, ceiling: Ceiling): readonly string[] {
  const { id, parent, config } = ceiling;
  const found: string[] = [];
  if (head.type === 'checkpoint') found.push('a child task cannot be a checkpoint');
  if (head.parent !== undefined && head.parent !== id) {
    found.push(`parent: ${head.parent} is not this task; leave it out`);
  }
  if (head.plan !== undefined && head.plan !== parent.plan) {
    found.push(`plan: ${head.plan} is not the plan of this task; leave it out`);
  }
  if (head.adapter !== undefined && head.adapter !== parent.adapter) {
    found.push(`adapter: ${head.adapter} cannot be chosen by a child task; leave it out`);
  }
  const isolation = parent.isolation ?? config.isolation;
  if (head.isolation === 'shared' && isolation === 'worktree') {
    found.push('isolation: shared would give up the worktree; leave it out');
  }
  if (head.rerun === 'auto' && (parent.rerun ?? config.rerun) === 'ask') {
    found.push('rerun: auto where a person must be asked; leave it out');
  }
  if (isLess(head.sandbox, parent.sandbox)) {
    found.push(`sandbox: ${head.sandbox} is weaker than ${parent.sandbox}; leave it out`);
  }
  if (head.network !== undefined && isWider(head.network, parent.network)) {
    found.push(`network: ${head.network} is more than ${parent.network}; leave it out`);
  }
  for (const glob of head.write ?? []) {
    if (parent.write === undefined || parent.write.some((one) => covers(one, glob))) continue;
    found.push(`write: ${glob} is outside what this task may write: ${parent.write.join(', ')}`);
  }
  return [...found, ...beyondLimits(head, ceiling)];
}

function isLess(sandbox: Head['sandbox'], of: Head['sandbox']): boolean {
  if (sandbox === undefined || of === undefined) return false;
  return SANDBOXES.indexOf(sandbox) < SANDBOXES.indexOf(of);
}

function isWider(network: (typeof NETWORKS)[number], of: Head['network'] = 'open'): boolean {
  return NETWORKS.indexOf(network) > NETWORKS.indexOf(of);
}

function beyondLimits(head: Head, { parent, agent, config }: Ceiling): readonly string[] {
  const found: string[] = [];
  for (const key of COUNTED) {
    const value = head[key];
    const own = agent?.[key] ?? config[key];
    // Money is shared with the parent; of tries the larger limit holds, since they are not shared.
    const money = key === 'cost_max' || key === 'tokens_max';
    const most = money ? least(parent[key], own) : Math.max(parent[key] ?? 0, own ?? 0);
    if (value === undefined || most === undefined || value <= most) continue;
    found.push(`${key}: ${value} is more than ${most}`);
  }
  const ms = (text: string | undefined) => (text === undefined ? 0 : (durationMs(text) ?? 0));
  const longest = Math.max(ms(parent.timeout), ms(agent?.timeout ?? config.timeout));
  if (ms(head.timeout) > longest) found.push(`timeout: ${head.timeout} is longer than allowed`);
  return found;
}

function least(...numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** True if `inner` matches nothing outside `outer`; false where that is not obvious. */
function covers(outer: string, inner: string): boolean {
  if (outer === inner || outer === '**') return true;
  const folder = outer.endsWith('/**') ? outer.slice(0, -'**'.length) : undefined;
  if (folder !== undefined && !/[*?[{!]/.test(folder)) {
    return inner.startsWith(folder) && !inner.split('/').includes('..');
  }
  return !/[*?[{!]/.test(inner) && globMatcher(outer)(inner);
}

export function inherited(parent: ContractHead): Record<string, unknown> {
  const { squad, plan, wave, write, isolation, sandbox, network } = parent;
  const { rerun, cost_max, tokens_max } = parent;
  const own = { squad, plan, wave, write, isolation, sandbox, network };
  return given({ ...own, rerun, cost_max, tokens_max });
}
