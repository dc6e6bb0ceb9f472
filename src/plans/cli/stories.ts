/** states --stories: the lifecycle of a story. */
import { STORY_LIFECYCLE } from '../core/story.ts';
import { bare } from '../../cli/terminal/verb-context.ts';
import { planData } from './plan-argument.ts';

export const runs = {
  states: bare(({ out }) => {
    const rows = STORY_LIFECYCLE.map(
      ({ from, to, by, when }) => `| ${from} | ${to} | ${by} | ${when} |`,
    );
    out.print(['| from | to | by | when |', '| --- | --- | --- | --- |', ...rows].join('\n'));
    for (const row of STORY_LIFECYCLE) planData(out, { v: 1, event: 'story_transition', ...row });
  }),
};
