/**
 * What a golden case expects of the workspace afterwards: a line for each task and each of its
 * attempts, and the files that are not as before. A file of an attempt is named in its line, and
 * shown whole only where the case asks for it. Pure text.
 */
import { basename } from 'node:path';
import { STATES } from '../../src/task/core/model/state.ts';
import type { Tree } from './golden-tree.ts';

export interface Expected {
  /** A line for each task, and below it one for each attempt. */
  readonly tasks: string;
  /** By path; undefined: it was there before, and is not there now. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

const TASK = new RegExp(`^active_tasks/(${STATES.join('|')})/([^/]+)/(.+)$`);
const ATTEMPT = /^attempts\/([^/]+)\/(.+)$/;

/** `whole` says by its name, such as `outcome.md`, which file of an attempt is shown whole. */
export function expectedOf(before: Tree, after: Tree, whole: (name: string) => boolean): Expected {
  const [was, is] = [statesOf(before), statesOf(after)];
  const base = new Map([...before].map(([path, text]) => [movedPath(path, was, is), text]));
  const inLine = (path: string): boolean =>
    ATTEMPT.test(TASK.exec(path)?.[3] ?? '') && !whole(basename(path));
  const files = new Map<string, string | undefined>();
  for (const path of [...new Set([...base.keys(), ...after.keys()])].sort()) {
    const text = after.get(path);
    if (text === undefined || (!inLine(path) && text !== base.get(path))) files.set(path, text);
  }
  const ids = [...new Set([...was.keys(), ...is.keys()])].sort();
  const tasks = ids.map((id) => {
    const [from, to] = [was.get(id)?.join(', ') ?? 'new', is.get(id)?.join(', ') ?? 'removed'];
    const attempts = (is.get(id) ?? []).flatMap((state) =>
      attemptLines(after, `active_tasks/${state}/${id}/`, whole),
    );
    return [`${id}: ${from === to ? to : `${from} → ${to}`}\n`, ...attempts].join('');
  });
  return { tasks: tasks.join(''), files };
}

/** The state folders that hold a file of each task. */
function statesOf(tree: Tree): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of [...tree.keys()].sort()) {
    const [, state = '', id = ''] = TASK.exec(path) ?? [];
    if (id === '') continue;
    const states = found.get(id) ?? [];
    if (!states.includes(state)) found.set(id, [...states, state]);
  }
  return found;
}

type Places = ReturnType<typeof statesOf>;

/** A task that is in one other state now is compared with itself, and not with an empty folder. */
function movedPath(path: string, was: Places, is: Places): string {
  const [, , id = '', rest = ''] = TASK.exec(path) ?? [];
  const [from, to] = [was.get(id) ?? [], is.get(id) ?? []];
  return from.length === 1 && to.length === 1 ? `active_tasks/${to[0]}/${id}/${rest}` : path;
}

function attemptLines(
  after: Tree,
  folder: string,
  whole: (name: string) => boolean,
): readonly string[] {
  const attempts = new Map<string, string[]>();
  for (const path of [...after.keys()].sort()) {
    if (!path.startsWith(folder)) continue;
    const [, number, file = ''] = ATTEMPT.exec(path.slice(folder.length)) ?? [];
    if (number === undefined) continue;
    const named = file === 'outcome.md' || whole(basename(file)) ? [] : [file];
    attempts.set(number, [...(attempts.get(number) ?? []), ...named]);
  }
  return [...attempts].map(([number, names]) => {
    const outcome = outcomeLine(after.get(`${folder}attempts/${number}/outcome.md`));
    return `  ${number} ${outcome}${names.length === 0 ? '' : `: ${names.join(', ')}`}\n`;
  });
}

/** `work by builder, complete`, as the front matter of outcome.md has it. */
function outcomeLine(text: string | undefined): string {
  if (text === undefined) return 'no outcome';
  const value = (key: string): string | undefined =>
    new RegExp(`^${key}: (.*)$`, 'm').exec(text)?.[1];
  const agent = value('agent') === undefined ? '' : ` by ${value('agent')}`;
  return `${value('kind') ?? '?'}${agent}, ${value('outcome') ?? '?'}`;
}
