/**
 * The journal of what the runner's own processes wrote below a workspace, so that no agent is blamed for it
 * (docs/security.md#what-the-runner-wrote). It lies in the person's state folder, where no sandbox looks: a line before
 * each write, with digests of what it replaces and of what it writes. It decides nothing about trust or programs.
 */
import { addTo } from '../../task/core/base/groups.ts';
import { basename, join, relative } from 'node:path';
import { appendLines, linesFrom, logBytes, logsIn } from '../../process/line-log.ts';
import { kindOf, namesIn, orNothing } from '../../process/path-kind.ts';
import { parsedJson } from '../../task/core/base/json.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { isTerminal, STATES } from '../../task/core/model/state.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import { SETTINGS, type Layout } from '../../task/store/tasks/layout.ts';
import type { Environment } from '../../process/adapter.ts';
import { workspaceState } from './state-home.ts';

/** Instead of a digest: there was, or is, no file. */
export const NOTHING = '-';
/** Folders of the runner, which no comparison looks at; relative. */
export const UNSEEN = ['archive', 'cache', 'worktrees'].map((name) => `${SETTINGS}/${name}`);
const LIVE: ReadonlySet<string> = new Set(
  STATES.filter((state) => state !== 'draft' && !isTerminal(state)),
);
/** Files of a task that say what is to be done, and where a person answers. */
const OF_TASK = ['contract.md', 'questions.md', 'review.md', 'blocked.md'];
const FILE_BYTES_MAX = 1024 * 1024;

/** Log to its bytes: what was written before a moment. */
export type Position = Readonly<Record<string, number>>;

type Change = readonly [path: string, was: string, is: string];
type Line = readonly [...Change, by: string];

/** The page that every move brings up to date. */
const LEDGER = 'LEDGER.md';

/** Commands that write because agents end. */
const RUNNERS: ReadonlySet<string> = new Set(['', 'run', 'step', 'watch', 'do', 'collect']);

/** The command of this process, as a person typed it; empty in a program that uses the package. */
function verbOf([, program = '', ...words]: readonly string[]): string {
  const isOurs = /(?:^|\/)contracts(?:\.\w+)?$/.test(program);
  return (isOurs && words.find((word) => /^[a-z][a-z-]*$/.test(word))) || '';
}

interface Writing {
  readonly disk: Disk;
  readonly env: Environment;
  readonly machine: { now(): Date };
}

/** Disk that writes the journal before it writes what a comparison would see. Never fails by it. */
export function journaled({ disk, env, machine }: Writing, layout: Layout): Disk {
  const verb = verbOf(process.argv);
  let folder: string | undefined;
  const append = (lines: readonly Line[]): void => {
    if (lines.length === 0) return;
    const texts = lines.map((line) => JSON.stringify(line));
    folder ??= workspaceState(env, layout.root);
    const to = folder;
    orNothing(() => appendLines(to, machine.now(), texts));
  };
  return {
    ...disk,
    create: (path, bytes, options) => {
      const key = keyOf(layout, path);
      if (key !== undefined) append([[key, NOTHING, sha256(bytes), verb]]);
      disk.create(path, bytes, options);
    },
    rename: (from, to) => {
      append(renamed(layout, from, to).map((line) => [...line, verb]));
      disk.rename(from, to);
    },
    remove: (path) => {
      const key = keyOf(layout, path);
      if (key !== undefined) append([[key, digestOf(path), NOTHING, verb]]);
      disk.remove(path);
    },
  };
}

/** Path of a file that a comparison looks at, or the contract of a task by its id; undefined for any other. */
function keyOf(layout: Layout, path: string): string | undefined {
  const at = relative(layout.root, path);
  if (at === '' || at.startsWith('..')) return undefined;
  if (isWithin(layout.tasks, path)) {
    const [state = '', id = '', ...names] = relative(layout.tasks, path).split('/');
    const name = names.join('/');
    const isSeen = OF_TASK.includes(name) || names[0] === 'notes';
    return isSeen && STATES.some((one) => one === state) ? taskKey(id, name) : undefined;
  }
  if (/(?:^|\/)(?:\.git|node_modules)(?:\/|$)/.test(at)) return undefined;
  return UNSEEN.some((one) => at === one || at.startsWith(`${one}/`)) ? undefined : at;
}

const taskKey = (id: string, name: string): string => `task:${id}/${name}`;

function renamed(layout: Layout, from: string, to: string): readonly Change[] {
  const [, id, ...deeper] = relative(layout.tasks, to).split('/');
  if (isWithin(layout.tasks, to) && id !== undefined && deeper.length === 0) {
    const [state = ''] = relative(layout.tasks, from).split('/');
    // One that is at work, or waits, was there before. Any other is made now, begins, or begins again.
    if (isWithin(layout.tasks, from) && LIVE.has(state)) return [];
    return OF_TASK.flatMap((name): readonly Change[] => {
      const is = digestOf(join(from, name));
      return is === NOTHING ? [] : [[taskKey(id, name), is, is]];
    });
  }
  if (keyOf(layout, from) === undefined && keyOf(layout, to) === undefined) return [];
  if (kindOf(from) === 'folder')
    return namesIn(from).flatMap((name) => renamed(layout, join(from, name), join(to, name)));
  const is = digestOf(from);
  const line = (path: string, before: string, after: string): readonly Change[] => {
    const key = keyOf(layout, path);
    return key === undefined ? [] : [[key, before, after]];
  };
  return [...line(from, is, NOTHING), ...line(to, digestOf(to), is)];
}

/** Digest of a regular file of at most 1 MiB; NOTHING for anything else. */
function digestOf(path: string): string {
  return orNothing(() => sha256(realDisk.read(path, FILE_BYTES_MAX))) ?? NOTHING;
}

interface Here {
  readonly env: Environment;
  readonly layout: Layout;
}

export function journalNow({ env, layout }: Here): Position {
  const folder = workspaceState(env, layout.root);
  return Object.fromEntries(logsIn(folder).map((name) => [name, logBytes(join(folder, name))]));
}

export interface Written {
  /** Tells whether writes of runners lead from one digest to another; `was` undefined: from wherever they began. */
  leads(path: string, was: string | undefined, now: string): boolean;
  /** Tells it of a file of a task; `was` left out: of one that a runner made or began again, from its first line on. */
  leadsTask(id: string, name: string, now: string, was?: string): boolean;
  /** Lines, one for each command that a person typed and that wrote one of these files, or files of tasks by their ids. */
  typed(files: readonly string[], ids: readonly string[]): readonly string[];
}

/** Reads what was written since then; all that is kept where no position is known. */
export function writtenSince(here: Here, since: Position = {}): Written {
  let until = journalNow(here);
  let lines = linesSince(here, since);
  const isLed = (path: string, was: string | undefined, now: string): boolean => {
    const all = lines.get(path) ?? [];
    const reached = new Set(was === undefined ? all.slice(0, 1).map((one) => one[1]) : [was]);
    for (const [, before, after] of all) {
      // A task that begins does so with what a person wrote into its draft.
      const isBegun = was === undefined && before === after;
      if (isBegun || reached.has(before)) reached.add(after);
    }
    // A runner that was killed leaves the beginning of one beside it; one that has its place is gone.
    const isTorn = basename(path).startsWith(TEMPORARY) && all.at(-1)?.[2] !== NOTHING;
    return all.length > 0 && (isTorn || reached.has(now));
  };
  const leads: Written['leads'] = (path, was, now) => {
    if (isLed(path, was, now)) return true;
    // Another process may have written it since the lines were read.
    if (!lines.has(path) && !/^\.|^[^/]+$/.test(path)) return false;
    const grown = journalNow(here);
    if (Object.entries(grown).every(([name, bytes]) => bytes === until[name])) return false;
    until = grown;
    lines = linesSince(here, since);
    return isLed(path, was, now);
  };
  return {
    leads,
    leadsTask: (id, name, now, was) => leads(taskKey(id, name), was, now),
    typed: (files, ids) => {
      const keys = [
        ...files.map((path) => [path, path] as const),
        ...ids.map((id) => [taskKey(id, 'contract.md'), `the task ${id}`] as const),
      ];
      const all = keys.flatMap(([key, what]) =>
        (lines.get(key) ?? [])
          .filter(([path, , , by]) => !RUNNERS.has(by) && path !== LEDGER)
          .map(([, , , by]) => `\`contracts ${by}\` wrote ${what}`),
      );
      return [...new Set(all)];
    },
  };
}

function linesSince({ env, layout }: Here, since: Position): Map<string, Line[]> {
  const folder = workspaceState(env, layout.root);
  const lines = new Map<string, Line[]>();
  for (const name of logsIn(folder)) {
    for (const text of linesFrom(join(folder, name), since[name] ?? 0)) {
      const line = lineIn(text);
      if (line !== undefined) addTo(lines, line[0], line);
    }
  }
  return lines;
}

function lineIn(text: string): Line | undefined {
  const read = parsedJson(text);
  const isLine = Array.isArray(read) && read.length === 4;
  return isLine && read.every((one) => typeof one === 'string')
    ? (read as unknown as Line)
    : undefined;
}
