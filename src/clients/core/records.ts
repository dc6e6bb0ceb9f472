/** Clients of models that can be called by name, in the order in which one is chosen; and lists made of them. */
import { claude } from '../claude/record.ts';
import { codex } from '../codex/record.ts';
import { gemini } from '../gemini/record.ts';
import { opencode } from '../opencode/record.ts';
import { names, type ClientProject, type ClientRecord } from './client-record.ts';

const ALL = { opencode, claude, codex, gemini };
export type ClientType = keyof typeof ALL;

export const CLIENTS: Readonly<Record<ClientType, ClientRecord>> = ALL;
export const CLIENT_TYPES = Object.keys(ALL) as readonly ClientType[];

export function isClient(type: string): type is ClientType {
  return Object.hasOwn(CLIENTS, type);
}

/** Files of projects that any client reads. */
export function ofProjects(kind: 'files' | 'guides' | 'json' | 'lines' | 'starts') {
  const all = CLIENT_TYPES.flatMap((type) => names(CLIENTS[type].project[kind]));
  return [...new Set(all)];
}

export const CLIENT_FOLDERS = CLIENT_TYPES.map((type) => CLIENTS[type].project.folder);
export const CLIENT_OWN_FILES: NonNullable<ClientProject['own_files']> = Object.assign(
  {},
  ...CLIENT_TYPES.map((type) => CLIENTS[type].project.own_files),
);

/** Guides that people write: the common one, and those of clients. */
export const GUIDES = [
  ...new Set(['AGENTS.md', ...CLIENT_TYPES.map((type) => CLIENTS[type].project.guide)]),
];
