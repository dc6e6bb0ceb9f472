/** Whether a story is ready for work; an error only where its squad is story-driven. */
import type { Contract } from '../../../task/core/model/contract.ts';
import { isStory, storyLacks } from '../../core/story.ts';
import type { Report } from '../../../task/core/model/problem.ts';
import { completed } from '../../../workspace/tasks/complete-contract.ts';
import { squadsOf } from '../../../squads/engine/registry.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export function checkStory(ws: Workspace, contract: Contract, report: Report): void {
  if (!isStory(contract)) return;
  const { agent, category, squad: name } = contract.head;
  const squad = name === undefined ? undefined : squadsOf(ws).get(name);
  const executor = agent ?? category ?? squad?.default_executor;
  const lacks = storyLacks(completed(ws, contract), executor !== undefined);
  if (lacks.length === 0) return;
  report(
    'bad_value',
    `a story is not ready without ${lacks.join(', ')}`,
    'Write it into the contract',
    {
      severity: squad?.story_driven === true ? 'error' : 'warning',
      found: 'type: story',
      keys: ['type'],
    },
  );
}
