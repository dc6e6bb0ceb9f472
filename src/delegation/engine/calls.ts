/** What delegation does where an agent is called; calls of the command that call none leave it out. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { briefOfChief } from './brief-section.ts';
import { isChild } from './expected-task.ts';
import { makeChildren, wantedChildren } from './make-children.ts';

export const calls: CallPoints = {
  brief: briefOfChief,
  evidence: wantedChildren,
  handed_over: makeChildren,
  expected_task: isChild,
};
