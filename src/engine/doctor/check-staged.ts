/**
 * `check --staged`: the same check on what git would commit, for a hook before a commit. Reports only tasks
 * and settings that the commit changes. Reads the index through git, writes nothing.
 */
import { join, resolve } from 'node:path';
import { gitIn, listed, type Git } from '../../git/query-git.ts';
import { problem, refused, ok, type Problem, type Result } from '../../task/core/model/problem.ts';
import { secretsIn, secretsOf } from '../../task/core/base/secrets.ts';
import { isState } from '../../task/core/model/state.ts';
import { findRoot, SETTINGS, shown, TASKS } from '../../task/store/tasks/layout.ts';
import { indexDisk, type IndexEntry } from '../../task/store/disk/index-disk.ts';
import { realBelow } from '../../process/path-kind.ts';
import { gitUntrusted } from '../../trust/trust.ts';
import { conflictProblems } from '../../task/text/markdown/merge-markers.ts';
import { valuesHere } from '../../workspace/tasks/redact.ts';
import {
  openWorkspace,
  programsFor,
  realPorts,
  type OpenOptions,
  type Workspace,
} from '../../workspace/open/workspace.ts';
import { checked, checkTree, type Checked } from './check.ts';

const CHANGED =
  'diff --cached --no-ext-diff --no-textconv --numstat --no-renames --relative -z'.split(' ');

export function checkStaged(options: OpenOptions): Result<Checked> {
  const ports = { ...realPorts(), ...options.ports };
  const from = resolve(options.dir ?? ports.env['CONTRACTS_DIR'] ?? process.cwd());
  const { HOME } = ports.env;
  const homes = HOME === undefined || HOME === '' ? [] : [HOME, realBelow(HOME)];
  const root = findRoot(ports.disk, from, { homes });
  if (root === undefined) {
    const none = openWorkspace({ ...options, dir: from });
    return none.ok ? refused([]) : none;
  }
  const distrusted = gitUntrusted({ ...ports, layout: { root, tasks: join(root, TASKS) } });
  if (distrusted !== undefined) return refused([distrusted]);
  const git = gitIn(root, { env: ports.env, programs: programsFor(ports, root) });
  // `<added>\t<removed>\t<path>`, with `-` for what is no text.
  const counted = listed(git(CHANGED)).map((line) => line.split(/\t([^]*)/, 2) as [string, string]);
  const changed = counted.map(([, rest]) => rest.slice(rest.indexOf('\t') + 1));
  const texts = changed.filter((_, i) => counted[i]?.[0] !== '-');
  const index = readIndex(git, root, new Set(texts));
  if (index === undefined) {
    const message = 'this is not a git repository, or git is not installed';
    const fix = 'Without --staged the folders themselves are checked: contracts check';
    return refused({ code: 'environment', file: root, message, fix });
  }
  const ours = (tasks: string) => [...index.entries.keys()].some((path) => under(path, tasks));
  const open = (tasks: string): Result<Workspace> => {
    const covered = [join(root, SETTINGS), tasks];
    const disk = indexDisk(ports.disk, index.entries, covered);
    return openWorkspace({ ...options, dir: root, ports: { ...ports, disk } });
  };
  if (!ours(join(root, SETTINGS)) && !ours(join(root, TASKS))) return ok(checked([], 0));
  const first = open(join(root, TASKS));
  const { tasks = join(root, TASKS) } = first.ok ? first.value.layout : {};
  const ws = tasks === join(root, TASKS) ? first : open(tasks);
  const unmerged = index.unmerged.map(unmergedProblem);
  if (!ws.ok) return ok(checked([...ws.problems, ...unmerged], 0));
  const found = checkTree(ws.value);
  const touches = touchedBy(ws.value, changed);
  const placeOf = ({ code, file, line }: Problem): string => `${code} ${file}:${line}`;
  const known = new Set(found.problems.map(placeOf));
  const problems = [
    ...found.problems.filter((one) => touches(one.file)),
    ...markers(ws.value, index.entries, changed).filter((one) => !known.has(placeOf(one))),
    ...secrets(ws.value, index.entries, texts),
    ...unmerged,
  ];
  return ok(checked(problems, found.tasks));
}

interface Index {
  /** By absolute path. */
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Relative paths that a merge left unresolved. */
  readonly unmerged: readonly string[];
}

/** undefined where there is no git to ask. */
function readIndex(git: Git, root: string, texts: ReadonlySet<string>): Index | undefined {
  const staged = git(['ls-files', '--stage', '-z']);
  if (staged === undefined) return undefined;
  const entries = new Map<string, IndexEntry>();
  const unmerged = new Set<string>();
  const blobs = blobReader(git);
  for (const line of listed(staged)) {
    const match = /^(\d+) ([0-9a-f]+) (\d)\t([^]+)$/.exec(line);
    if (match === null) continue;
    const [, mode = '', hash = '', stage, path = ''] = match;
    if (stage !== '0') unmerged.add(path);
    const odd = mode !== '100644' && mode !== '100755';
    if ((isText(path) || texts.has(path)) && !odd) blobs.want(hash);
    entries.set(join(root, path), { odd, bytes: () => blobs.bytes(hash) });
  }
  return { entries, unmerged: [...unmerged] };
}

/** True for files that a check may read; of others it only asks whether they exist. */
function isText(path: string): boolean {
  return /\.(?:md|ya?ml|hbs)$/.test(path) && !/(?:^|\/)attempts\/[^/]+\/desk\//.test(path);
}

/** All wanted blobs are read at once, when the first is needed. */
function blobReader(git: Git) {
  const wanted = new Set<string>();
  let known = new Map<string, Uint8Array>();
  return {
    want: (hash: string): void => void wanted.add(hash),
    bytes: (hash: string): Uint8Array => {
      if (known.size === 0) known = readBlobs(git, [...wanted]);
      return known.get(hash) ?? readBlobs(git, [hash]).get(hash) ?? new Uint8Array();
    },
  };
}

/** `<hash> blob <size>\n<bytes>\n`, one after the other. */
function readBlobs(git: Git, hashes: readonly string[]): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const out = git(['cat-file', '--batch'], hashes.map((hash) => `${hash}\n`).join(''));
  if (out === undefined) return found;
  for (let at = 0; at < out.length;) {
    const end = out.indexOf('\n', at);
    const [hash = '', kind, size] = out.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    found.set(hash, out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

function under(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** A file that is changed, a folder with one, or anything of a task that has one, in any state. */
function touchedBy(ws: Workspace, changed: readonly string[]): (file: string) => boolean {
  const ids = new Set(changed.flatMap((path) => idIn(ws, path) ?? []));
  return (file) => ids.has(idIn(ws, file) ?? '') || changed.some((path) => under(path, file));
}

function idIn(ws: Workspace, path: string): string | undefined {
  const tasks = `${shown(ws.layout, ws.layout.tasks)}/`;
  if (!path.startsWith(tasks)) return undefined;
  const [state = '', id] = path.slice(tasks.length).split('/');
  return isState(state) && id !== '' ? id : undefined;
}

/** In every changed text of tasks and settings, in done and in attempts too. */
function markers(ws: Workspace, entries: Index['entries'], changed: readonly string[]) {
  const folders = [SETTINGS, shown(ws.layout, ws.layout.tasks)];
  return changed.flatMap((path) => {
    const entry = entries.get(join(ws.layout.root, path));
    if (entry?.odd !== false || !isText(path)) return [];
    if (!folders.some((folder) => under(path, folder))) return [];
    return conflictProblems(Buffer.from(entry.bytes()).toString('utf8'), path);
  });
}

/**
 * In every changed text. Outside of tasks and settings a token may be an example in code: that is a
 * warning; the value of a variable is always an error.
 */
function secrets(
  { layout, config, env }: Workspace,
  entries: Index['entries'],
  texts: readonly string[],
): readonly Problem[] {
  const known = secretsOf(valuesHere(config, env));
  const folders = [SETTINGS, shown(layout, layout.tasks)];
  return texts.flatMap((file) => {
    const entry = entries.get(join(layout.root, file));
    const text = entry?.odd === false ? Buffer.from(entry.bytes()).toString('latin1') : '\0';
    if (text.includes('\0')) return [];
    const isOurs = folders.some((folder) => under(file, folder));
    return secretsIn(text, known).map(({ kind, index, isNamed }) =>
      problem({
        code: 'secret',
        severity: isOurs || isNamed ? 'error' : 'warning',
        file,
        line: text.slice(0, index).split('\n').length,
        message: `this looks like ${kind}`,
        fix: `Take it out and git add the file; once it was shared, replace the secret itself`,
      }),
    );
  });
}

function unmergedProblem(file: string): Problem {
  return problem({
    code: 'conflict',
    file,
    message: 'a merge of this file is not resolved',
    fix: 'Resolve it, then git add it',
  });
}
