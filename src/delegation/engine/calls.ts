/** The points where agents are called: verbs that call none do not load them. */
import { parentOf } from '../../engine/cache/known-task.ts';
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { briefOfChief } from './brief-section.ts';
import { epicsOf } from './epics.ts';
import { makeChildren, wantedChildren } from './make-children.ts';
import { isChild } from './child-tasks.ts';

export const calls: CallPoints = {
  brief: briefOfChief,
  evidence: wantedChildren,
  handed_over: makeChildren,
  expected_task: isChild,
  ledger: (ws, tasks) => {
    const parents = new Set([...tasks.values()].flatMap((task) => parentOf(task) ?? []));
    return { epics: epicsOf(ws, tasks, parents) };
  },
};
