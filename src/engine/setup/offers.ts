/**
 * What `init` creates besides its folders, and only when it is asked to: lines for git, a hook of git,
 * tasks for an editor, the schemas, hooks of clients. Their texts are in templates/init/.
 */
import { join } from 'node:path';
import type { Disk } from '../../task/store/disk/disk.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { findGit } from '../../git/find-git.ts';
import {
  addAll,
  fromPackage,
  isThere,
  namesInPackage,
  type CarriedOut,
  type Place,
} from './add-missing.ts';
import { openPlugins } from './client-plugins.ts';
import { block, CHANGED, entries, keyed, lines, tabled, type Addition } from './additions.ts';
import {
  CLIENT_TYPES,
  GUIDES,
  isClient,
  type ClientType,
  PLACES,
} from '../../clients/core/records.ts';

export const PROPOSAL_WORDS = {
  gitignore: '.gitignore: desks, temporaries and logs stay out of git',
  gitattributes: '.gitattributes: the Markdown of tasks has the same line ends everywhere',
  'pre-commit': 'a hook of git that runs contracts check --staged',
  vscode: 'VS Code: tasks with a problem matcher, and snippets',
  schemas: 'JSON Schemas in .contracts/schemas/, named in a line added to config.yaml',
  skills: 'a skill that teaches agent clients to write, delegate and collect contracts',
  mcp: 'a server of six tools, in the settings of the installed agent clients',
  plugin: 'one plugin with the skill, the server, hooks and commands, by the command of the client',
  instructions: `${GUIDES.join(', ')}: how an agent works with contracts`,
} as const;
export type Proposal = keyof typeof PROPOSAL_WORDS;
export const PROPOSALS = Object.keys(PROPOSAL_WORDS) as readonly Proposal[];

const COMMON_SKILLS = '.agents';
const CONFIG = `${SETTINGS}/config.yaml`;
const SCHEMAS = `${SETTINGS}/schemas`;
const COMMANDS = 'templates/plugin/commands';
const SNIPPETS = '.vscode/contracts.code-snippets';

const MAKERS: Readonly<Record<Proposal, (place: Place) => readonly Addition[]>> = {
  gitignore: (place) => [lines('.gitignore', textOf(place, 'root.gitignore'))],
  gitattributes: (place) => [lines('.gitattributes', textOf(place, 'root.gitattributes'))],
  'pre-commit': (place) => {
    const text = textOf(place, 'pre-commit');
    const isCalled = (held: string): boolean => held.includes('check --staged');
    const grow = (held: string) => (isCalled(held) ? held : { why: '' });
    const shrink = (held: string) => (held === text ? '' : isCalled(held) ? CHANGED : held);
    const by_hand = 'contracts check --staged';
    if (gitOf(place) === undefined) return [];
    const file = hookFile(place);
    return [{ file, text, grow, shrink, by_hand, needs: '.git', executable: true }];
  },
  vscode: (place) => {
    const text = textOf(place, 'tasks.json');
    const { tasks } = JSON.parse(text) as { readonly tasks: unknown };
    return [
      { ...entries('.vscode/tasks.json', text), by_hand: JSON.stringify(tasks, null, 2) },
      { file: SNIPPETS, text: textOf(place, 'contracts.code-snippets') },
    ];
  },
  schemas: (place) => {
    const { disk } = place.putting;
    const { kind = 'folder' } = disk.stat(join(place.root, SCHEMAS)) ?? {};
    if (kind !== 'folder') {
      const grow = () => ({ why: `${SCHEMAS} is not a folder` });
      return [{ file: SCHEMAS, text: 'a folder', grow }];
    }
    const copies = namesInPackage(disk, 'schemas').map((name) => {
      return { file: `${SCHEMAS}/${name}`, text: fromPackage(disk, `schemas/${name}`) };
    });
    return [...copies, lines(CONFIG, textOf(place, 'schema-line.yaml'))];
  },
  instructions: (place) => {
    const { root, putting } = place;
    const there = GUIDES.filter((file) => putting.disk.stat(join(root, file)) !== undefined);
    const targetOf = (file: string): string => putting.disk.link?.(join(root, file)) ?? '';
    // One that leads to another of them has its block there.
    const own = there.filter((file) => !there.includes(targetOf(file).replace(/^\.\//, '')));
    const files = own.length > 0 ? own : GUIDES.slice(0, 1);
    return files.map((file) => block(file, textOf(place, 'instructions.md')));
  },
  // Commands of the other clients add it.
  plugin: (place) => {
    const clients = pluginTypes(place.clients);
    const only: Place = { ...place, clients };
    return clients.length === 0
      ? []
      : [...clientHooks(only), ...MAKERS.skills(only), ...clients.flatMap(commandsOf(place))];
  },
  mcp: (place) => serversOf(unplugged(place)).map(({ addition }) => addition),
  skills: (place) => {
    const clients = unplugged(place);
    if (clients.length === 0 && place.clients?.length) return [];
    const own = clients.map((one) => (isClient(one) ? PLACES[one].agents.skills : COMMON_SKILLS));
    const folders = new Set(own.length === 0 ? [COMMON_SKILLS] : own);
    const text = textOf(place, 'skill.md');
    return [...folders]
      .toSorted((a, b) => (a < b ? 1 : -1))
      .map((folder) => ({ file: `${folder}/skills/contracts/SKILL.md`, text }));
  },
};

/** Clients for which the plugin is files of the project. */
function pluginTypes(clients: readonly string[] = []): readonly ClientType[] {
  return CLIENT_TYPES.filter((type) => PLACES[type].hook.plugin && clients.includes(type));
}

/** Slash commands, in a folder of their own. */
const commandsOf =
  ({ putting: { disk } }: Place) =>
  (type: ClientType): readonly Addition[] =>
    namesInPackage(disk, COMMANDS).map((name) => {
      const file = `${PLACES[type].project.folder}/commands/contracts/${name}`;
      return { file, text: fromPackage(disk, `${COMMANDS}/${name}`) };
    });

/** Installed clients without our plugin. */
export function unplugged({ clients = [], plugged = [] }: Place): readonly string[] {
  return clients.filter((one) => !plugged.includes(one));
}

function textOf({ putting: { disk }, tasks }: Place, name: string): string {
  return fromPackage(disk, `templates/init/${name}`, { TASKS: tasks });
}

function gitOf({ putting: { disk }, env, root }: Place) {
  return findGit({ disk, env }, root);
}

/** The file that git calls; what husky has in its own folder calls those above. */
function hookFile({ putting: { disk }, root }: Place): string {
  const settings = textIfThere(disk, join(root, '.git/config')) ?? '';
  const [, folder = '.git/hooks'] = /^\s*hookspath\s*=\s*(.+?)\s*$/im.exec(settings) ?? [];
  return `${folder.replace(/\/_$/, '')}/pre-commit`;
}

/** Proposals of which there is no trace yet. */
export function openProposals(place: Place): readonly Proposal[] {
  const { root, putting } = place;
  const { disk } = putting;
  // Any text will do.
  const lacks = (file: string): boolean => !isThere(disk, root, { file, text: ' ' });
  const isOpen: Readonly<Record<Proposal, () => boolean>> = {
    gitignore: () => !MAKERS.gitignore(place).every((one) => isThere(disk, root, one)),
    gitattributes: () => !MAKERS.gitattributes(place).every((one) => isThere(disk, root, one)),
    'pre-commit': () => gitOf(place)?.top === root && lacks(hookFile(place)),
    vscode: () => lacks(SNIPPETS),
    schemas: () => lacks(SCHEMAS),
    instructions: () => !MAKERS.instructions(place).every((one) => isThere(disk, root, one)),
    plugin: () =>
      openPlugins(place).length > 0 ||
      MAKERS.plugin(place).some((one) => !isThere(disk, root, one)),
    mcp: () => MAKERS.mcp(place).some((one) => !isThere(disk, root, one)),
    skills: () => MAKERS.skills(place).some(({ file }) => lacks(file)),
  };
  return PROPOSALS.filter((name) => isOpen[name]());
}

interface Agreed {
  readonly hooks: boolean;
  /** Lines of config.yaml. */
  readonly settings?: readonly string[];
}

/** In this clone only: what all of them ignore is for people to say. */
export const EXCLUDED = lines('.git/info/exclude', '/LEDGER.md\n');

export function carryOut(place: Place, agreed: readonly Proposal[], more: Agreed): CarriedOut {
  const { hooks, settings = [] } = more;
  const { root, putting } = place;
  const kindOf = (path: string) => putting.disk.stat(join(root, path))?.kind;
  // A ledger of their own is theirs.
  const hides = kindOf('.git/info') === 'folder' && kindOf('LEDGER.md') === undefined;
  return addAll(place, [
    ...(hides ? [EXCLUDED] : []),
    ...(settings.length > 0 ? [lines(CONFIG, settings.join('\n'))] : []),
    ...additionsOf(place, agreed, hooks),
  ]);
}

export function additionsOf(
  place: Place,
  agreed: readonly Proposal[],
  hooks: boolean,
): readonly Addition[] {
  const additions = PROPOSALS.flatMap((one) => (agreed.includes(one) ? MAKERS[one](place) : []));
  const all = [...additions, ...(hooks ? clientHooks(place) : [])];
  // The plugin and the hooks share some.
  return [...new Map(all.map((one) => [`${one.file}\0${one.text}`, one])).values()];
}

/** Makes clients ask before each use of a tool, in the settings that they read in a project. */
function clientHooks(place: Place): readonly Addition[] {
  const { disk } = place.putting;
  const clients = unplugged(place);
  if (clients.length === 0 && place.clients?.length) return [];
  const settings = clientSettings(disk, false, clients);
  const isCalled = (type: ClientType) => clients.length === 0 || clients.includes(type);
  if (!CLIENT_TYPES.some((type) => PLACES[type].hook.plugin && isCalled(type))) return settings;
  const plugin = fromPackage(disk, 'templates/opencode-plugin.js');
  const file = `${SETTINGS}/opencode-plugin.js`;
  const grow = (held: string) => (held === plugin ? held : { why: 'it is of another version' });
  const by_hand = `Remove it, and run: contracts init --hooks`;
  return [{ file, text: plugin, grow, by_hand }, ...settings];
}

/** Files of these clients, or of all where none is named. No path of this machine is in them: they are committed. */
function clientSettings(
  disk: Disk,
  first = false,
  clients: readonly string[] = [],
): readonly Addition[] {
  return CLIENT_TYPES.filter((type) => clients.length === 0 || clients.includes(type)).map(
    (type) => {
      const { file, template } = PLACES[type].hook;
      return entries(file, fromPackage(disk, `templates/init/${template}`), first);
    },
  );
}

/** Entries of our server for these clients; and what each then asks the person. */
export function serversOf(clients: readonly string[]) {
  return CLIENT_TYPES.filter((type) => clients.includes(type)).map((type) => {
    const { file, keys, listed, approval } = PLACES[type].mcp;
    const [command, args] = ['contracts', ['mcp']];
    const value = listed ? { type: 'local', command: [command, ...args] } : { command, args };
    const addition =
      keys === undefined
        ? tabled(file, 'mcp_servers.contracts', ['command = "contracts"', 'args = ["mcp"]'])
        : keyed(file, keys.split('.'), value);
    return { type, addition, approval };
  });
}

/** Relative paths of the settings in this project that make a client ask. */
export function activeHooks(disk: Disk, root: string): readonly string[] {
  return clientSettings(disk, true).flatMap((one) => (isThere(disk, root, one) ? [one.file] : []));
}
