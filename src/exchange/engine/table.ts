/** Which foreign id has which id here, and what it was then: JSON beside the plan, or in `.contracts/imported/`. */
import { dirname, join } from 'node:path';
import { fields, isFields, parsedJson } from '../../task/core/base/json.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { put } from '../../task/store/disk/put.ts';
import { plansFolder, SETTINGS, shown } from '../../task/store/tasks/layout.ts';
import { makeDurable } from '../../task/store/tasks/tasks.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { ForeignTask } from '../core/foreign.ts';
import { textOf } from './sources.ts';

export interface Row {
  readonly id: string;
  /** Values of fields at the import, or their digests. */
  readonly seen: Readonly<Record<string, string>>;
  /** The text of an item as written here; the digest of a contract. */
  readonly here: string;
}

export interface Table {
  readonly v: 1;
  readonly tool: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly list: string;
  /** false: not everything in it was made yet. */
  readonly complete: boolean;
  /** By foreign id. */
  readonly tasks: ReadonlyMap<string, Row>;
}

export type TableKey = Pick<Table, 'tool' | 'path' | 'list'>;

export function tablePath({ layout }: Workspace, to: 'plan' | 'contracts', name: string): string {
  if (to === 'plan') return join(plansFolder(layout), name, 'imported.json');
  return join(layout.root, SETTINGS, 'imported', `${name}.json`);
}

/** undefined: there is none there, or one of another list. */
export function readTable(ws: Workspace, path: string, { tool, path: from, list }: TableKey) {
  const text = ws.disk.stat(path) === undefined ? undefined : textOf({ ws }, path);
  const read = fields(parsedJson(text?.ok === true ? text.value : '{}') ?? unread(ws, path));
  if (read['tool'] !== tool || read['path'] !== from || read['list'] !== list) return undefined;
  const rows = Object.entries(fields(read['tasks'])).filter(([, row]) => isRow(row));
  return { complete: read['complete'] === true, tasks: new Map(rows as [string, Row][]) };
}

/** Else all would be made again. */
function unread({ layout }: Workspace, path: string): never {
  const fix = 'Mend it, or remove it if everything is to be imported again';
  throw new Fault('tree', `${shown(layout, path)} is no JSON any more`, { fix });
}

function isRow(row: unknown): boolean {
  const { id, seen, here } = fields(row);
  return typeof id === 'string' && isFields(seen) && typeof here === 'string';
}

export function writeTable(ws: Workspace, path: string, table: Table): void {
  makeDurable(ws.disk, ws.layout, dirname(path));
  const json = { ...table, tasks: Object.fromEntries(table.tasks) };
  put(ws.putting, path, bytesOf(`${JSON.stringify(json, undefined, 1)}\n`));
}

export function digest(text: string): string {
  return sha256(text).slice(0, 16);
}

export function seenOf(task: ForeignTask): Row['seen'] {
  const { title, status, criteria, depends, priority, people, tags, original } = task;
  const told = (value: unknown): string => digest(JSON.stringify(value));
  const whole = { title: title.slice(0, 200), status: status || 'open', text: digest(original) };
  return {
    ...whole,
    criteria: told(criteria),
    dependencies: told(depends),
    fields: told([priority, people, tags]),
  };
}

/** In words: `status To Do → Done`. */
export function changesIn(before: Row['seen'], task: ForeignTask): readonly string[] {
  const now = seenOf(task);
  const keys = Object.keys(now).filter((key) => before[key] !== now[key]);
  const named = keys.length > 1 ? keys.filter((key) => key !== 'text') : keys;
  return named.map((key) =>
    key === 'title' || key === 'status' ? `${key} ${before[key]} → ${now[key]}` : key,
  );
}
