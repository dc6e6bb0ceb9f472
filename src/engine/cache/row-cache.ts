/**
 * What was found of each task that waits, kept with everything that the look at it asked: of the disk, and of
 * other tasks. While each question has the same answer, the look would find the same, and is not taken. A look
 * that asked anything else (processes, environment, clock), changed anything, or saw a file written within the last
 * two seconds is not kept. It is a cache: losing it costs time only.
 */
import { join } from 'node:path';
import { leftLease, openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { isTrouble } from '../../task/core/attempts/pause.ts';
import type { State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { put } from '../../task/store/disk/put.ts';
import { Trace, TracedDisk } from '../../task/store/disk/traced-disk.ts';
import { archiveFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { cacheFolder, makeCacheFolder, SETTLED_MS } from '../../workspace/open/cache-folder.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { packageVersion } from '../../workspace/open/package-version.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { KnownTask, knownFields, rowIn } from './known-task.ts';
import { FIELD, fieldsFrom, glanceOf, keyOf, type Glance } from './row.ts';
import { RowFile, type NewRow } from './row-file.ts';

/** Smaller trees are looked at as fast as rows are read. */
export const KEPT_TASKS_MIN = 500;
/** So many rows in one that is kept must be new before the file is written again. */
const KEPT_OF_NEW = 100;
/** Folders of settings: ours, and those of the clients. */
const SHARED = /^\/\.(?!git(?:\/|$))/;
/** Before what is inside the folder of the task. */
const OWN = '.';

/** Kinds of looks at a task; each has a file of that name. */
export type Looks = 'rows' | 'checks';

export class RowCache {
  /** A workspace that notes each question. */
  readonly ws: Workspace;
  readonly file: RowFile | undefined;
  readonly #below: Workspace;
  readonly #path: string;
  /** Other folders of agents and skills, which may be in the workspace. */
  readonly #beside: readonly string[];
  readonly #shared = new Trace();
  readonly #settled_ms: number;
  /** Traces of tasks that were read now. */
  readonly #traces = new Map<string, Trace>();
  /** Tasks that were looked at now, and what can be kept of them. */
  readonly #looked = new Map<string, NewRow | undefined>();
  readonly #answers = new Map<string, string | undefined>();
  #trace: Trace | undefined;
  /** In a question about other tasks. */
  #within = false;

  constructor(ws: Workspace, looks: Looks) {
    this.#below = ws;
    this.#path = join(cacheFolder(ws.layout), looks);
    this.#settled_ms = ws.machine.now().getTime() - SETTLED_MS;
    this.#beside = [`${ws.home}/.`, `${ws.config_home}/`, join(packageFolder(), '/')];
    this.ws = this.#noting(ws);
    this.file = RowFile.read(ws.disk, this.#path, settingsOf(ws), (file) => this.#isShared(file));
  }

  /** A task of which the disk says what it said before. */
  known(id: string, state: State): TaskRead | undefined {
    const { file } = this;
    const start = keyOf(id, state, '');
    const found = file?.find(id, start);
    if (file === undefined || found === undefined) return undefined;
    const { row, key } = found;
    const { disk, layout } = this.#below;
    const folder = taskFolder(layout, state, id);
    const paths = key.startsWith(start) ? key.slice(start.length).split('\n') : [];
    let at = 0;
    for (const path of paths) {
      const whole = path.startsWith(OWN) ? folder + path.slice(OWN.length) : layout.root + path;
      if (!file.isMarked(row, at, disk.stat(whole))) break;
      at++;
    }
    const isSame = at > 0 && at === paths.length;
    return isSame ? new KnownTask(this.ws, file, { row, id, state }) : undefined;
  }

  read(id: string, state: State, read: (ws: Workspace) => TaskRead | undefined) {
    const trace = this.#begin(id, state);
    this.#traces.set(id, trace);
    return this.#into(trace, () => read(this.ws));
  }

  /** `again` answers a question about other tasks; undefined where it cannot be known. */
  look(
    task: TaskRead,
    again: (question: string) => string | undefined,
    look: (ws: Workspace) => Glance,
  ): Glance {
    const { id, state } = task;
    const fields = knownFields(task);
    const known = fields && glanceOf(task, fields);
    if (fields && known && this.#isAnswered(fields, again)) return known;
    const trace = this.#traces.get(id) ?? this.#begin(id, state);
    if (task instanceof KnownTask) {
      this.#looked.set(id, undefined);
      // It was so a moment ago; a person moves it just now.
      if (!this.#into(trace, () => task.isReadAgain()) && known) return known;
    }
    const glance = this.#into(trace, () => look(this.ws));
    this.#looked.set(id, this.#rowOf(task, trace, glance));
    return glance;
  }

  /** `tasks`: all of the board, in its order. Whatever keeps it from being written is nobody's concern. */
  save(tasks: Iterable<TaskRead>): void {
    const rows = [...tasks]
      .map((task) => (this.#looked.has(task.id) ? this.#looked.get(task.id) : rowIn(task)))
      .filter((row) => row !== undefined);
    const fresh = rows.filter((row) => typeof row !== 'number').length;
    if (fresh === 0 || fresh * KEPT_OF_NEW < (this.file?.length ?? 0)) return;
    const shared = this.#shared;
    if (shared.spoilt || shared.latest_ms > this.#settled_ms) return;
    const ws = this.#below;
    const header = { settings: settingsOf(ws), shared: shared.paths };
    try {
      makeCacheFolder(ws);
      const bytes = RowFile.bytes(rows, this.file, header, shared);
      put(ws.putting, this.#path, bytes, { durable: false });
    } catch {
      // A tree that cannot be written is looked at each time.
    }
  }

  #noting(ws: Workspace): Workspace {
    const { disk } = new TracedDisk(ws.disk, (path) => this.#traceOf(path));
    const spoil = (): void => {
      if (this.#trace !== undefined && !this.#within) this.#trace.spoilt = true;
    };
    const beyond =
      <A extends unknown[], R>(ask: (...args: A) => R) =>
      (...args: A): R => {
        spoil();
        return ask(...args);
      };
    const { judge, ageSeconds, identify } = ws.machine;
    return {
      ...ws,
      disk,
      putting: { ...ws.putting, disk },
      machine: {
        ...ws.machine,
        judge: beyond(judge),
        ageSeconds: beyond(ageSeconds),
        identify: beyond(identify),
      },
      git: beyond(ws.git),
      timed: spoil,
      get env() {
        spoil();
        return ws.env;
      },
      about: (question, ask) => this.#about(question, ask),
    };
  }

  /** Leaves the looks of `ask` out of the trace: the question is asked again as a whole. */
  #about<T>(question: string, ask: () => T): T {
    if (this.#trace === undefined || this.#within) return ask();
    this.#within = true;
    try {
      const answer = ask();
      const { asked } = this.#trace;
      if (!asked.includes(question)) asked.push(question, textOf(answer));
      return answer;
    } finally {
      this.#within = false;
    }
  }

  #into<T>(trace: Trace, look: () => T): T {
    this.#trace = trace;
    try {
      return look();
    } finally {
      this.#trace = undefined;
    }
  }

  #begin(id: string, state: State): Trace {
    const { disk, layout } = this.#below;
    const folder = taskFolder(layout, state, id);
    const trace = new Trace(folder);
    trace.note(folder, disk.stat(folder));
    return trace;
  }

  /** Settings, agents and all that is outside are asked by the first who needs them, for all. */
  #traceOf(path: string): Trace | undefined {
    const { layout } = this.#below;
    const { root, tasks } = layout;
    const trace = this.#within ? undefined : this.#trace;
    if (path.startsWith(`${tasks}/`)) return trace;
    // Whether it was archived is asked of each task that is awaited.
    if (this.#within && path.startsWith(archiveFolder(layout, ''))) return undefined;
    const isOwn = path.startsWith(`${root}/`) && !SHARED.test(path.slice(root.length));
    return isOwn && !this.#beside.some((start) => path.startsWith(start)) ? trace : this.#shared;
  }

  #isShared(file: RowFile): boolean {
    return file.header.shared.every((path, at) => {
      const found = this.#below.disk.stat(path);
      this.#shared.note(path, found);
      return file.isMarked(file.length, at, found);
    });
  }

  #isAnswered(
    { [FIELD.asked]: asked = '' }: readonly string[],
    again: (question: string) => string | undefined,
  ): boolean {
    if (asked === '') return true;
    const lines = asked.split('\n');
    for (let at = 0; at < lines.length; at += 2) {
      const question = lines[at] ?? '';
      // What is asked about the task itself is asked by no other.
      const isOfAll = question.includes(' ');
      if (isOfAll && !this.#answers.has(question)) this.#answers.set(question, again(question));
      const now = isOfAll ? this.#answers.get(question) : again(question);
      if (now !== lines[at + 1]) return false;
    }
    return true;
  }

  #rowOf(task: TaskRead, trace: Trace, glance: Glance): NewRow | undefined {
    const { action } = glance;
    const settled = !trace.spoilt && trace.latest_ms <= this.#settled_ms;
    if (action.kind !== 'wait' || action.code === 'two_states' || !settled) return undefined;
    if (action.until !== undefined || glance.besides !== '') return undefined;
    if (openAttempt(task) !== undefined || leftLease(task) !== undefined) return undefined;
    const { root } = this.#below.layout;
    const { folder = '' } = trace;
    const paths = trace.paths.map((path) =>
      path === folder || trace.isInside(path)
        ? OWN + path.slice(folder.length)
        : path.slice(root.length),
    );
    // Such a name would be read as two.
    if ([...paths, ...trace.asked].some((one) => one.includes('\n'))) return undefined;
    const troubled = task.attempts.some(
      ({ lost, outcome }) => !lost && outcome && isTrouble(outcome),
    );
    const fields = fieldsFrom(glance, action, task, { asked: trace.asked.join('\n'), troubled });
    const key = keyOf(task.id, task.state, paths.join('\n'));
    return fields === undefined ? undefined : [key, fields, trace];
  }
}

/** The answer as it is compared. */
export function textOf(answer: unknown): string {
  return JSON.stringify(answer) ?? '';
}

/** All that opening the workspace has found; another version may make something else of it. */
function settingsOf({ layout, config, person, home, config_home, problems, env }: Workspace) {
  const user = [process.getuid?.(), env['SUDO_UID'], person, home, config_home];
  return JSON.stringify([packageVersion(), layout, config, problems, user]);
}
