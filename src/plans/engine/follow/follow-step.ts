/**
 * Plans follow one step: a person who marked a box is told what that means before anything of that plan
 * begins, stories follow each move, and plans are brought up to date at the end.
 */
import { plansFolder } from '../../../task/store/tasks/layout.ts';
import type { FollowedStep, Follower } from '../../../workspace/tasks/capability.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { followStory } from '../records/stories.ts';
import { followPlans, tellMarks } from './sync-boxes.ts';

export function followStep(step: FollowedStep): Follower {
  const { ws } = step;
  const has_plans = hasPlans(ws);
  const renamed = new Set<string>();
  return {
    before: (board, acting) => {
      const plans = acting.flatMap(({ contract }) => (contract.ok ? contract.value.head.plan : []));
      tellMarks({ ...step, board, renamed }, new Set(plans.filter((one) => one !== undefined)));
    },
    moved: (id) => {
      if (has_plans) followStory(step, id);
    },
    after: (board) => {
      if (hasPlans(ws)) followPlans({ ...step, board, renamed });
    },
  };
}

/** A disk that does not even say this says so where it is asked for tasks. */
function hasPlans({ disk, layout }: Workspace): boolean {
  try {
    return disk.stat(plansFolder(layout)) !== undefined;
  } catch {
    return false;
  }
}
