/**
 * `commit: done`: one commit for each task that comes to done in the shared tree, of files that its agents
 * changed and may write. A mark put before the move lets a later step make it after a crash.
 */
import { join, posix } from 'node:path';
import { executorOf } from '../../agents/engine/roles.ts';
import { permissionsFor } from '../../permissions/engine/enforce/effective-permissions.ts';
import { treeGit } from '../../permissions/engine/audit/shared-tree.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { refuseChange } from '../../task/core/model/permissions.ts';
import { problem } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { makeFolder } from '../../task/store/disk/disk.ts';
import { put } from '../../task/store/disk/put.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { cacheFolder, makeCacheFolder } from '../../workspace/open/cache-folder.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { checkoutOf, underWay } from '../../worktrees/engine/checkout.ts';
import { parts } from '../../worktrees/engine/git.ts';
import { trailersOf } from '../../worktrees/engine/trailers.ts';
import { pathIn, removeIfThere, withIndex } from '../../worktrees/engine/write-tree.ts';

/** A file for each task whose commit is due: what HEAD was before the task came to done. */
const marks = (ws: Workspace): string => join(cacheFolder(ws.layout), 'commits');

export const calls: CallPoints = {
  on_done: ({ ws, id }) => {
    const head = ws.config.commit === 'done' ? treeGit(ws)?.git.commitOf('HEAD') : undefined;
    if (head === undefined) return;
    makeCacheFolder(ws);
    makeFolder(ws.disk, marks(ws));
    put(ws.putting, join(marks(ws), id), bytesOf(head));
  },
  follow: ({ ws, emit }) => ({
    before: () => undefined,
    after: () => {
      const due = ws.config.commit === 'done' ? listOrNothing(ws.disk, marks(ws)) : [];
      for (const { name: id } of due) {
        const mark = join(marks(ws), id);
        const task = readTask(ws, 'done', id);
        // Without one its move is still to come.
        const event = task && commitTask(ws, task, textIfThere(ws.disk, mark) ?? '');
        if (event !== undefined) emit(event);
        if (task !== undefined) removeIfThere(ws, mark);
      }
    },
  }),
};

/** Mode, object and stage by path from the top of the repository. */
type Entries = ReadonlyMap<string, string>;

const entriesOf = (lines: readonly string[]): Entries =>
  new Map(lines.map((line) => [pathIn(line), line.slice(0, line.indexOf('\t'))]));

/** Throws a Fault where a later step can do it. */
function commitTask(ws: Workspace, task: TaskRead, marked: string): Event | undefined {
  const { id, attempts, contract } = task;
  const { git, repo, branch } = checkoutOf(ws);
  const folder = taskFolder(ws.layout, 'done', id);
  const refused = (why: string): Event => {
    const message = `${id} is not committed: ${why}`;
    const fix = `Look, and commit it yourself: contracts show ${id}`;
    const facts = { code: 'environment', severity: 'warning', message, fix } as const;
    return { event: 'problem', problem: problem({ ...facts, file: shown(ws.layout, folder) }) };
  };
  const begun = underWay(ws, repo);
  if (begun !== undefined) return refused(`${begun} is in progress`);
  const made = ['-1', '--no-merges', `--grep=^Contract: ${id}$`, 'HEAD', `^${marked}`];
  if (git.run(['rev-list', ...made]).out !== '' || !contract.ok) return undefined;
  const from = git.out(['rev-parse', 'HEAD']);
  const format = '--format=%(objectmode) %(objectname) 0%x09%(path)';
  const head = entriesOf(git.list(['ls-tree', '-r', '-z', '--full-tree', format, from]));
  const theirs = entriesOf(git.list(['ls-files', '--stage', '-z']));
  const changes = changesOf(ws, task, repo.prefix, head);
  if (changes.length === 0) return undefined;
  return withIndex(ws, repo.git_dir, (index) => {
    git.out(['read-tree', from], { index });
    const input = changes.map(({ path }) => `${path}\0`).join('');
    git.out(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { index, input });
    const now = entriesOf(git.list(['ls-files', '--stage', '-z'], { index }));
    const mixed = changes.find(({ path, before, after, own }) => {
      const staged = theirs.get(path) ?? '';
      return !own || (now.get(path) ?? '') !== after || (staged !== before && staged !== after);
    });
    if (mixed !== undefined)
      return refused(`${mixed.path} also has changes of yours, or of another task`);
    const title = contract.value.title.replace(/\s+/g, ' ');
    const text = `${title}\n\n${trailersOf(ws, id, folder, attempts)}`;
    const tree = git.out(['write-tree'], { index });
    const commit = git.out(['commit-tree', tree, '-p', from, '-F', '-'], { input: text });
    // The index first: after a crash between the two, these files are only staged.
    const gone = `0 ${'0'.repeat(from.length)} 0`;
    const lines = changes.map(({ path, after }) => `${after || gone}\t${path}\0`).join('');
    git.out(['update-index', '--replace', '-z', '--index-info'], { input: lines });
    git.out(['update-ref', '-m', `contracts: ${id}`, 'HEAD', commit, from]);
    const reason = `committed as ${commit.slice(0, 10)} on ${branch}`;
    return { event: 'wrote', task: id, file: shown(ws.layout, folder), reason };
  });
}

/** Files that differ from HEAD; `own`: since HEAD only this task changed them, and none ran beside it. */
function changesOf(ws: Workspace, task: TaskRead, prefix: string, head: Entries) {
  const { attempts, contract } = task;
  const found = treeGit(ws);
  if (!contract.ok || found === undefined) return [];
  const permissions = permissionsFor(ws.layout, executorOf(ws, contract.value), contract.value);
  const last = new Map<string, { path: string; before: string; after: string; own: boolean }>();
  for (const { kind, lost, owner, outcome: { trees, beside } = {} } of attempts) {
    // What people change in their own tree they also commit.
    if (kind !== 'work' || lost || owner?.owner === 'person' || trees === undefined) continue;
    const how = ['diff-tree', '-r', '-z', '--no-renames', ...trees];
    const raw = parts(found.git.run(how, { env: found.env }).out);
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const name = raw[i + 1] ?? '';
      const [was = '', is = '', old = '', object = '', status = ''] = (raw[i] ?? '').split(' ');
      const change = status === 'A' ? 'create' : status === 'D' ? 'delete' : 'write';
      if (refuseChange(permissions, { kind: change, path: name }) !== undefined) continue;
      const path = posix.join(prefix, name);
      const known = last.get(path);
      const start = status === 'A' ? '' : `${was.slice(1)} ${old} 0`;
      const after = status === 'D' ? '' : `${is} ${object} 0`;
      const before = head.get(path) ?? '';
      const goesOn = start === before || (known?.own === true && known.after === start);
      last.set(path, { path, before, after, own: goesOn && !beside?.length });
    }
  }
  return [...last.values()].filter(({ before, after }) => before !== after);
}
