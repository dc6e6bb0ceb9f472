/** Where agents and skills are described, nearest first (docs/reference/agents.md#where-they-are-read). */
import { CLIENTS, type Client } from '../../permissions/core/tools.ts';

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
  readonly client?: Client;
  /** Folders in it that hold something else. */
  readonly skip?: readonly string[];
}

export function sourceOf({ base }: Place): 'built-in' | 'project' | 'user' {
  if (base === 'package') return 'built-in';
  return base === 'project' ? 'project' : 'user';
}

/** Ours and those of the clients, nearest first; `.agents` belongs to no single client. */
const ROOTS: readonly (readonly [base: Base, folders: readonly string[]])[] = [
  ['project', ['.contracts', '.opencode', '.claude', '.agents', '.gemini', '.codex']],
  ['config', ['contracts', 'opencode']],
  ['home', ['.claude', '.agents', '.gemini', '.codex']],
];

/** The folder of that kind in each of them; OpenCode also has one with a singular name. */
function placesOf(kind: 'agents' | 'skills' | 'squads'): readonly Place[] {
  return ROOTS.flatMap(([base, roots]) =>
    roots.flatMap((root) => {
      const client = CLIENTS.find((one) => root.endsWith(one));
      const names = client === 'opencode' ? [kind.slice(0, -1), kind] : [kind];
      return names.map((name) => ({ base, folder: `${root}/${name}`, ...(client && { client }) }));
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
  ...placesOf('squads').filter(({ folder }) =>
    /(?:contracts|opencode|claude)\/squads/.test(folder),
  ),
  { base: 'package', folder: 'templates/squads' },
];

export const PACKAGE_AGENTS: Place = { base: 'package', folder: 'templates/agents' };
export const PACKAGE_SKILLS: Place = { base: 'package', folder: 'templates/skills' };

/** Files beside agents that are for everybody. */
export const NO_AGENTS: ReadonlySet<string> = new Set(
  ['README', 'AGENTS', 'CLAUDE', 'GEMINI', 'CONTRIBUTING', 'CHANGELOG', 'LICENSE'].map(
    (name) => `${name}.md`,
  ),
);

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
