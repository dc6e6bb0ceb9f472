/** `.contracts/direction.md`: goals, constraints and priorities, the person's file. */
import { join } from 'node:path';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { itemsOf, sectionsNamed } from '../../task/text/markdown/sections.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { readText, textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Section } from '../../workspace/tasks/capability.ts';

const CHARS_MAX = 4000;
export const DIRECTION = `${SETTINGS}/direction.md`;

/** The items under `## Goals`. */
export function goals(ws: Workspace): readonly string[] {
  const lines = scanMarkdown(textIfThere(ws.disk, join(ws.layout.root, DIRECTION)) ?? '');
  return itemsOf(sectionsNamed(lines, 'Goals')[0]?.lines ?? [], true).map(({ text }) => text);
}

/** A brief without it would miss what the person wants. */
export function directionProblems(ws: Workspace): readonly Problem[] {
  const path = join(ws.layout.root, DIRECTION);
  const read = ws.disk.stat(path) && readText(ws.disk, path, DIRECTION);
  return read?.ok === false ? read.problems : [];
}

/** For a brief or a session; without text where there is none. */
export function direction(ws: Workspace): Section {
  const title = 'Direction of the person';
  const text = textIfThere(ws.disk, join(ws.layout.root, DIRECTION))?.trim() ?? '';
  if (text.length <= CHARS_MAX) return { title, text };
  const more = `(There is more in \`${DIRECTION}\`.)`;
  return { title, text: `${text.slice(0, CHARS_MAX).trimEnd()} …\n\n${more}` };
}
