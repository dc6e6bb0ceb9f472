/** The workspace of a folder, as the command opens it: with all capabilities, and the real ports. */
import { CAPABILITIES } from '../../src/capabilities.ts';
import { openWorkspace, type Ports, type Workspace } from '../../src/workspace/open/workspace.ts';

export function openedAt(dir: string, ports: Partial<Ports> = {}): Workspace {
  const opened = openWorkspace({ capabilities: CAPABILITIES, dir, ports });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  return opened.value;
}
