/**
 * The ground of one attempt: the folder in which its agent works and its checks run. The workspace
 * itself, shared with everybody.
 */
import type { Running } from '../attempt/running.ts';

export interface Ground {
  /** Absolute: the workspace's root, or the same folder inside the attempt's worktree. */
  readonly root: string;
  readonly isolation: 'shared' | 'worktree';
}

export function sharedGround({ ws }: Pick<Running, 'ws'>): Ground {
  return { root: ws.layout.root, isolation: 'shared' };
}
