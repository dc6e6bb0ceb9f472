/**
 * The front matter of an agent's file, in the dialect of any client, as our own settings. What narrows
 * an agent there narrows it here; keys of a client that mean nothing to us are skipped.
 */
import {
  agentConfigSchema,
  agentHeadSchema,
  type AgentConfig,
} from '../../task/core/model/policy.ts';
import { isFields } from '../../task/core/base/json.ts';
import { didYouMean, nearestId } from '../../task/core/base/nearest.ts';
import {
  confined,
  isSwitchedOff,
  isUnread,
  listOf,
  mayNarrow,
  unreadNote,
  withRules,
  type Head,
  type HeadNote,
  type Settings,
} from './head-permissions.ts';

export interface HeadRead {
  readonly config: AgentConfig;
  /** The name that the file itself gives. */
  readonly name: string | undefined;
  readonly disabled: boolean;
}

/** If it cannot be used, there is at least one note. */
export type Noted<T> = { readonly notes: readonly HeadNote[] } & (
  { readonly ok: true; readonly value: T } | { readonly ok: false }
);

const DESCRIPTION_CHARS_MAX = 2000;
/** A misspelt one would leave an agent with more than was meant. */
const NARROWING: ReadonlySet<string> = new Set(
  'write create delete append git strength tools'.split(' '),
);
const UNUSED = 'a key that is not known, and does nothing';
const LOST = 'an unknown key, probably meant to limit the agent';
/** Lists that may be one entry. */
const LISTS = 'write create delete append git delegates_to models'.split(' ');

/** Keys of the clients' own files that mean nothing to us, or that are translated here. */
const KNOWN_ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'name mode temperature top_p steps maxSteps maxTurns max_turns color disable permission ' +
    'permissionMode permissions disallowedTools allowedTools disallowed-tools kind metadata license version prompt hooks mcpServers ' +
    'mcp_servers memory background isolation effort variant options display_name timeout_mins ' +
    'sandbox_mode model_reasoning_effort nickname_candidates developer_instructions allowed-tools ' +
    'tool_access author tags compatibility'
  ).split(' '),
);

/** `ours`: the file is for us alone, so that an unknown key is a mistake. */
export function readAgentHead(given: Head, ours: boolean): Noted<HeadRead> {
  const notes: HeadNote[] = [];
  const head = withRules(given);
  const keys = Object.keys(agentConfigSchema().shape);
  const unread = Object.keys(head).filter((key) => isUnread(head, key, keys));
  if (unread.length > 0) return { ok: false, notes: unread.map(unreadNote) };
  const settings = translated(head, notes);
  const read = agentHeadSchema().safeParse(settings);
  if (!read.success) {
    return { ok: false, notes: read.error.issues.map((issue) => misfit(settings, issue)) };
  }
  const picked = Object.fromEntries(
    keys.filter((key) => key in settings).map((key) => [key, settings[key]]),
  );
  const others = Object.fromEntries(Object.entries(head).filter(([key]) => !mayNarrow(key)));
  const unknown = ours ? unknownKeys(others, keys, KNOWN_ELSEWHERE, UNUSED) : [];
  const lost = unknown.filter(({ near }) => near !== undefined && NARROWING.has(near));
  if (lost.length > 0) {
    return { ok: false, notes: lost.map(({ note }) => ({ ...note, message: LOST })) };
  }
  notes.push(...unknown.map(({ note }) => note));
  return {
    ok: true,
    notes,
    value: {
      config: agentConfigSchema().parse(picked),
      name: typeof head['name'] === 'string' ? head['name'].trim() : undefined,
      disabled: isSwitchedOff(head),
    },
  };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly values?: readonly unknown[];
}

function misfit(settings: Settings, issue: Issue): HeadNote {
  const key = issue.path.map(String).join('.');
  const found = issue.path.reduce<unknown>(
    (value, step) => (Array.isArray(value) || isFields(value) ? Reflect.get(value, step) : value),
    settings,
  );
  const words = issue.values?.map(String);
  if (words === undefined || typeof found !== 'string') {
    return {
      key,
      message: `${key}: ${issue.message}`,
      fix: 'Correct the front matter of this file',
    };
  }
  const fix = didYouMean(found, words).trim() || `It is one of ${words.join(', ')}`;
  return { key, message: `${key}: unknown word`, found, fix };
}

function translated(head: Head, notes: HeadNote[]): Settings {
  const settings: Settings = { ...head };
  for (const key of Object.keys(settings)) {
    // Tools are translated below.
    if (key === 'tools' || (settings[key] ?? undefined) === undefined) delete settings[key];
  }
  if (typeof head['description'] === 'string') {
    settings['description'] = head['description'].slice(0, DESCRIPTION_CHARS_MAX);
  }
  const model = settings['model'];
  if (typeof model === 'string' && /^(?:inherit|default)?$/.test(model.trim())) {
    delete settings['model'];
  }
  const text = head['instructions'] ?? head['prompt'] ?? head['developer_instructions'];
  if (typeof text === 'string') settings['instructions'] = text;
  if (typeof head['skills'] === 'string') settings['skills'] = listOf(head['skills']);
  for (const key of LISTS) if (typeof settings[key] === 'string') settings[key] = [settings[key]];
  const minutes = head['timeout_mins'];
  if (typeof minutes === 'number' && minutes > 0 && settings['timeout'] === undefined) {
    settings['timeout'] = `${Math.ceil(minutes)}m`;
  }
  Object.assign(settings, confined(head, notes));
  return settings;
}

/** The keys that are neither in `keys` nor in `elsewhere`. */
export function unknownKeys(
  head: Head,
  keys: readonly string[],
  elsewhere: ReadonlySet<string>,
  message: string,
): { readonly near: string | undefined; readonly note: HeadNote }[] {
  const unknown = Object.keys(head).filter((key) => !keys.includes(key) && !elsewhere.has(key));
  return unknown.map((key) => {
    const near = nearestId(key, keys);
    const fix = near === undefined ? 'Remove it if it is a mistake' : `Did you mean ${near}?`;
    return { near, note: { key, message, found: key, fix } };
  });
}
