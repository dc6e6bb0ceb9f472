/** Reads a folder of Markdown files that people may edit: what is wrong with one keeps no other away. */
import { basename, join } from 'node:path';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { readProse } from '../../workspace/open/prose-file.ts';
import { unlessClosed } from '../../workspace/open/text-file.ts';
import { linkOn, type Workspace } from '../../workspace/open/workspace.ts';
import type { OnDisk } from '../core/learning.ts';

/** Others could not stand in a line of a brief, or in the list of files of a contract. */
const NAME = /^[\p{L}\p{N}](?:(?!`)[\p{L}\p{N}\p{M}\p{P}\p{S} ])*\.md$/u;

/** Empty where there is no such folder. */
export function readFolder<T>(
  ws: Workspace,
  folder: string,
  parse: (text: string, file: string) => Result<T>,
  problems: Problem[],
): readonly (T & OnDisk)[] {
  const taken = <U>(read: Result<U>): readonly U[] => {
    problems.push(...(read.ok ? read.warnings : read.problems));
    return read.ok ? [read.value] : [];
  };
  const top = shown(ws.layout, folder);
  return taken(namesIn(ws, top))
    .flat()
    .flatMap(({ name, kind }) => {
      if (kind === 'folder' || !name.endsWith('.md') || name.startsWith('.')) return [];
      const file = shown(ws.layout, join(folder, name));
      const message = 'a file with such a name is not read';
      const fix = 'Rename it: it begins with a letter or a digit, and has no backquote in it';
      const odd = problem({ code: 'bad_value', severity: 'warning', file, message, fix });
      const text = NAME.test(name)
        ? unlessClosed(file, () => readProse(ws.disk, join(folder, name), file))
        : ({ ok: false, problems: [odd] } as const);
      const read = text.ok ? parse(text.value, file) : text;
      return taken(read).map((one) => ({ ...one, id: basename(name, '.md'), file }));
    });
}

/** `folder`: relative. */
export function namesIn({ disk, layout }: Workspace, folder: string) {
  return unlessClosed(folder, () => {
    const link = linkOn(disk, layout.root, folder);
    return link === undefined
      ? ok(listOrNothing(disk, join(layout.root, folder)))
      : refused([link]);
  });
}
