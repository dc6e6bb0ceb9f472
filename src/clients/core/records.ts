/** Clients of models that can be called by name, in the order in which one is chosen; and lists made of them. */
import * as claude from '../claude/record.ts';
import * as codex from '../codex/record.ts';
import * as gemini from '../gemini/record.ts';
import * as opencode from '../opencode/record.ts';
import {
  names,
  type ClientHome,
  type ClientPlaces,
  type ClientProject,
  type ClientRecord,
  type ClientTools,
} from './client-record.ts';

const ALL = {
  opencode: opencode.places,
  claude: claude.places,
  codex: codex.places,
  gemini: gemini.places,
};
export type ClientType = keyof typeof ALL;
type OfClients<Facts> = Readonly<Record<ClientType, Facts>>;

export const PLACES: OfClients<ClientPlaces> = ALL;
export const TOOLS: OfClients<ClientTools> = {
  opencode: opencode.tools,
  claude: claude.tools,
  codex: codex.tools,
  gemini: gemini.tools,
};
export const HOMES: OfClients<readonly ClientHome[]> = {
  opencode: opencode.homes,
  claude: claude.homes,
  codex: codex.homes,
  gemini: gemini.homes,
};
export const CLIENTS: OfClients<ClientRecord> = {
  opencode: opencode.record,
  claude: claude.record,
  codex: codex.record,
  gemini: gemini.record,
};
export const CLIENT_TYPES = Object.keys(ALL) as readonly ClientType[];

export function isClient(type: string): type is ClientType {
  return Object.hasOwn(ALL, type);
}

/** Files of projects that any client reads. */
export function ofProjects(kind: 'files' | 'guides' | 'json' | 'lines' | 'starts') {
  const all = CLIENT_TYPES.flatMap((type) => names(PLACES[type].project[kind]));
  return [...new Set(all)];
}

export const CLIENT_FOLDERS = CLIENT_TYPES.map((type) => PLACES[type].project.folder);
export const CLIENT_OWN_FILES: NonNullable<ClientProject['own_files']> = Object.assign(
  {},
  ...CLIENT_TYPES.map((type) => PLACES[type].project.own_files),
);

/** Guides that people write: the common one, and those of clients. */
export const GUIDES = [
  ...new Set(['AGENTS.md', ...CLIENT_TYPES.map((type) => PLACES[type].project.guide)]),
];
