/** help states --stories: the lifecycle of a story. */
import type { PlanData } from '../core/plan-lines.ts';
import { bare } from '../../cli/terminal/verb-context.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { packageData } from '../../workspace/open/package-data.ts';
import { planData } from './plan-argument.ts';

export interface Lifecycle {
  readonly transitions: readonly Omit<PlanData<'story_transition'>, 'v' | 'event'>[];
}
export const LIFECYCLE = 'templates/plans/stories.yaml';

export const runs = {
  states: bare(({ out }) => {
    const { transitions } = packageData<Lifecycle>({ disk: realDisk }, LIFECYCLE);
    const rows = transitions.map(
      ({ from, to, by, when }) => `| ${from} | ${to} | ${by} | ${when} |`,
    );
    out.print(['| from | to | by | when |', '| --- | --- | --- | --- |', ...rows].join('\n'));
    for (const row of transitions) planData(out, { v: 1, event: 'story_transition', ...row });
  }),
};
