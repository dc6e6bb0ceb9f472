/** `.contracts/direction.md`: goals, constraints and priorities, the person's file. */
import { join } from 'node:path';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const CHARS_MAX = 4000;
export const DIRECTION = `${SETTINGS}/direction.md`;

/** As a brief shows it; empty where there is none. */
export function direction(ws: Workspace): string {
  const text = textIfThere(ws.disk, join(ws.layout.root, DIRECTION))?.trim() ?? '';
  return text.length <= CHARS_MAX
    ? text
    : `${text.slice(0, CHARS_MAX).trimEnd()} …\n\n(There is more in \`${DIRECTION}\`.)`;
}
