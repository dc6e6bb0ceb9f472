/** What in a workspace runs outside of a sandbox, or loosens one. What is not understood counts whole. */
import { dirname, join, relative } from 'node:path';
import { startingKeys, startingLines } from '../clients/core/client-settings.ts';
import { ofProjects } from '../clients/core/records.ts';
import { sha256 } from '../task/store/disk/hash.ts';
import { SETTINGS } from '../task/store/tasks/layout.ts';
import { bytesAt, markAt } from '../task/store/snapshots/folder-snapshot.ts';
import { listOrNothing } from '../task/store/tasks/tasks.ts';
import { commentedJson } from '../task/text/yaml/commented-json.ts';
import { agentsOf } from '../agents/engine/registry.ts';
import { pushGrant, type Grant } from './push-grant.ts';
import { realBelow } from '../process/path-kind.ts';
import type { Workspace } from '../workspace/open/workspace.ts';

const BYTES_MAX = 16 * 1024 * 1024;

export function clientFiles(): readonly string[] {
  return (['json', 'lines', 'starts'] as const).flatMap(ofProjects);
}

export function grantsOf(ws: Workspace): readonly Grant[] {
  const { on_state, sandbox, network, hide, adapters, worktree = {} } = ws.config;
  // Whatever an adapter has: its type opens folders of the home, its mode or model may confine it.
  const own = Object.entries(adapters).flatMap(([name, { env, ...keys }]) => [
    ...Object.entries(keys).flatMap(([key, value]) =>
      value === undefined ? [] : [grant(`adapters.${name}.${key}`, wordsIn(value))],
    ),
    ...(env ?? []).map((one) => grant(`adapters.${name}.env`, one)),
  ]);
  return [
    ...(on_state === undefined ? [] : [grant('on_state', JSON.stringify(on_state))]),
    // The strictest level needs no question; the usual one is shown as such.
    ...(sandbox === 'bwrap' ? [] : [{ ...grant('sandbox', sandbox), usual: sandbox === 'auto' }]),
    ...(network === 'none' ? [] : [{ ...grant('network of agents', 'open'), usual: true }]),
    ...(network === 'open' ? [{ ...grant('network of checks', 'open'), usual: true }] : []),
    // An empty list hides less than none does.
    { ...grant('hide', hide?.length === 0 ? 'nothing' : JSON.stringify(hide ?? [])), usual: !hide },
    ...own,
    ...Object.entries(worktree).map(([name, lines]) =>
      grant(`worktree.${name}`, JSON.stringify(lines)),
    ),
    ...upwards(ws).flatMap((above) => [
      ...ofProjects('json').flatMap((file) => ofJson(ws, `${above}${file}`)),
      ...ofProjects('lines').flatMap((file) => ofText(ws, `${above}${file}`)),
      ...ofProjects('starts').flatMap((folder) => ofFolder(ws, `${above}${folder}`)),
    ]),
  ];
}

/** Clients search folders above too, up to the home, which is the person's own. */
function upwards({ layout: { root }, home }: Workspace): readonly string[] {
  const end = home === undefined ? '' : realBelow(home);
  const all = [''];
  for (let folder = realBelow(root); dirname(folder) !== folder;) {
    folder = dirname(folder);
    if (`${end}/`.startsWith(`${folder}/`)) break;
    all.push(`${relative(root, folder)}/`);
  }
  return all;
}

/** Agents that may push use the person's keys. Reads the file of each. */
export function pushGrants(ws: Workspace): readonly Grant[] {
  const book = agentsOf(ws);
  return book
    .names()
    .flatMap((name) => (book.isPlain(name) ? [] : pushGrant(name, book.get(name))));
}

function wordsIn(value: string | number | readonly string[]): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function grant(what: string, words: string, file = `${SETTINGS}/config.yaml`): Grant {
  return { what, words, digest: sha256(words), file };
}

function ofJson(ws: Workspace, file: string): readonly Grant[] {
  const text = textAt(ws, file);
  if (text === undefined) return [];
  // Clients differ in where they end a comment.
  const found = /\r(?!\n)/.test(text) ? undefined : commentedJson(text);
  if (!(found instanceof Object) || Array.isArray(found)) return [grant(file, text, file)];
  const kept = startingKeys(found);
  return Object.keys(kept).length === 0
    ? []
    : [grant(file, JSON.stringify(kept, undefined, 1), file)];
}

function ofText(ws: Workspace, file: string): readonly Grant[] {
  const lines = startingLines(textAt(ws, file) ?? '');
  return lines === '' ? [] : [grant(file, lines, file)];
}

/** One for each file, and for each folder with everything in it. */
function ofFolder(ws: Workspace, folder: string): readonly Grant[] {
  const { disk, layout } = ws;
  const kind = disk.stat(join(layout.root, folder))?.kind;
  if (kind === undefined) return [];
  const inner = kind === 'folder' ? namesIn(ws, folder) : [folder];
  return inner.map((path) => grant(path, wordsOf(ws, path), path));
}

function wordsOf(ws: Workspace, path: string): string {
  if (ws.disk.stat(join(ws.layout.root, path))?.kind !== 'folder') return textAt(ws, path) ?? '';
  return namesIn(ws, path)
    .map((one) => `${one.slice(path.length + 1)} ${sha256(wordsOf(ws, one))}`)
    .join('\n');
}

function namesIn({ disk, layout }: Workspace, folder: string): readonly string[] {
  return listOrNothing(disk, join(layout.root, folder)).map(({ name }) => `${folder}/${name}`);
}

/** undefined where nothing is; an unreadable file is described instead. */
function textAt({ disk, layout }: Workspace, file: string): string | undefined {
  const path = join(layout.root, file);
  if (disk.stat(path) === undefined) return undefined;
  // Clients follow links.
  const real = realBelow(path);
  const bytes = disk.stat(real)?.kind === 'file' ? bytesAt(disk, real, BYTES_MAX) : undefined;
  if (bytes !== undefined) return Buffer.from(bytes).toString('utf8');
  return `cannot be read: ${disk.link?.(path) ?? ''} ${markAt(disk, real)}`;
}
