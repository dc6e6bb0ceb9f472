/**
 * Where agents and skills are described, nearest first (DESIGN §11), as data: our own folder, those of
 * the clients, the same in the person's own folders. Whoever reads resolves `home` and `config`.
 */
import type { Client } from '../core/tools.ts';

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

/** Whose what is described there is. */
export function sourceOf({ base }: Place): 'built-in' | 'project' | 'user' {
  if (base === 'package') return 'built-in';
  return base === 'project' ? 'project' : 'user';
}

/** `.agents/` is nobody's alone: agents stand in `agents/` or at its top, beside what is none. */
const OTHERS_IN_AGENTS = ['agents', 'skills', 'commands', 'hooks', 'prompts', 'rules', 'workflows'];

export const AGENT_PLACES: readonly Place[] = [
  { base: 'project', folder: '.contracts/agents' },
  { base: 'project', folder: '.opencode/agent', client: 'opencode' },
  { base: 'project', folder: '.opencode/agents', client: 'opencode' },
  { base: 'project', folder: '.claude/agents', client: 'claude' },
  { base: 'project', folder: '.agents/agents' },
  { base: 'project', folder: '.agents', skip: OTHERS_IN_AGENTS },
  { base: 'project', folder: '.gemini/agents', client: 'gemini' },
  { base: 'project', folder: '.codex/agents', client: 'codex' },
  { base: 'config', folder: 'contracts/agents' },
  { base: 'config', folder: 'opencode/agent', client: 'opencode' },
  { base: 'config', folder: 'opencode/agents', client: 'opencode' },
  { base: 'home', folder: '.claude/agents', client: 'claude' },
  { base: 'home', folder: '.agents/agents' },
  { base: 'home', folder: '.gemini/agents', client: 'gemini' },
  { base: 'home', folder: '.codex/agents', client: 'codex' },
];

/** A folder in one of these is a skill; agents may stand in its own `agents/`. */
export const SKILL_PLACES: readonly Place[] = [
  { base: 'project', folder: '.contracts/skills' },
  { base: 'project', folder: '.opencode/skill', client: 'opencode' },
  { base: 'project', folder: '.opencode/skills', client: 'opencode' },
  { base: 'project', folder: '.claude/skills', client: 'claude' },
  { base: 'project', folder: '.agents/skills' },
  { base: 'project', folder: '.gemini/skills', client: 'gemini' },
  { base: 'project', folder: '.codex/skills', client: 'codex' },
  { base: 'config', folder: 'contracts/skills' },
  { base: 'config', folder: 'opencode/skill', client: 'opencode' },
  { base: 'config', folder: 'opencode/skills', client: 'opencode' },
  { base: 'home', folder: '.claude/skills', client: 'claude' },
  { base: 'home', folder: '.agents/skills' },
  { base: 'home', folder: '.gemini/skills', client: 'gemini' },
  { base: 'home', folder: '.codex/skills', client: 'codex' },
];

/** A folder with SQUAD.yaml in one of these is a squad. */
export const SQUAD_PLACES: readonly Place[] = [
  { base: 'project', folder: '.contracts/squads' },
  { base: 'project', folder: '.opencode/squads', client: 'opencode' },
  { base: 'project', folder: '.claude/squads', client: 'claude' },
  { base: 'config', folder: 'contracts/squads' },
  { base: 'config', folder: 'opencode/squads', client: 'opencode' },
  { base: 'home', folder: '.claude/squads', client: 'claude' },
  { base: 'package', folder: 'templates/squads' },
];

/** What comes with the package, behind all others. */
export const PACKAGE_AGENTS: Place = { base: 'package', folder: 'templates/agents' };
export const PACKAGE_SKILLS: Place = { base: 'package', folder: 'templates/skills' };

/** Files beside agents that speak to everybody. */
export const NO_AGENTS: ReadonlySet<string> = new Set([
  'README.md',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'LICENSE.md',
]);

/** Of a folder that is an agent or a skill as a whole: the file that says so. */
export const FOLDER_FILES: ReadonlySet<string> = new Set(['SKILL.md', 'AGENT.md']);

/** Letters, digits, dots, dashes; folders are parts of the name. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const NAME_CHARS_MAX = 128;

export function isAgentName(name: string, segment = SEGMENT): boolean {
  return name.length <= NAME_CHARS_MAX && name.split('/').every((part) => segment.test(part));
}

/** The same with letters of any script. */
export function isSkillName(name: string): boolean {
  return isAgentName(name, /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u);
}
