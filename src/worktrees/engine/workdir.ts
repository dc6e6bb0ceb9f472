/**
 * The workdir of one attempt: the folder in which its agent works and its checks run. The workspace
 * itself, shared with everybody, or the worktree of the task (docs/worktrees.md).
 */
import { join, relative } from 'node:path';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Config } from '../../task/core/model/policy.ts';
import type { Layout } from '../../task/store/tasks/layout.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { TaskTree } from './worktree.ts';

export interface Workdir {
  /** Absolute: the workspace's root, or the same folder inside the attempt's worktree. */
  readonly root: string;
  readonly isolation: 'shared' | 'worktree';
  readonly worktree?: Worktree;
  /** What the agent is told of the conflict that it is to settle. */
  readonly conflict?: string;
}

export interface Worktree extends TaskTree {
  readonly branch: string;
  /** The commit that the attempt began with. */
  readonly base: string;
  /** The commit that the agent is to settle a conflict with. */
  readonly merging?: string | undefined;
  /** From the top of the repository: the files with git's marks of it. */
  readonly files: readonly string[];
  /** All refs of the repository before the agent was called; missing after a crash. */
  readonly refs?: ReadonlyMap<string, string> | undefined;
}

export function sharedWorkdir({ ws }: Pick<Running, 'ws'>): Workdir {
  return { root: ws.layout.root, isolation: 'shared' };
}

/** The workdir as a tree of files like the workspace: where its settings and its tasks would be. */
export function layoutOn({ ws }: Pick<Running, 'ws'>, { root }: Workdir): Layout {
  return { root, tasks: join(root, relative(ws.layout.root, ws.layout.tasks)) };
}

/** Whether its work is done in the tree that all share, as far as its contract says. */
export function isShared(ws: Workspace, contract: Contract): boolean {
  return (contract.head.isolation ?? ws.config.isolation) === 'shared';
}

/** People work where they like. */
export function isolationOf(
  contract: Contract | undefined,
  config: Config,
  mode: 'process' | 'human' | 'host',
): 'shared' | 'worktree' {
  if (mode === 'human') return 'shared';
  return contract?.head.isolation ?? config.isolation;
}
