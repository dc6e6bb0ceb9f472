/**
 * Work of capabilities after a verb that changed a task. A file of its own, with all that capabilities do where agents are
 * called: the files of frequent verbs leave that out.
 */
import { CAPABILITIES } from '../../capabilities.ts';
import type { Capability, Shapes } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function afterVerb(ws: Workspace): void {
  const whole = { ...ws, capabilities: CAPABILITIES };
  for (const one of CAPABILITIES as readonly Capability<Shapes>[]) one.changed?.(whole);
}
