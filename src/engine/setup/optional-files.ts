/**
 * What `init` offers beside its folders, and makes only when it was agreed to: lines for git, a hook,
 * tasks for an editor, the schemas. Nothing is ever replaced: missing lines are added to a file, and
 * what cannot be added without a guess is given back as a text to be put there by hand.
 */
import { join } from 'node:path';
import { isInstalled } from '../../process/program.ts';
import { adapterFor } from '../../clients/adapters/registry.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { makeExecutable } from '../../task/store/disk/real-disk.ts';
import {
  addEntries,
  addFile,
  addLines,
  fromPackage,
  namesInPackage,
  NOTHING,
  shutAbove,
  textAt,
  together,
  type CarriedOut,
  type Place,
} from './add-missing.ts';

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

/** The ones whose traces are not there yet. */
export function openProposals({ putting: { disk }, root, tasks }: Place): readonly Proposal[] {
  const has = (file: string, line: string): boolean => {
    const text = textAt(disk, join(root, file));
    return typeof text === 'string' && text.split(/\r?\n/).includes(line);
  };
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
  const wanted = PROPOSALS.filter((one) => agreed.includes(one));
  return together(wanted.map((one) => MAKERS[one](place)));
}

const MAKERS: Readonly<Record<Proposal, (place: Place) => CarriedOut>> = {
  gitignore: (place) => addLines(place, '.gitignore', ignored(place.tasks)),
  gitattributes: (place) => addLines(place, '.gitattributes', [attribute(place.tasks)]),
  'pre-commit': hook,
  vscode: (place) => {
    const snippets = offered(place, 'contracts.code-snippets');
    return together([
      editorTasks(place),
      addFile(place, '.vscode/contracts.code-snippets', snippets),
    ]);
  },
  schemas,
};

function offered({ putting: { disk } }: Place, name: string): string {
  return fromPackage(disk, `templates/init/${name}`);
}

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

function hook(place: Place): CarriedOut {
  const file = '.git/hooks/pre-commit';
  const { disk } = place.putting;
  const text = offered(place, 'pre-commit');
  const why = shutAbove(disk, place.root, file);
  if (why !== undefined) return { ...NOTHING, by_hand: [{ file, text, why }] };
  const there = textAt(disk, join(place.root, file));
  if (there !== undefined || disk.stat(join(place.root, '.git'))?.kind !== 'folder') {
    const has = typeof there === 'string' && there.includes('check --staged');
    return has ? NOTHING : { ...NOTHING, by_hand: [{ file, text: 'contracts check --staged' }] };
  }
  const done = addFile(place, file, text);
  makeExecutable(join(place.root, file));
  return done;
}

/** Into what is there only where it is plain JSON of the form that we know. */
function editorTasks(place: Place): CarriedOut {
  const { tasks, ...beside } = JSON.parse(offered(place, 'tasks.json')) as {
    readonly tasks: readonly { readonly label: string }[];
  };
  const entries = tasks.map((value) => ({ value, mark: `"label":${JSON.stringify(value.label)}` }));
  const list = { file: '.vscode/tasks.json', keys: ['tasks'], entries, beside };
  const { by_hand, ...done } = addEntries(place, list, JSON.stringify(tasks, null, 2));
  return { ...done, by_hand: by_hand.map(({ file, text }) => ({ file, text })) };
}

/** Copies of those of the package; one that is there already stays as it is. */
function schemas(place: Place): CarriedOut {
  const { disk } = place.putting;
  const folder = `${SETTINGS}/schemas`;
  const why = shutAbove(disk, place.root, `${folder}/any`);
  if (why !== undefined) return { ...NOTHING, by_hand: [{ file: folder, text: 'a folder', why }] };
  const copies = namesInPackage(disk, 'schemas').map((name) =>
    addFile(place, `${folder}/${name}`, fromPackage(disk, `schemas/${name}`)),
  );
  const line = '# yaml-language-server: $schema=schemas/config.schema.json';
  return together([...copies, addLines(place, `${SETTINGS}/config.yaml`, [line])]);
}
