/**
 * One id in two states, usually after a merge of two branches that both moved it: how far each side is,
 * which commit brought it, what differs, and the command that keeps it. Writes nothing.
 */
import { join } from 'node:path';
import { gitIn, type Git } from '../../git/query-git.ts';
import type { LineData } from '../core/events/command-lines.ts';
import type { State } from '../../task/core/model/state.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { gitUntrusted } from '../../trust/trust.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { standingTwice } from '../queries/count-by-state.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

export type Double = Omit<LineData<'double'>, 'task'> & { readonly id: string };
export type Side = Double['sides'][number];
export type Commit = NonNullable<Side['commit']>;

export function explainDoubles(ws: Workspace): readonly Double[] {
  const mayRun = gitUntrusted(ws) === undefined;
  const git: Git = mayRun ? gitIn(ws.layout.root, ws) : () => undefined;
  return standingTwice(ws).map(([id, states]) => explain(ws, git, id, states));
}

function explain(ws: Workspace, git: Git, id: string, states: readonly State[]): Double {
  const found = states.map((state) => {
    const path = taskFolder(ws.layout, state, id);
    const folder = shown(ws.layout, path);
    const last = readTask(ws, state, id)?.attempts.at(-1);
    return {
      state,
      folder,
      reached: last
        ? `attempt ${last.number}, ${last.outcome?.outcome ?? 'open'}`
        : 'never claimed',
      commit: lastCommit(git, folder),
      attempt: last?.number ?? 0,
      written: ws.disk.stat(join(path, 'contract.md'))?.mtime_ms ?? 0,
    };
  });
  const newest = [...found].sort((a, b) => age(b) - age(a) || b.attempt - a.attempt)[0];
  const sides = found.map(({ state, folder, reached, commit }) => ({
    state,
    folder,
    reached,
    commit,
    newest: state === newest?.state,
    command: found
      .filter((other) => other.state !== state)
      .map((other) => takeAway(other.folder, `${id}.${other.state}`, other.commit !== undefined))
      .join(' && '),
  }));
  return { id, sides, differs: differences(ws, id, states) };
}

function age(side: { readonly commit: Commit | undefined; readonly written: number }): number {
  return side.commit === undefined ? side.written : Date.parse(side.commit.at);
}

/** The command that removes a side that git has, and puts another aside. */
const takeAway = (folder: string, aside: string, known: boolean): string =>
  known ? `rm -r ${shellWord(folder)}` : `mv ${shellWord(folder)} ${aside}`;

function lastCommit(git: Git, folder: string): Commit | undefined {
  const line = textOf(git(['log', '-1', '--format=%h%x00%cI%x00%s', '--', folder]));
  const [hash = '', at = '', subject = ''] = line.split('\0');
  return hash === '' ? undefined : { hash, at, subject, branch: branchOf(git, hash) };
}

function branchOf(git: Git, hash: string): string {
  const here = textOf(git(['symbolic-ref', '--quiet', '--short', 'HEAD']));
  const all = textOf(git(['branch', '--all', '--contains', hash, '--format=%(refname:short)']));
  const others = all.split('\n').filter((name) => name !== '' && name !== here);
  return others.length > 0 ? others.slice(0, 3).join(', ') : here;
}

function textOf(out: Buffer | undefined): string {
  return out?.toString('utf8').trim() ?? '';
}

function differences(ws: Workspace, id: string, states: readonly State[]): string[] {
  const sides = states.map((state) => filesOf(ws, taskFolder(ws.layout, state, id)));
  const names = [...new Set(sides.flatMap((files) => [...files.keys()]))].sort();
  return names.flatMap((name) => {
    const having = states.filter((_state, i) => sides[i]?.has(name) === true);
    if (having.length < states.length) return [`${name} only in ${having.join(' and ')}`];
    return new Set(sides.map((files) => files.get(name))).size > 1 ? [`${name} differs`] : [];
  });
}

/** Paths below the task to hashes, without desks and logs. */
function filesOf(ws: Workspace, folder: string, below = ''): Map<string, string> {
  const files = new Map<string, string>();
  for (const { name, kind } of listOrNothing(ws.disk, join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (kind === 'folder' && name !== 'desk') {
      for (const [inner, hash] of filesOf(ws, folder, path)) files.set(inner, hash);
    } else if (kind === 'file' && name.endsWith('.md')) {
      files.set(path, hashOf(ws, join(folder, path)));
    }
  }
  return files;
}

function hashOf(ws: Workspace, path: string): string {
  const bytes = readBytes(ws.disk, path, path, { single_link: false });
  return bytes.ok ? sha256(bytes.value) : 'unreadable';
}
