/**
 * What `init` offers beside its folders, and makes only when it was agreed to: lines for git, a hook,
 * tasks for an editor, the schemas. Nothing is ever replaced: missing lines are added to a file, and
 * what cannot be added without a guess is given back as a text to be put there by hand.
 */
import { dirname, join } from 'node:path';
import { isInstalled } from '../../agent/program.ts';
import { adapterFor } from '../../agent/registry.ts';
import { Fault } from '../../core/problem.ts';
import type { Disk } from '../../store/disk.ts';
import { sha256 } from '../../store/hash.ts';
import { SETTINGS, TEXT_BYTES_MAX } from '../../store/layout.ts';
import { putIfUnchanged, type Putting } from '../../store/put.ts';
import { makeExecutable } from '../../store/real-disk.ts';
import { makeFolders } from '../../store/tasks.ts';
import { bytesOf } from '../attempt/running.ts';
import { packageFolder } from '../package-folder.ts';
import { EDITOR_TASKS, SNIPPETS } from './editor-files.ts';

export const PROPOSALS = ['gitignore', 'gitattributes', 'pre-commit', 'vscode', 'schemas'] as const;
export type Proposal = (typeof PROPOSALS)[number];

export const PROPOSAL_WORDS: Readonly<Record<Proposal, string>> = {
  gitignore: '.gitignore: desks, temporaries and logs stay out of git',
  gitattributes: '.gitattributes: the Markdown of tasks has the same line ends everywhere',
  'pre-commit': 'a hook of git that runs contracts check --staged',
  vscode: 'VS Code: tasks with a problem matcher, and snippets',
  schemas: 'JSON Schemas in .contracts/schemas/, named in a line added to config.yaml',
};

export interface Client {
  readonly name: string;
  /** The word for `adapter:` that calls it, now or once it is supported. */
  readonly adapter: string;
  readonly callable: boolean;
}

/** By a look at the PATH; nothing is run. */
export function findClients(path: string, root: string): readonly Client[] {
  return ['opencode', 'claude', 'codex', 'gemini']
    .filter((name) => isInstalled(name, path, root))
    .map((name) => ({
      name,
      adapter: name,
      callable: adapterFor(name, { adapters: {} }) !== undefined,
    }));
}

/** By hand: where it belongs and what. */
export interface ByHand {
  readonly file: string;
  readonly text: string;
  /** Why it was left, where that is known. */
  readonly why?: string;
}

export interface CarriedOut {
  /** Relative paths of what was made. */
  readonly made: readonly string[];
  /** And of files that were there and have lines more now. */
  readonly added_to: readonly string[];
  readonly by_hand: readonly ByHand[];
}

export interface Place {
  readonly putting: Putting;
  readonly root: string;
  /** The folder of tasks, relative. */
  readonly tasks: string;
}

/** The ones whose traces are not there yet. */
export function openProposals({ putting: { disk }, root, tasks }: Place): readonly Proposal[] {
  const has = (file: string, line: string): boolean =>
    (textOf(disk, join(root, file)) ?? '').split(/\r?\n/).includes(line);
  const there = (file: string): boolean => disk.stat(join(root, file)) !== undefined;
  const open: Record<Proposal, boolean> = {
    gitignore: ignored(tasks).some((line) => !has('.gitignore', line)),
    gitattributes: !has('.gitattributes', attribute(tasks)),
    'pre-commit': there('.git') && !there('.git/hooks/pre-commit'),
    vscode: !there('.vscode/contracts.code-snippets'),
    schemas: !there(`${SETTINGS}/schemas`),
  };
  return PROPOSALS.filter((name) => open[name]);
}

export function carryOut(place: Place, agreed: readonly Proposal[]): CarriedOut {
  return both(...PROPOSALS.filter((one) => agreed.includes(one)).map((one) => MAKERS[one](place)));
}

const MAKERS: Readonly<Record<Proposal, (place: Place) => CarriedOut>> = {
  gitignore: (place) => lines(place, '.gitignore', ignored(place.tasks)),
  gitattributes: (place) => lines(place, '.gitattributes', [attribute(place.tasks)]),
  'pre-commit': hook,
  vscode: (place) =>
    both(
      editorTasks(place),
      fresh(place, '.vscode/contracts.code-snippets', `${JSON.stringify(SNIPPETS, null, 2)}\n`),
    ),
  schemas,
};

function ignored(tasks: string): string[] {
  return [tasks, `${SETTINGS}/archive`].flatMap((folder) => [
    ...(folder === tasks ? [`/${folder}/.desk/`] : []),
    `/${folder}/**/output.log`,
    `/${folder}/**/.tmp-*`,
    `/${folder}/**/attempts/*/desk/`,
  ]);
}

function attribute(tasks: string): string {
  return `/${tasks}/**/*.md text eol=lf`;
}

function both(...parts: readonly CarriedOut[]): CarriedOut {
  return {
    made: parts.flatMap((part) => part.made),
    added_to: parts.flatMap((part) => part.added_to),
    by_hand: parts.flatMap((part) => part.by_hand),
  };
}

const NOTHING: CarriedOut = { made: [], added_to: [], by_hand: [] };

/** Adds the lines that are missing at the end; a file that is none is left alone. */
function lines(place: Place, file: string, wanted: readonly string[]): CarriedOut {
  const { disk } = place.putting;
  const path = join(place.root, file);
  if (disk.stat(path) === undefined) return fresh(place, file, `${wanted.join('\n')}\n`);
  const text = textOf(disk, path);
  const by_hand = [{ file, text: wanted.join('\n') }];
  if (text === undefined) return { ...NOTHING, by_hand };
  const missing = wanted.filter((line) => !text.split(/\r?\n/).includes(line));
  if (missing.length === 0) return NOTHING;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  const added = `${text}${gap}${missing.join(end)}${end}`;
  return replace(place, file, text, added)
    ? { ...NOTHING, added_to: [file] }
    : { ...NOTHING, by_hand };
}

const HOOK = `#!/bin/sh
# Stops a commit with tasks that cannot be read.
exec contracts check --staged
`;

function hook(place: Place): CarriedOut {
  const file = '.git/hooks/pre-commit';
  const { disk } = place.putting;
  const free = disk.stat(join(place.root, file)) === undefined;
  if (!free || disk.stat(join(place.root, '.git'))?.kind !== 'folder') {
    const has = free
      ? false
      : (textOf(disk, join(place.root, file)) ?? '').includes('check --staged');
    return has ? NOTHING : { ...NOTHING, by_hand: [{ file, text: 'contracts check --staged' }] };
  }
  const done = fresh(place, file, HOOK);
  if (done.made.length > 0) makeExecutable(join(place.root, file));
  return done;
}

/** Into what is there only where it is plain JSON of the form that we know. */
function editorTasks(place: Place): CarriedOut {
  const file = '.vscode/tasks.json';
  const path = join(place.root, file);
  const whole = { version: '2.0.0', tasks: EDITOR_TASKS };
  if (place.putting.disk.stat(path) === undefined) {
    return fresh(place, file, `${JSON.stringify(whole, null, 2)}\n`);
  }
  const by_hand = [{ file, text: JSON.stringify(EDITOR_TASKS, null, 2) }];
  const text = textOf(place.putting.disk, path);
  const known = text === undefined ? undefined : taskList(text);
  if (text === undefined || known === undefined) return { ...NOTHING, by_hand };
  const labels = new Set(known.tasks.map((task) => (task as { label?: unknown } | null)?.label));
  const missing = EDITOR_TASKS.filter((task) => !labels.has(task['label']));
  if (missing.length === 0) return NOTHING;
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const merged = { ...known, tasks: [...known.tasks, ...missing] };
  return replace(place, file, text, `${JSON.stringify(merged, null, indent)}\n`)
    ? { ...NOTHING, added_to: [file] }
    : { ...NOTHING, by_hand };
}

function taskList(text: string): { readonly tasks: readonly unknown[] } | undefined {
  try {
    const value = JSON.parse(text) as { tasks?: unknown } | null;
    const tasks = value?.tasks ?? [];
    return typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Array.isArray(tasks)
      ? { ...value, tasks }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Copies of those of the package; one that is there already stays as it is. */
function schemas(place: Place): CarriedOut {
  const { disk } = place.putting;
  const from = join(packageFolder(), 'schemas');
  let names: readonly string[];
  try {
    names = disk.list(from).map(({ name }) => name);
  } catch (cause) {
    throw new Fault('template', `the schemas of the package are not in ${from}`, {
      cause,
      fix: 'Install the package again',
    });
  }
  const copies = names.map((name) => {
    const text = textOf(disk, join(from, name)) ?? '';
    return fresh(place, `${SETTINGS}/schemas/${name}`, text);
  });
  const line = '# yaml-language-server: $schema=schemas/config.schema.json';
  return both(...copies, lines(place, `${SETTINGS}/config.yaml`, [line]));
}

function fresh(place: Place, file: string, text: string): CarriedOut {
  const path = join(place.root, file);
  if (place.putting.disk.stat(path) !== undefined) return NOTHING;
  makeFolders(place.putting.disk, dirname(path));
  place.putting.disk.create(path, bytesOf(text));
  return { ...NOTHING, made: [file] };
}

function replace(place: Place, file: string, before: string, after: string): boolean {
  const seen = sha256(bytesOf(before));
  return putIfUnchanged(place.putting, join(place.root, file), seen, bytesOf(after)) === 'put';
}

/** undefined for what is missing, no plain file, too large or not UTF-8: then it is left alone. */
function textOf(disk: Disk, path: string): string | undefined {
  if (disk.stat(path)?.kind !== 'file') return undefined;
  const bytes = disk.read(path, TEXT_BYTES_MAX);
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(Buffer.from(bytes)) ? text : undefined;
}
