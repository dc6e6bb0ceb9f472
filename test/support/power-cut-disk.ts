/**
 * A Disk over which the power can be cut: a model of what POSIX promises to be there afterwards. The
 * bytes of a file need their own fsync; a new, renamed or removed entry needs the sync of its folder
 * (a rename, which is atomic, of both); anything else may be there or not. Agents and people write
 * past this disk. What an agent wrote is not durable until somebody syncs it: its wrapper all of it, before
 * the record of its end. What people wrote counts as durable. Below `top` only; all else passes through.
 */
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { unsyncedDisk } from './faulty-disk.ts';

interface Node {
  readonly kind: 'file' | 'folder';
  /** What a process sees. */
  readonly live: Map<string, Node>;
  /** What a power cut leaves at the least. */
  readonly kept: Map<string, Node>;
  bytes: Uint8Array;
  kept_bytes: Uint8Array | undefined;
}

interface Pending {
  readonly node: Node;
  readonly from: { readonly folder: Node; readonly name: string } | undefined;
  readonly to: { readonly folder: Node; readonly name: string } | undefined;
  readonly needs: Set<Node>;
}

/** Which syncs are left out, by the place in the source that asks for them: a mutant. */
export type Ignores = (site: string) => boolean;

export class PowerCutDisk implements Disk {
  /** Places in the source that asked for a sync, as `file:line`. */
  readonly sites = new Set<string>();
  readonly #top: string;
  readonly #ignores: Ignores;
  readonly #root = folderNode();
  #pending: Pending[] = [];

  constructor(top: string, ignores: Ignores = () => false) {
    this.#top = top;
    this.#ignores = ignores;
    this.#importInto(this.#root, top, true);
  }

  readonly list: Disk['list'] = unsyncedDisk.list;
  readonly names: Disk['names'] = unsyncedDisk.names;
  readonly stat: Disk['stat'] = unsyncedDisk.stat;
  readonly read: Disk['read'] = unsyncedDisk.read;

  create(path: string, bytes: Uint8Array, options = { durable: true }): void {
    unsyncedDisk.create(path, bytes);
    if (!this.#covers(path)) return;
    const durable = options.durable && !this.#left_out();
    const node: Node = { ...folderNode(), kind: 'file', bytes, kept_bytes: undefined };
    if (durable) node.kept_bytes = bytes;
    this.#add(path, node);
  }

  mkdir(path: string, mode?: number): void {
    unsyncedDisk.mkdir(path, mode);
    if (this.#covers(path)) this.#add(path, folderNode());
  }

  rename(from: string, to: string): void {
    const covered = this.#covers(from) && this.#covers(to);
    const node = covered ? this.#node(from) : undefined;
    unsyncedDisk.rename(from, to);
    if (node === undefined) return;
    const [source, target] = [this.#folder(from), this.#folder(to)];
    source.live.delete(basename(from));
    target.live.set(basename(to), node);
    this.#pending.push({
      node,
      from: { folder: source, name: basename(from) },
      to: { folder: target, name: basename(to) },
      needs: new Set([source, target]),
    });
  }

  remove(path: string): void {
    const node = this.#covers(path) ? this.#node(path) : undefined;
    unsyncedDisk.remove(path);
    if (node === undefined) return;
    const folder = this.#folder(path);
    folder.live.delete(basename(path));
    this.#pending.push({
      node,
      from: { folder, name: basename(path) },
      to: undefined,
      needs: new Set([folder]),
    });
  }

  sync(path: string): void {
    unsyncedDisk.sync(path);
    if ((path !== this.#top && !this.#covers(path)) || this.#left_out()) return;
    const folder = this.#node(path);
    if (folder.kind === 'file') folder.kept_bytes = folder.bytes;
    for (const op of this.#pending) op.needs.delete(folder);
    for (const op of this.#pending) if (op.needs.size === 0) settle(op);
    this.#pending = this.#pending.filter((op) => op.needs.size > 0);
  }

  /** Takes in what agents and people wrote past this disk. */
  takeIn(durable = true): void {
    this.#importInto(this.#root, this.#top, durable);
  }

  /** All of the file system, as the wrapper of an agent does. */
  syncAll(): void {
    this.takeIn(false);
    for (const op of this.#pending) settle(op);
    this.#pending = [];
    keepAll(this.#root);
  }

  /**
   * What a power cut may take back of a folder (path below the top) that is there now, in sentences;
   * empty when all of it is durable. Mirrors, leases and temporaries may go, and what an attempt is
   * held against: one that is torn is none.
   */
  notDurable(path: string): string[] {
    const [live, kept] = ['live', 'kept'].map((side) =>
      path
        .split('/')
        .reduce<Node | undefined>(
          (node, name) => node?.[side as 'live' | 'kept'].get(name),
          this.#root,
        ),
    );
    return differences(path, live, kept);
  }

  /** The power goes: of what was not durable, `survives` says which operations did come through. */
  cut(survives: (index: number) => boolean): void {
    this.takeIn();
    for (const [i, op] of this.#pending.entries()) if (survives(i)) settle(op);
    fs.rmSync(this.#top, { recursive: true });
    fs.mkdirSync(this.#top);
    writeOut(this.#root, this.#top);
  }

  get pending(): number {
    return this.#pending.length;
  }

  #covers(path: string): boolean {
    return path.startsWith(`${this.#top}/`);
  }

  #add(path: string, node: Node): void {
    this.#enter(this.#folder(path), basename(path), node);
  }

  #enter(folder: Node, name: string, node: Node): void {
    folder.live.set(name, node);
    const to = { folder, name };
    this.#pending.push({ node, from: undefined, to, needs: new Set([folder]) });
  }

  #folder(path: string): Node {
    return this.#node(dirname(path));
  }

  /** What an agent or a person made is taken in when it is first met. */
  #node(path: string): Node {
    if (path === this.#top) return this.#root;
    const folder = this.#folder(path);
    const known = folder.live.get(basename(path));
    if (known !== undefined) return known;
    this.#importInto(folder, dirname(path), true);
    const found = folder.live.get(basename(path));
    if (found === undefined) throw new Error(`the model does not know ${path}`);
    return found;
  }

  /** What is on the real disk and not in the model; true when there was something new. */
  #importInto(node: Node, path: string, durable: boolean): boolean {
    let news = false;
    const entries = fs.readdirSync(path, { withFileTypes: true });
    const names = new Set(entries.map((entry) => entry.name));
    for (const name of node.live.keys()) {
      if (names.has(name)) continue;
      node.live.delete(name);
      node.kept.delete(name);
    }
    for (const entry of entries) {
      const below = join(path, entry.name);
      const kind = entry.isFile() ? 'file' : 'folder';
      const known = node.live.get(entry.name);
      const child = known ?? { ...folderNode(), kind };
      if (known === undefined && !durable) this.#enter(node, entry.name, child);
      const fresh =
        kind === 'file'
          ? importFile(child, below, known === undefined, durable)
          : this.#importInto(child, below, durable);
      if (known !== undefined && !fresh) continue;
      news = true;
      if (!durable) continue;
      // A folder that we made and they wrote into became durable with it; one that we renamed did not.
      const renamed = this.#pending.some((op) => op.node === child && op.from !== undefined);
      if (known !== undefined && kind === 'folder' && renamed) continue;
      node.live.set(entry.name, child);
      node.kept.set(entry.name, child);
    }
    return news;
  }

  #left_out(): boolean {
    const site = siteOf(new Error().stack ?? '');
    this.sites.add(site);
    return this.#ignores(site);
  }
}

/** The first place in src/ on the stack. */
function siteOf(stack: string): string {
  const line = stack.split('\n').find((one) => /\/src\/\w/.test(one)) ?? '';
  return /src\/([\w/-]+\.ts:\d+)/.exec(line)?.[1] ?? 'unknown';
}

function folderNode(): Node {
  return {
    kind: 'folder',
    live: new Map(),
    kept: new Map(),
    bytes: new Uint8Array(),
    kept_bytes: undefined,
  };
}

function settle({ node, from, to }: Pending): void {
  if (from !== undefined && from.folder.kept.get(from.name) === node)
    from.folder.kept.delete(from.name);
  to?.folder.kept.set(to.name, node);
}

function importFile(node: Node, path: string, unknown: boolean, durable: boolean): boolean {
  const bytes = fs.readFileSync(path);
  if (!unknown && bytes.equals(node.bytes)) return false;
  node.bytes = bytes;
  node.kept_bytes = durable ? bytes : undefined;
  return true;
}

function keepAll(node: Node): void {
  node.kept_bytes = node.bytes;
  for (const [name, child] of node.live) {
    node.kept.set(name, child);
    keepAll(child);
  }
}

/** A file whose bytes were never synced comes back empty. */
function writeOut(node: Node, path: string): void {
  for (const [name, child] of node.kept) {
    // It holds inodes and times, which no file has here any more after a cut.
    if (name === 'before.json') continue;
    const below = join(path, name);
    if (child.kind === 'file') fs.writeFileSync(below, child.kept_bytes ?? new Uint8Array());
    else {
      fs.mkdirSync(below);
      writeOut(child, below);
    }
  }
}

const HANDED_IN = /^(result|questions|review)\.md$|^children$/;
const MAY_GO = /^(\.(tmp|new)-.*|status(\.\d+)?\.md|lease\.md|output\.log|before\.json)$/;

/** The runner's own form of a result, in which nobody has said anything yet. */
const isForm = (node: Node | undefined): boolean =>
  node?.kind === 'file' && /^- Status:[ ]*$/m.test(Buffer.from(node.bytes).toString());

function differences(path: string, live: Node | undefined, kept: Node | undefined): string[] {
  if (live === undefined) return kept === undefined ? [] : [`${path} would be there again`];
  if (kept === undefined) return [`${path} would be gone`];
  if (live !== kept) return [`${path} would be an older one`];
  if (live.kind === 'file') {
    const same = live.kept_bytes !== undefined && Buffer.from(live.bytes).equals(live.kept_bytes);
    return same ? [] : [`the bytes of ${path} would be gone`];
  }
  // Of a desk only what was handed in matters; the rest is the agent's own.
  const all = [...live.live.keys(), ...live.kept.keys()];
  const names = new Set(basename(path) === 'desk' ? all.filter((one) => HANDED_IN.test(one)) : all);
  return [...names].flatMap((name) =>
    MAY_GO.test(name) || isForm(live.live.get(name))
      ? []
      : differences(`${path}/${name}`, live.live.get(name), live.kept.get(name)),
  );
}
