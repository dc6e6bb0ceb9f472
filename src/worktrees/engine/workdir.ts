/** Where an agent works and its checks run: the workspace or a worktree (docs/worktrees.md). */
import { join, relative } from 'node:path';
import { executorOf } from '../../agents/engine/roles.ts';
import type { Adapter } from '../../process/adapter.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Config } from '../../task/core/model/policy.ts';
import type { Layout } from '../../task/store/tasks/layout.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { TaskTree } from './worktree.ts';

export interface Workdir {
  /** Absolute: the root of the workspace, or the same folder inside the worktree. */
  readonly root: string;
  readonly isolation: 'shared' | 'worktree';
  readonly worktree?: Worktree;
  /** For the brief: the conflict that it is to resolve. */
  readonly conflict?: string;
}

export interface Worktree extends TaskTree {
  readonly branch: string;
  /** The commit that the attempt began with. */
  readonly base: string;
  /** The commit that it is in conflict with. */
  readonly merging?: string | undefined;
  /** From the top of the repository: files with marks of the conflict. */
  readonly files: readonly string[];
  /** All refs before the agent was called; missing after a crash. */
  readonly refs?: ReadonlyMap<string, string> | undefined;
}

export function sharedWorkdir({ ws }: Pick<Running, 'ws'>): Workdir {
  return { root: ws.layout.root, isolation: 'shared' };
}

export function layoutOn({ ws }: Pick<Running, 'ws'>, { root }: Workdir): Layout {
  return { root, tasks: join(root, relative(ws.layout.root, ws.layout.tasks)) };
}

export function isShared(ws: Workspace, contract: Contract): boolean {
  if ((contract.head.isolation ?? ws.config.isolation) !== 'shared') return false;
  const queues = Object.values(ws.config.adapters).some(({ type }) => type === 'queue');
  return !queues || executorOf(ws, contract).adapter?.relays === undefined;
}

/** People work in the shared tree, and an agent on another machine in a worktree. */
export function isolationOf(
  contract: Contract | undefined,
  config: Config,
  { mode = 'process', relays }: Partial<Pick<Adapter, 'mode' | 'relays'>> = {},
): 'shared' | 'worktree' {
  if (mode === 'human') return 'shared';
  if (relays !== undefined) return 'worktree';
  return contract?.head.isolation ?? config.isolation;
}
