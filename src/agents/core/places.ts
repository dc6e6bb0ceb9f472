/** Where agents and skills are described, nearest first (docs/reference/agents.md#where-they-are-read). */
import { CLIENT_TYPES, GUIDES, type ClientType, PLACES } from '../../clients/core/records.ts';

/**
 * `project`: the workspace root; `home`: the home folder; `config`: XDG_CONFIG_HOME, else ~/.config;
 * `package`: that of this program.
 */
export type Base = 'project' | 'home' | 'config' | 'package';

export interface Place {
  readonly base: Base;
  /** Relative to the base. */
  readonly folder: string;
  /** The client that this folder belongs to. */
  readonly client?: ClientType;
  /** Folders in it that hold something else. */
  readonly skip?: readonly string[];
}

export function sourceOf({ base }: Place): 'built-in' | 'project' | 'user' {
  if (base === 'package') return 'built-in';
  return base === 'project' ? 'project' : 'user';
}

const COMMON = '.agents';

/** Ours and those of the clients, nearest first; the common one belongs to no single client. */
function rootsOf(base: Base): readonly (readonly [root: string, client?: ClientType])[] {
  const owned = (types: readonly ClientType[]) =>
    types.map((type) => [PLACES[type].project.folder, type] as const);
  const first = CLIENT_TYPES.filter((type) => PLACES[type].agents.first);
  const later = CLIENT_TYPES.filter((type) => !PLACES[type].agents.first);
  const here = (types: readonly ClientType[]) =>
    types.filter((type) => base === 'project' || PLACES[type].agents.base === base);
  if (base === 'config') {
    const bare = owned(here(CLIENT_TYPES)).map(
      ([folder, type]) => [folder.slice(1), type] as const,
    );
    return [['contracts'], ...bare];
  }
  const all = [...owned(here(first)), [COMMON] as const, ...owned(here(later))];
  return base === 'project' ? [['.contracts'], ...all] : all;
}

/** The folders of that kind in each of them; some clients also have one with a singular name. */
function placesOf(kind: 'agents' | 'skills' | 'squads'): readonly Place[] {
  return (['project', 'config', 'home'] as const).flatMap((base) =>
    rootsOf(base).flatMap(([root, client]) => {
      const own = client && PLACES[client].agents;
      if (kind === 'squads' && (client === undefined ? root === COMMON : !own?.groups)) return [];
      const kinds = own?.singular ? [kind.slice(0, -1), kind] : [kind];
      return kinds.map((name) => ({ base, folder: `${root}/${name}`, ...(client && { client }) }));
    }),
  );
}

/** In `.agents/` of a project agents are also at the top, beside these folders. */
const BESIDE = ['agents', 'skills', 'commands', 'hooks', 'prompts', 'rules', 'workflows'];

export const AGENT_PLACES: readonly Place[] = placesOf('agents').flatMap((place) => {
  const isCommon = place.base === 'project' && place.folder === '.agents/agents';
  return isCommon ? [place, { base: 'project', folder: '.agents', skip: BESIDE }] : place;
});

/** A folder in one of these is a skill; its own `agents/` may have agents. */
export const SKILL_PLACES = placesOf('skills');

/** A folder with SQUAD.yaml in one of these is a squad. */
export const SQUAD_PLACES: readonly Place[] = [
  ...placesOf('squads'),
  { base: 'package', folder: 'templates/squads' },
];

export const PACKAGE_AGENTS: Place = { base: 'package', folder: 'templates/agents' };
export const PACKAGE_SKILLS: Place = { base: 'package', folder: 'templates/skills' };

/** Files beside agents that are for everybody. */
export const NO_AGENTS: ReadonlySet<string> = new Set([
  ...GUIDES,
  ...['README', 'CONTRIBUTING', 'CHANGELOG', 'LICENSE'].map((name) => `${name}.md`),
]);

/** The file that makes a folder an agent or a skill as a whole. */
export const FOLDER_FILES: ReadonlySet<string> = new Set(['SKILL.md', 'AGENT.md']);

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const NAME_CHARS_MAX = 128;

/** Folders are parts of the name. */
export function isAgentName(name: string, segment = SEGMENT): boolean {
  return name.length <= NAME_CHARS_MAX && name.split('/').every((part) => segment.test(part));
}

/** As isAgentName, with letters of any script. */
export function isSkillName(name: string): boolean {
  return isAgentName(name, /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u);
}
