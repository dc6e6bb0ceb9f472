/** The points where agents are called: verbs that call none do not load them. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { briefOfChief } from './brief-section.ts';
import { makeChildren, wantedChildren } from './make-children.ts';
import { isChild } from './child-tasks.ts';

export const calls: CallPoints = {
  brief: briefOfChief,
  evidence: wantedChildren,
  handed_over: makeChildren,
  expected_task: isChild,
};
