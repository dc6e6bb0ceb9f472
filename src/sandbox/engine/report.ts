/** What a sandbox allowed, in sentences for an outcome. Pure. */
import { basename, dirname } from 'node:path';
import type { SandboxPlace } from './bwrap-args.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { reachOf } from '../core/writable-paths.ts';
import type { Scope } from './scope.ts';
import type { Places } from './mounts.ts';

const GIT_WORDS: Readonly<Record<Places['git'], string>> = {
  read: 'It could read git but not change it: an agent that may not merge, rebase, push or config commits only in a worktree (isolation: worktree).',
  worktree: 'In git it could write objects, and the HEAD and the index of its worktree.',
  trusted: 'It is trusted with git: all of .git was writable except existing settings and hooks.',
};

/** `all`: the places of the sandbox; `home`: in its environment. */
export function sandboxWords(
  scope: Scope,
  { wider, only_new, git }: Places,
  all: readonly SandboxPlace[],
  home = '',
): readonly string[] {
  const named = (path: string): string => nameOf(scope, path, home);
  const given = (path: string): number => (scope.writes.includes(path) ? 1 : 0);
  const writes = reachOf(all).writes.toSorted((a, b) => given(a) - given(b));
  const may = [
    ...new Set(writes.map(named)),
    ...(privateIn(all, '/tmp') ? ['a private /tmp'] : []),
  ];
  const words = [
    `A sandbox confined it: it could write ${may.join(', ')}. ${scope.closed ? `No network, by ${scope.closed.by}.` : 'The network was open.'}`,
    ...homeWords(scope, all, home),
    ...(scope.clients ?? []).flatMap(({ path }) => clientWords(all, path, named(path))),
  ];
  const hidden = all.filter(({ path, as }) => as === 'veiled' && isWithin(scope.root, path));
  if (hidden.length > 0) {
    const names = hidden.map(({ path }) => path.slice(scope.root.length + 1));
    words.push(
      `Hidden from it: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' and more' : ''}.`,
    );
  }
  if (scope.permissions.strength !== 'hard' && scope.kind === 'work') {
    words.push('Its rules only warn, so the sandbox left the whole workspace writable.');
  }
  if (scope.kind === 'work' && scope.permissions.git.length > 0) words.push(GIT_WORDS[git]);
  if (wider.length > 0) {
    const more = only_new
      ? 'it could make new files, and change none that existed'
      : 'more was open than that';
    words.push(`A sandbox works by folder: around ${wider.join(', ')} ${more}.`);
  }
  words.push('Processes that it left running ended with the sandbox and were not counted.');
  return words;
}

function homeWords({ root }: Scope, all: readonly SandboxPlace[], home: string): string[] {
  if (home === '') return [];
  if (!privateIn(all, home)) return [`It could read its home folder: the workspace is ${root}.`];
  const shown = all
    .filter(({ path, as }) => isWithin(home, path) && path !== home && as !== 'empty')
    .flatMap(({ path }) => (isWithin(root, path) ? [] : path));
  const tops = shown.filter((path) => !shown.some((one) => one !== path && isWithin(one, path)));
  const names = [...new Set(tops)].map((path) => `~${path.slice(home.length)}`).sort();
  const but = names.length === 0 ? '' : ` except ${names.join(', ')}`;
  return [`It saw nothing of the home folder${but}. Files that it created there are gone.`];
}

/** Words for what is read-only or private in the folder of its client. */
function clientWords(all: readonly SandboxPlace[], path: string, name: string): string[] {
  const as = new Map(all.map((one) => [one.path, one.as]));
  if (as.get(path) !== 'write')
    return as.has(path) ? [`Files that it created in ${name} are gone.`] : [];
  const below = [...as].filter(([one]) => one !== path && isWithin(path, one)).sort();
  const list = (kind: string): string =>
    below.flatMap(([one, is]) => (is === kind ? [one.slice(path.length + 1)] : [])).join(', ');
  const own = list('empty');
  const gone = own === '' ? '' : ` Files that it created in ${own} are gone.`;
  return [`In ${name} it could not write ${list('read')}.${gone}`];
}

function privateIn(all: readonly SandboxPlace[], path: string): boolean {
  return all.findLast((one) => one.path === path)?.as === 'empty';
}

function nameOf({ root, writes }: Scope, path: string, home: string): string {
  if (path === root) return 'the whole workspace';
  if (writes.includes(path)) return basename(dirname(path)) === '.desk' ? 'its desk' : path;
  if (isWithin(root, path)) return `${path.slice(root.length + 1)}/`;
  return home !== '' && isWithin(home, path) ? `~${path.slice(home.length)}` : path;
}
