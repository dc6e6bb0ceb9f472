/**
 * What an attempt changed, compared with the permissions of its agent (docs/security.md#what-is-compared).
 * A change outside them is a violation where the agent provably made it, else noticed.
 */
import {
  refuseChange,
  refuseGit,
  type Permissions,
  type ChangeKind,
  type GitOperation,
} from '../../task/core/model/permissions.ts';
import { BEYOND, ownDoing, runsFirst } from '../../task/core/attempts/noticed.ts';

/**
 * `file` is in the workdir. Only the runner and people write the others: `settings` below
 * `.contracts/`, `task` another task, `own_task` the records of the task itself.
 */
export type Area = 'file' | 'settings' | 'task' | 'own_task' | 'git';

export interface Found {
  readonly area: Area;
  readonly kind: ChangeKind;
  /** Relative to the workspace; for git its own name (`refs/tags/v1`). */
  readonly path: string;
  /** For `git`: the operation that it needs; undefined for what no agent may change. */
  readonly operation?: GitOperation;
  /** Only this agent works there: in the worktree of its attempt. */
  readonly own_workdir: boolean;
  /** Reported although allowed: a link leads outside, or running it gives more permissions. */
  readonly odd?: string;
  /** Noticed, yet made by the agent: its strength refuses nothing. */
  readonly by_agent?: true;
  /** Reported instead of kind and path. */
  readonly words?: string;
}

export interface Proof {
  /** True for paths that the sandbox let it write; undefined without a sandbox. */
  readonly writable?: (found: Found) => boolean;
  /** Paths that the log of a hook names as written by the agent. */
  readonly named: ReadonlySet<string>;
}

export interface Verdicts {
  /** Paths of the workdir, allowed or not, sorted. */
  readonly changed: readonly string[];
  readonly violations: readonly string[];
  readonly noticed: readonly string[];
  readonly violating: readonly Found[];
  readonly noticing: readonly Found[];
}

export function judgeChanges(
  found: readonly Found[],
  permissions: Permissions,
  proof: Proof,
): Verdicts {
  const lines = { violations: new Set<string>(), noticed: new Set<string>() };
  const violating: Found[] = [];
  const noticing: Found[] = [];
  for (const change of found) {
    const refusal = refusalOf(change, permissions);
    if (refusal === undefined && change.odd === undefined) continue;
    const doer = doerOf(change, proof);
    if (doer === 'others') continue;
    if (refusal?.hard === true && doer === 'agent') {
      violating.push(change);
      lines.violations.add(refusal.why);
    } else if (refusal !== undefined) {
      const isOwn = doer === 'agent' && refusal.runs !== true;
      noticing.push(isOwn ? { ...change, by_agent: true } : change);
      const isLet = refusal.hard && change.area === 'file' && proof.writable !== undefined;
      lines.noticed.add(isOwn ? ownDoing(refusal.why) : refusal.why + (isLet ? BEYOND : ''));
    }
    if (change.odd !== undefined) lines.noticed.add(change.odd);
  }
  const files = found.filter(({ area }) => area === 'file' || area === 'settings');
  return {
    changed: [...new Set(files.map(({ path }) => path))].sort(),
    violations: [...lines.violations],
    noticed: runsFirst([...lines.noticed]),
    violating,
    noticing,
  };
}

interface Refused {
  readonly hard: boolean;
  readonly why: string;
  readonly runs?: boolean;
}

function refusalOf(change: Found, permissions: Permissions): Refused | undefined {
  if (change.area === 'git') return refusedGit(change, permissions);
  if (change.area === 'file' || change.area === 'settings') {
    const refusal = refuseChange(permissions, change);
    if (refusal === undefined) return undefined;
    const { strength, why, runs = false } = refusal;
    return { hard: !runs && (change.area === 'settings' || strength === 'hard'), why, runs };
  }
  const { words = `${change.kind} ${change.path}: ${WHOSE[change.area]}` } = change;
  return { hard: true, why: words };
}

const WHOSE = {
  task: 'it belongs to another task',
  own_task: 'it is the record of its own task',
  git: 'no agent may change it',
} as const;

function refusedGit(change: Found, permissions: Permissions): Refused | undefined {
  const { operation } = change;
  const what = change.words ?? `git: ${change.path}`;
  if (operation === undefined) return { hard: true, why: `${what}: ${WHOSE.git}` };
  const refusal = refuseGit(permissions, operation);
  if (refusal === undefined) return undefined;
  return { hard: refusal.strength === 'hard', why: `${what}: ${refusal.why}` };
}

/** A sandbox clears the agent; only its own workdir or the log of a hook is proof against it. */
function doerOf(change: Found, proof: Proof): 'agent' | 'others' | 'unknown' {
  if (proof.named.has(change.path)) return 'agent';
  if (proof.writable?.(change) === false) return 'others';
  return change.own_workdir ? 'agent' : 'unknown';
}
