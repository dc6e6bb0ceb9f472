/**
 * What is against the matrix and known, with the reason that the page gives. Whoever closes one removes
 * its entry or mode: the test fails for an entry that is no gap any more.
 */
import { MODES } from './room.ts';
import type { Gap } from './page.ts';

const [[OPEN], [TREE_SANDBOX], [WORKTREE], [WORKTREE_SANDBOX]] = MODES;

export const GAPS: readonly Gap[] = [
  {
    operation: / gh pr create/,
    modes: [OPEN, WORKTREE],
    cell: 'NOT SEEN',
    why: 'it leaves nothing on this machine; a sandbox hides the login of `gh`',
  },
  {
    operation: / git add/,
    modes: [WORKTREE],
    cell: 'NOT SEEN',
    why: 'what is staged in a worktree has no effect: the runner commits there, and stages itself',
  },
  {
    operation: /^dev git (add|commit|branch)/,
    modes: [TREE_SANDBOX],
    cell: 'PREVENTED',
    why: '`.git` of a shared tree is open to an agent that is [trusted with git](../security.md#git-in-a-sandbox) alone',
  },
  {
    operation: / git (branch|tag)/,
    modes: [WORKTREE_SANDBOX],
    cell: 'PREVENTED',
    why: 'it writes a HEAD on no branch; the runner moves the branch of the task, and no other ref can be written',
  },
];
