/**
 * A workspace as a map from path to text, masked. Empty folders are not seen, because git drops them. A file of a task whose bytes stand elsewhere in the
 * task already is shown as `= path`, or not at all, so that a reader sees what is new.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { maskFile, maskText, RECORDS } from './golden-mask.ts';

export type Tree = ReadonlyMap<string, string>;

/** Put there by the harness, or by many steps that move a task; see test/cases/README.md. */
const NOT_SHOWN =
  /^LEDGER\.md$|^\.contracts\/(memory|assumptions)\/|^\.contracts\/(config\.yaml|agent\.sh|reviewer\.sh|worktrees\/\.gitignore)$|^\.contracts\/worktrees\/[^/]+\/(active_tasks|\.contracts)\/|(^|\/)\.git(\/|$)/;

export function filesBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    })
    .sort();
}

/** The workspace as it is now, masked. Of copies on a desk only those of earlier files are shown. */
export function readWorkspace(root: string, everything: boolean): Tree {
  const tree = new Map<string, string>();
  const known = new Map<string, string>();
  for (const path of filesBelow(root).sort(byPlace)) {
    if (NOT_SHOWN.test(path)) continue;
    const text = contentOf(root, path);
    const task = taskOf(path);
    const own = task === '' || text === '' || RECORDS.test(path);
    const twin = own ? undefined : known.get(`${task}\n${text}`);
    if (twin === undefined) known.set(`${task}\n${text}`, path);
    const shown = maskFile(path, text, { root, everything });
    if (shown === undefined) continue;
    if (twin === undefined) tree.set(maskText(path, root), shown);
    else if (everything || !ON_DESK.test(path)) {
      tree.set(maskText(path, root), `= ${withinTask(twin)}\n`);
    }
  }
  return tree;
}

/** Everything that a step without news must leave alone: bytes, times, inodes. The ledger follows a person's move. */
export function stamp(root: string): Tree {
  const kept = filesBelow(root).filter((path) => path !== 'LEDGER.md');
  return new Map(
    kept.map((path) => {
      const { ino, mtimeMs, size } = lstatSync(join(root, path));
      return [path, `${ino} ${mtimeMs} ${size} ${contentOf(root, path)}`];
    }),
  );
}

function contentOf(root: string, path: string): string {
  const full = join(root, path);
  if (lstatSync(full).isSymbolicLink()) return `-> ${readlinkSync(full)}\n`;
  return readFileSync(full, 'utf8');
}

const TASK = /^active_tasks\/[a-z_]+\/([^/]+)\/(.+)$/;
const ON_DESK = /\/(desk|\.desk\/[^/]+)\/[^/]+$/;
const DESK = /^active_tasks\/\.desk\/([^/]+)\.\d{4}\/(.+)$/;

const taskOf = (path: string): string => (TASK.exec(path) ?? DESK.exec(path))?.[1] ?? '';

const withinTask = (path: string): string => TASK.exec(path)?.[2] ?? path;

/** Top of a task first, then its attempts, the desks last: the originals before their copies. */
const byPlace = (a: string, b: string): number => depth(a) - depth(b) || (a < b ? -1 : 1);

function depth(path: string): number {
  const within = TASK.exec(path)?.[2] ?? path;
  if (DESK.test(path)) return 5;
  if (within.includes('/previous/')) return 4;
  if (within.includes('/desk/')) return 3;
  return within.includes('/') ? 2 : 1;
}
