/** `.contracts/direction.md`: goals, constraints and priorities, the person's file. */
import { join } from 'node:path';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { itemsOf, sectionsNamed } from '../../task/text/markdown/sections.ts';
import { ok, type Problem, type Result } from '../../task/core/model/problem.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { readProse } from '../../workspace/open/prose-file.ts';
import { unlessClosed } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Section } from '../../workspace/tasks/capability.ts';

const CHARS_MAX = 4000;
export const DIRECTION = `${SETTINGS}/direction.md`;

/** Empty where there is none. */
function read({ disk, layout }: Workspace): Result<string> {
  const path = join(layout.root, DIRECTION);
  return unlessClosed(DIRECTION, () =>
    disk.stat(path) === undefined ? ok('') : readProse(disk, path, DIRECTION),
  );
}

function textOf(ws: Workspace): string {
  const text = read(ws);
  return text.ok ? text.value.trim() : '';
}

/** The items under `## Goals`. */
export function goals(ws: Workspace): readonly string[] {
  const lines = scanMarkdown(textOf(ws));
  return itemsOf(sectionsNamed(lines, 'Goals')[0]?.lines ?? [], true).map(({ text }) => text);
}

/** A brief without it would miss what the person wants. */
export function directionProblems(ws: Workspace): readonly Problem[] {
  const text = read(ws);
  return text.ok ? [] : text.problems;
}

/** For a brief or a session; without text where there is none. */
export function direction(ws: Workspace): Section {
  const title = 'Direction of the person';
  const text = textOf(ws);
  if (text.length <= CHARS_MAX) return { title, text };
  const more = `(There is more in \`${DIRECTION}\`.)`;
  return { title, text: `${text.slice(0, CHARS_MAX).trimEnd()} …\n\n${more}` };
}
