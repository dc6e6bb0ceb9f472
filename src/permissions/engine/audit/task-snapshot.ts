/** Other tasks and the task's own records: only what no runner writes while an agent works. */
import type { State } from '../../../task/core/model/state.ts';
import {
  attemptsFolder,
  desksFolder,
  shown,
  taskFolder,
} from '../../../task/store/tasks/layout.ts';
import {
  bytesAt,
  entriesOf,
  markAt,
  type Marks,
} from '../../../task/store/snapshots/folder-snapshot.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { namesInState } from '../../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export const TASKS_MAX = 2_000;
const OWN_ATTEMPTS_MAX = 500;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** The file in which a person answers. */
export const WAITED: Readonly<Partial<Record<State, string>>> = {
  review: 'review.md',
  questions: 'questions.md',
  blocked: 'blocked.md',
};
const LOOKED: readonly State[] = [
  'review',
  'questions',
  'blocked',
  'in_progress',
  'ready',
  'draft',
];
const RECORDS = ['owner.md', 'outcome.md', 'receipts.md'] as const;

export interface TasksSight {
  /** Id to state. */
  readonly places: ReadonlyMap<string, string>;
  /** `<id>/<file>` to mark; where a person answers, with the state and the attempts in front. */
  readonly files: Marks;
  /** Records of earlier attempts of the task itself. */
  readonly own: Marks;
}

export interface Whose {
  readonly id: string;
  /** The task's folder, in whatever state. */
  readonly folder: string;
  /** Attempts of the agent, and of the runner that compares: they differ after a recovery. */
  readonly number: number;
  readonly until: number;
}

/** `again`: another runner may move a task on, from a folder that is looked at later to one that was. */
export function tasksSight(ws: Workspace, whose: Whose, again = false): TasksSight {
  const places = new Map<string, string>();
  const files: Marks = new Map();
  for (const state of again ? [...LOOKED, ...LOOKED] : LOOKED) {
    if (places.size >= TASKS_MAX) break;
    for (const id of namesInState(ws.disk, ws.layout, state, TASKS_MAX)) {
      if (id === whose.id || places.has(id) || places.size >= TASKS_MAX) continue;
      places.set(id, state);
      look(ws, state, id, files);
    }
  }
  desks(ws, whose.id, files);
  return { places, files, own: ownRecords(ws, whose) };
}

function look(ws: Workspace, state: State, id: string, files: Marks): void {
  const folder = taskFolder(ws.layout, state, id);
  put(ws, files, `${id}/contract.md`, `${folder}/contract.md`);
  const waited = WAITED[state];
  if (waited === undefined) return;
  const attempts = entriesOf(ws.disk, attemptsFolder(folder)).map(({ name }) => name);
  const path = `${folder}/${waited}`;
  put(ws, files, `${id}/${waited}`, path, `${state} ${attempts.join(' ')} `);
  const [mark, bytes] = [files.get(`${id}/${waited}`), bytesAt(ws.disk, path, ANSWER_BYTES_MAX)];
  if (mark !== undefined && bytes !== undefined)
    files.set(`${id}/${waited}`, `${mark} ${sha256(bytes)}`);
  for (const name of attempts.slice(-2)) records(ws, files, `${id}/`, folder, name);
}

/** Desks of other agents; what they write is theirs. */
function desks(ws: Workspace, id: string, files: Marks): void {
  for (const { name } of entriesOf(ws.disk, desksFolder(ws.layout)).slice(0, TASKS_MAX)) {
    if (name.startsWith(`${id}.`)) continue;
    for (const file of ['contract.md', 'brief.md']) {
      const path = `${desksFolder(ws.layout)}/${name}/${file}`;
      put(ws, files, shown(ws.layout, path), path);
    }
  }
}

function put(ws: Workspace, files: Marks, name: string, path: string, prefix = ''): void {
  const mark = markAt(ws.disk, path);
  if (mark !== undefined) files.set(name, prefix + mark);
}

function records(ws: Workspace, marks: Marks, of: string, folder: string, name: string): void {
  for (const record of RECORDS) {
    const path = `attempts/${name}/${record}`;
    put(ws, marks, `${of}${path}`, `${folder}/${path}`);
  }
}

/** Records of all attempts but those that runners write to now. */
function ownRecords(ws: Workspace, { folder, number, until }: Whose): Marks {
  const marks: Marks = new Map();
  const names = entriesOf(ws.disk, attemptsFolder(folder)).map(({ name }) => name);
  for (const name of names.slice(-OWN_ATTEMPTS_MAX)) {
    const n = Number.parseInt(name, 10);
    if (!/^\d/.test(name) || (n >= number && n <= until)) continue;
    records(ws, marks, '', folder, name);
  }
  return marks;
}
