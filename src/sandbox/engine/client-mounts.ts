/**
 * The folders of a client in a sandbox: login and sessions writable; settings read-only, even where
 * they do not exist yet. A link cannot be a mount point, so a replaced one is restored afterwards.
 */
import { lstatSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globMatcher } from '../../task/core/base/glob.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import type { ClientFolder } from '../../process/adapter.ts';
import { kindOf, namesIn, realOf } from '../../process/path-kind.ts';
import type { SandboxPlace } from './bwrap-args.ts';

export interface ClientPlaces {
  readonly places: readonly SandboxPlace[];
  /** Absolute; a folder ends with `/`. */
  readonly standing: readonly string[];
}

/** `no_json`: a file with an empty object. */
export function clientPlaces(folder: ClientFolder, root: string, no_json: string): ClientPlaces {
  const { path, open, own } = folder;
  const at = (name: string): string => join(path, name);
  if (open === undefined) {
    const shown = namesIn(path)
      .filter((name) => !isHidden(folder, name))
      .flatMap((name) => readable(at(name)));
    return { places: [{ path, as: 'empty' }, ...shown], standing: [] };
  }
  const settings = namesIn(path).filter((name) => !isOpen(folder, name) && !isLink(at(name)));
  const shut = settingsOf(folder, root).filter((name) => isOwn(path, at(name)));
  const inner = [...shut, ...own.filter((name) => isOwn(path, at(name)))];
  const places: SandboxPlace[] = [
    { path, as: 'write' },
    // A file of another session may disappear at any time.
    ...settings.map((name): SandboxPlace => {
      return { path: at(name), as: isHidden(folder, name) ? 'veiled' : 'read', may_go: true };
    }),
    ...inner.map((name) => {
      const path = plain(at(name));
      const isNone = folder.strict_inside === true && path.endsWith('.json') && !hasText(path);
      const from = isNone ? { from: no_json } : {};
      return { path, as: own.includes(name) ? 'empty' : 'read', ...from } as const;
    }),
    // Targets of linked settings: dotfiles.
    ...linksIn(folder).flatMap(([link]) => readable(realOf(link) ?? link)),
  ];
  return { places, standing: inner.map(at) };
}

/** A missing one has none, nor the placeholder of another sandbox. */
const hasText = (path: string): boolean =>
  (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Existing paths, shown in their place even where they are links. */
function readable(path: string): SandboxPlace[] {
  const from = realOf(path);
  return from === undefined || kindOf(from) === undefined ? [] : [{ path, as: 'read', from }];
}

/** Takes the state now; returns what is new or changed afterwards, in words, and restores links. */
export function watchClients(
  folders: readonly ClientFolder[],
  now: () => Date,
  home = '',
): () => string[] {
  const before = folders.map(
    (folder) => [folder, new Set(newIn(folder)), linksIn(folder)] as const,
  );
  const named = (path: string): string =>
    home && isWithin(home, path) ? `~${path.slice(home.length)}` : path;
  return () =>
    before.flatMap(([folder, known, links]) => [
      ...newIn(folder)
        .filter((path) => !known.has(path))
        .map((path) => `created ${named(path)} beside the settings of its client`),
      ...links
        .filter((link) => putBack(link, now()))
        .map(([path]) => `replaced the link ${named(path)}, which was restored`),
    ]);
}

function putBack([path, target]: readonly [string, string], now: Date): boolean {
  if (linkOf(path) === target) return false;
  if (lstatSync(path, { throwIfNoEntry: false }))
    renameSync(path, `${path}.replaced-${now.getTime()}`);
  symlinkSync(target, path);
  return true;
}

/** Neither login, session nor a protected setting. */
function newIn(folder: ClientFolder): string[] {
  const { path, shut, own } = folder;
  const names = namesIn(path).filter((name) => !isOpen(folder, name));
  const known = new Set([...shut, ...own].map((name) => plain(name)));
  const below = shut.filter((name) => name.includes('*')).flatMap((name) => expanded(path, name));
  return [...names.filter((name) => !known.has(name)), ...below].map((name) => join(path, name));
}

function isOpen({ open = [] }: ClientFolder, name: string): boolean {
  return open.some((glob) => globMatcher(glob)(name));
}

function isHidden({ hidden = [] }: ClientFolder, name: string): boolean {
  return hidden.some((glob) => globMatcher(glob)(name));
}

function settingsOf({ path, shut }: ClientFolder, root: string): string[] {
  const slug = root.replace(/[^a-zA-Z0-9]/g, '-');
  return shut.flatMap((name) =>
    name.includes('*') ? expanded(path, name) : name.replace('{slug}', slug),
  );
}

/** Only folders with something in them. */
function expanded(path: string, glob: string): string[] {
  const [above = '', below = ''] = glob.split('*');
  return namesIn(join(path, above))
    .map((name) => `${above}${name}${below}`)
    .filter((name) => namesIn(join(path, name)).length > 0);
}

/** No part of the path is a link: a link of an agent leads nowhere. */
function isOwn(top: string, path: string): boolean {
  if (isLink(path)) return false;
  let above = dirname(plain(path));
  for (; above !== top; above = dirname(above)) if (isLink(above)) return false;
  return true;
}

function linksIn(folder: ClientFolder): (readonly [string, string])[] {
  return folder.shut.flatMap((name) => {
    const path = join(folder.path, plain(name));
    const target = linkOf(path);
    return target === undefined ? [] : [[path, target] as const];
  });
}

function linkOf(path: string): string | undefined {
  return isLink(path) ? readlinkSync(path) : undefined;
}

function isLink(path: string): boolean {
  return lstatSync(plain(path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function plain(path: string): string {
  return path.replace(/\/$/, '');
}
