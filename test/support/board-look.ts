/** A board as it lies on the disk, read without the code under test: places, files, attempts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { STATES, type State } from '../../src/task/core/model/state.ts';

export interface AttemptSeen {
  readonly number: number;
  readonly lost: boolean;
  readonly folder: string;
  readonly owner: Readonly<Record<string, unknown>>;
  readonly outcome: Readonly<Record<string, unknown>> | undefined;
  readonly outcome_text: string | undefined;
}

export interface Look {
  /** Every file below active_tasks, its text by its path relative to that folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Every state in which a folder of that id stands. */
  readonly places: ReadonlyMap<string, readonly State[]>;
}

export function look(root: string, ids: readonly string[]): Look {
  const tasks = join(root, 'active_tasks');
  const files = new Map<string, string>();
  const read = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        files.set(`${relative(tasks, path)}/`, '');
        read(path);
      } else files.set(relative(tasks, path), readFileSync(path, 'utf8'));
    }
  };
  read(tasks);
  const places = new Map(
    ids.map((id) => [id, STATES.filter((state) => files.has(`${state}/${id}/`))]),
  );
  return { files, places };
}

export const stateOf = (seen: Look, id: string): State | undefined => seen.places.get(id)?.[0];

type Head = Readonly<Record<string, unknown>>;

/** The same records are looked at many times in a board: those of the last ones are remembered. */
const heads = new Map<string, Head>();
const HEADS_MAX = 1000;

/** Front matter of one of the runner's own records. */
export function head(text: string | undefined): Head | undefined {
  const match = text === undefined ? null : /^---\n([\s\S]*?)\n---/.exec(text);
  if (match === null) return undefined;
  const [, yaml = ''] = match;
  const known = heads.get(yaml);
  if (known !== undefined) return known;
  const parsed = Object.freeze(parse(yaml) as Record<string, unknown>);
  if (heads.size >= HEADS_MAX) heads.clear();
  heads.set(yaml, parsed);
  return parsed;
}

export function attemptsOf(seen: Look, id: string): readonly AttemptSeen[] {
  const prefix = `${stateOf(seen, id) ?? ''}/${id}/attempts/`;
  return [...seen.files.keys()]
    .flatMap((path): AttemptSeen[] => {
      if (!path.startsWith(prefix)) return [];
      const match = /^(\d{4})(\.lost)?\/$/.exec(path.slice(prefix.length));
      if (match === null) return [];
      const outcome_text = seen.files.get(`${path}outcome.md`);
      return [
        {
          number: Number(match[1]),
          lost: match[2] !== undefined,
          folder: path,
          owner: head(seen.files.get(`${path}owner.md`)) ?? {},
          outcome: head(outcome_text),
          outcome_text,
        },
      ];
    })
    .sort((a, b) => a.number - b.number || Number(b.lost) - Number(a.lost));
}

/** All texts in which a word of a task may be kept: its folder, and its desks. */
export function textsOf(seen: Look, id: string): string {
  const prefix = `${stateOf(seen, id) ?? ''}/${id}/`;
  let text = '';
  for (const [path, content] of seen.files) {
    if (path.startsWith(prefix) || path.startsWith(`.desk/${id}.`)) text += content;
  }
  return text;
}
