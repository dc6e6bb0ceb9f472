/**
 * An agent of a squad, with its permissions. Pure. Without any it may write deliverables of plans and their
 * notepads, or has the permissions of the built-in role of its name. A squad may come from anywhere, so it
 * cannot permit settings of the runner or clients, or pushing by git.
 */
import {
  namesSettings,
  READ_ONLY,
  type Permissions,
  type GitOperation,
} from '../../task/core/model/permissions.ts';
import { NOTEPAD_FILES } from '../../permissions/core/roles.ts';
import type { SquadLimits } from './squad-schema.ts';
import { nearestId } from '../../task/core/base/nearest.ts';
import type { AgentConfig } from '../../task/core/model/policy.ts';
import { readAgentHead, type Noted } from '../../agents/core/agent-head.ts';
import type { HeadNote } from '../../agents/core/head-permissions.ts';
import type { AgentDefinition, AgentSource } from '../../agents/core/agents.ts';
import type { ClientType } from '../../clients/core/records.ts';

export interface Member {
  readonly squad: string;
  readonly name: string;
  readonly source: AgentSource;
  readonly file: string;
  readonly client?: ClientType | undefined;
  /** SQUAD.yaml over the agent's own file. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Its instructions; may be empty. */
  readonly text: string;
  /** The built-in role of that name. */
  readonly role?:
    | {
        readonly permissions: Permissions;
        readonly definition?: AgentDefinition | undefined;
      }
    | undefined;
  readonly limits: SquadLimits;
  /** Other agents of the squad, for a chief. */
  readonly others: readonly string[];
}

export interface MemberRead {
  readonly definition: AgentDefinition;
  readonly is_chief: boolean;
  /** True if it has no instructions. */
  readonly wordless: boolean;
}

const DELIVERABLES: readonly string[] = ['.contracts/plans/*/deliverables/**'];
/** Operations that stay on this machine. */
const GIVEN_GIT: ReadonlySet<GitOperation> = new Set(['add', 'commit', 'branch', 'stash']);
const ALLOWED = ['write', 'create', 'delete', 'append'] as const;
/** Keys that only agents of squads have. */
const OWN_KEYS: ReadonlySet<string> = new Set(
  'write_paths is_chief fallback prompt prompt_file name'.split(' '),
);

export function memberOf(member: Member): Noted<MemberRead> {
  const { head, squad, name } = member;
  const lost = Object.keys(head).filter((key) => !OWN_KEYS.has(key) && nearestId(key, LIMITING));
  const read = readAgentHead(translated(head), true);
  const wrong = read.ok ? [] : read.notes.map((note) => asWritten(note, head));
  if (!read.ok || lost.length > 0) {
    return { ok: false, notes: [...lost.map((key) => ({ ...LOST, key, found: key })), ...wrong] };
  }
  const notes = [...read.notes];
  const config = withoutSettings(read.value.config, notes);
  const is_chief = head['is_chief'] === true;
  const { wordless, ...words } = wordsOf(member, config);
  const definition: AgentDefinition = {
    ...member.limits,
    ...config,
    ...allowedOf(config, member.role?.permissions, notes),
    ...words,
    ...(is_chief && config.delegates_to === undefined ? { delegates_to: [...member.others] } : {}),
    name: `${squad}/${name}`,
    source: member.source,
    file: member.file,
    client: member.client,
    ...(read.value.disabled ? { disabled: true } : {}),
  };
  return { ok: true, value: { definition, is_chief, wordless }, notes };
}

/** Other keys that limit an agent are checked with its own keys. */
const LIMITING = ['write_paths'];
const LOST = {
  message: 'an unknown key, probably meant to limit the agent',
  fix: 'Did you mean write_paths?',
};

/** Reports keys under the names that the squad uses. */
function asWritten(note: HeadNote, head: Member['head']): HeadNote {
  const [key = '', ...rest] = note.key.split('.');
  const word = { write: 'write_paths', models: 'fallback' }[key];
  if (word === undefined || head[word] === undefined) return note;
  const own = [word, ...rest].join('.');
  return { ...note, key: own, message: note.message.replace(note.key, own) };
}

/** With the keys of an agent's own file. */
function translated(head: Member['head']): Record<string, unknown> {
  const kept = Object.entries(head).filter(([key]) => !OWN_KEYS.has(key));
  const settings = Object.fromEntries(kept);
  if (head['write_paths'] !== undefined) settings['write'] = head['write_paths'];
  if (head['fallback'] !== undefined) settings['models'] ??= head['fallback'];
  return settings;
}

function wordsOf({ squad, name, text, role }: Member, config: AgentConfig) {
  const description = config.description ?? role?.definition?.description;
  const own = text.trim() === '' ? config.instructions : text.trim();
  const opening = `You are ${name} in the squad ${squad}.`;
  const written = own ?? role?.definition?.instructions;
  const instructions = written ?? [opening, description ?? ''].join(' ').trim();
  const wordless = written === undefined;
  return { instructions, wordless, ...(description === undefined ? {} : { description }) };
}

function withoutSettings(config: AgentConfig, notes: HeadNote[]): AgentConfig {
  const kept = { ...config };
  for (const key of ALLOWED) {
    const refused = config[key]?.filter(namesSettings) ?? [];
    if (refused.length === 0) continue;
    kept[key] = config[key]?.filter((glob) => !refused.includes(glob));
    notes.push({
      key: key === 'write' ? 'write_paths' : key,
      message: 'a squad cannot permit changes to settings of the runner or of clients',
      found: refused.join(', '),
      fix: 'Name other files, or give the permission in .contracts/config.yaml: agents',
    });
  }
  return kept;
}

type Allowed = Pick<Permissions, 'write' | 'create' | 'delete' | 'append' | 'git'>;

function allowedOf(config: AgentConfig, role: Permissions | undefined, notes: HeadNote[]) {
  const { write, create, append, git } = config;
  const own = write !== undefined || create !== undefined || append !== undefined;
  const allowed: Allowed = own
    ? {
        write: write ?? [],
        create: create ?? write ?? [],
        delete: config.delete ?? write ?? [],
        append: append ?? NOTEPAD_FILES,
        git: [],
      }
    : (role ?? { ...READ_ONLY, write: DELIVERABLES, create: DELIVERABLES, append: NOTEPAD_FILES });
  const beyond = (git ?? []).filter((one) => !GIVEN_GIT.has(one));
  if (beyond.length > 0) {
    notes.push({
      key: 'git',
      message: 'a squad cannot permit what leaves this machine',
      found: beyond.join(', '),
      fix: 'Give such work to devops, or give the permission in .contracts/config.yaml: agents',
    });
  }
  return {
    write: [...allowed.write],
    create: [...allowed.create],
    delete: [...allowed.delete],
    append: [...allowed.append],
    git: git === undefined ? [...allowed.git] : git.filter((one) => GIVEN_GIT.has(one)),
  };
}
