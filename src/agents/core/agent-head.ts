/**
 * The front matter of an agent's file, in the dialect of any client, as our own settings. What narrows
 * an agent there narrows it here; keys of a client that mean nothing to us are skipped.
 */
import {
  agentConfigSchema,
  agentHeadSchema,
  type AgentConfig,
} from '../../task/core/model/policy.ts';
import { fields, isFields } from '../../task/core/base/json.ts';
import { didYouMean, nearestId } from '../../task/core/base/nearest.ts';
import {
  isReadOnly,
  shellPattern,
  TOOL_WORDS,
  toolWords,
  unknownTools,
} from '../../permissions/core/tools.ts';

type Head = Readonly<Record<string, unknown>>;
type Settings = Record<string, unknown>;

export interface HeadNote {
  readonly key: string;
  readonly message: string;
  readonly found?: string;
  readonly fix: string;
}

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
const NOTHING = { write: [], create: [], delete: [], append: [] };

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
  const unread = Object.keys(head).filter((key) => isUnread(head, key));
  if (unread.length > 0) return { ok: false, notes: unread.map(unreadNote) };
  const settings = translated(head, notes);
  const read = agentHeadSchema().safeParse(settings);
  if (!read.success) {
    return { ok: false, notes: read.error.issues.map((issue) => misfit(settings, issue)) };
  }
  const keys = Object.keys(agentConfigSchema().shape);
  const picked = Object.fromEntries(
    keys.filter((key) => key in settings).map((key) => [key, settings[key]]),
  );
  const unknown = ours ? unknownKeys(head, keys, KNOWN_ELSEWHERE, UNUSED) : [];
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
      disabled: head['disable'] === true,
    },
  };
}

const RULE_KEYS = 'action,effect,resource';
/** Names of actions: those of OpenCode 2 on the left (opencode.ai/v2/docs/permissions). */
const ACTIONS: Readonly<Record<string, string>> = {
  shell: 'bash',
  subagent: 'task',
  write: 'edit',
  patch: 'edit',
};

/** The `permissions` of OpenCode 2, an ordered list, as its `permission`. The last rule that matches wins. */
function withRules(head: Head): Head {
  const rules = head['permissions'];
  if (!Array.isArray(rules) || !rules.every(isRule)) return head;
  const all: Record<string, Record<string, unknown>> = {};
  const put = (action: string, { resource, effect }: Head): void => {
    const glob = String(resource ?? '*');
    const { [glob]: _, ...others } = all[action] ?? all['*'] ?? {};
    all[action] = glob === '*' ? { '*': effect } : { ...others, [glob]: effect };
  };
  for (const rule of rules) {
    const action = ACTIONS[String(rule['action'])] ?? String(rule['action']);
    for (const one of action === '*' ? ['*', ...Object.keys(all)] : [action]) put(one, rule);
  }
  const plain = Object.entries(all).map(([action, globs]) => {
    const [[glob, effect] = [], ...more] = Object.entries(globs);
    return [action, glob === '*' && more.length === 0 ? effect : globs];
  });
  const { permissions: _, ...rest } = head;
  return { ...rest, permission: { ...fields(head['permission']), ...Object.fromEntries(plain) } };
}

const isRule = (rule: unknown): rule is Head =>
  isFields(rule) &&
  ['allow', 'deny', 'ask'].includes(String(rule['effect'])) &&
  typeof rule['action'] === 'string' &&
  Object.keys(rule).every((key) => RULE_KEYS.includes(key));

/** Names of keys, of any client, that take permissions away. */
const NARROWS =
  /^(?:permissions?|(?:deny|denied|disallow|disallowed|allowed)[\w-]*|\w*[a-z_-]tools)$/i;
const LISTED = {
  allowed: ['tools', 'tool_access', 'allowed-tools', 'allowedTools', 'allowed_tools'],
  denied: ['disallowedTools', 'disallowed-tools', 'disallowed_tools'],
} as const;
const READ_SO: ReadonlySet<string> = new Set(['permission', ...LISTED.allowed, ...LISTED.denied]);

/** True for a key that may take permissions away in a form that is not known here. */
function isUnread(head: Head, key: string): boolean {
  const value = head[key] ?? undefined;
  if (value === undefined || !NARROWS.test(key)) return false;
  if (!READ_SO.has(key)) return true;
  if (key !== 'permission') return typeof value !== 'string' && !Array.isArray(value);
  return typeof value !== 'string' && !isFields(value);
}

const unreadNote = (key: string): HeadNote => ({
  key,
  message: 'a key that may limit the agent, in a form that is not known',
  found: key,
  fix: 'Say it in known words, such as write: [globs] and tools: [read, search]; or remove it',
});

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

/**
 * What tools and permissions of every dialect narrow. Our own `write` wins over globs of a client; an
 * agent that may change nothing there may change nothing here.
 */
function confined(head: Head, notes: HeadNote[]): Settings {
  const tools = toolsOf(head);
  const looks =
    (tools !== undefined && isReadOnly(tools)) ||
    head['permission'] === 'deny' ||
    head['permissionMode'] === 'plan' ||
    head['sandbox_mode'] === 'read-only';
  const strange = unknownTools(tools ?? []);
  if (strange.length > 0) {
    notes.push({
      key: 'tools',
      message: 'unknown tools, without effect',
      found: strange.join(', '),
      fix: `Name them in these words: ${TOOL_WORDS.join(', ')}`,
    });
  }
  const own = head['write'] ?? undefined;
  const globs = own === undefined ? editsOf(permitted(head, 'edit'), notes) : {};
  // A command that it names may be one of git's.
  const isMute = looks && !tools?.some(shellPattern);
  const denied = deniedTools(head);
  const isShut = denied.has('write') && denied.has('edit');
  const closed = looks || isShut || permitted(head, 'edit') === 'deny';
  return {
    ...(tools === undefined ? {} : { tools }),
    ...globs,
    ...(closed ? NOTHING : {}),
    ...(isMute || permitted(head, 'bash') === 'deny' ? { git: [] } : {}),
  };
}

/** undefined: all of them. */
function toolsOf(head: Head): readonly string[] | undefined {
  const inner = fields(head['metadata'])['tool_access'];
  const given = LISTED.allowed.map((key) => head[key]).find((one) => one != null) ?? inner;
  const denied = deniedTools(head);
  const shell = shellOf(permitted(head, 'bash'));
  const isNone = given === undefined || given === null || isFields(given);
  const named = isNone ? undefined : toolWords(listOf(given));
  // An empty line is no list: without one, a client allows all.
  const listed = typeof given === 'string' && named?.length === 0 ? undefined : named;
  if (listed === undefined && denied.size === 0 && shell === undefined) return undefined;
  const kept = (listed ?? TOOL_WORDS).filter((word) => !denied.has(word));
  const refused = [...denied].filter(shellPattern).map((word) => word.replace('(', '(!'));
  return [...kept.flatMap((word) => (word === 'shell' ? (shell ?? word) : word)), ...refused];
}

/** The shell as OpenCode's `bash` allows it; `*` means the others, and no person can be asked. */
function shellOf(bash: unknown): readonly string[] | undefined {
  if (!isFields(bash)) return bash === 'deny' ? [] : undefined;
  const { '*': others = 'allow', ...rules } = bash;
  const all = Object.entries(rules).map(
    ([glob, is]) => `shell(${is === 'allow' ? '' : '!'}${glob})`,
  );
  const denied = all.filter((one) => one.startsWith('shell(!'));
  const isOpen = others === 'allow' || (others === 'ask' && denied.length === all.length);
  return isOpen ? ['shell', ...denied] : all;
}

/** OpenCode: `tools: { write: false, edit: false }`; Claude: `disallowedTools: Write, Edit`. */
function deniedTools(head: Head): ReadonlySet<string> {
  const tools = Object.entries(fields(head['tools'] ?? head['tool_access']));
  const off = tools.flatMap(([name, on]) => (on === false ? [name] : []));
  const ruled = isFields(head['permission']) ? ['webfetch', 'task'] : [];
  off.push(...ruled.filter((one) => permitted(head, one) === 'deny'));
  return new Set(toolWords([...off, ...LISTED.denied.flatMap((key) => listOf(head[key]))]));
}

/** OpenCode's `permission` of one tool. */
function permitted(head: Head, tool: string): unknown {
  const given = head['permission'];
  return isFields(given) ? (given[tool] ?? given['*']) : given;
}

/** The globs that may be edited, where everything else is denied. */
function editsOf(edit: unknown, notes: HeadNote[]): Settings {
  if (!isFields(edit)) return {};
  const rules = Object.entries(edit);
  const [first] = rules;
  const denied = rules.filter(([glob, what]) => glob !== '*' && what === 'deny');
  if (first?.[0] === '*' && first[1] === 'deny' && denied.length === 0) {
    const write = rules.filter(([, what]) => what !== 'deny').map(([glob]) => glob);
    return { write, create: write, delete: write, append: write };
  }
  if (denied.length > 0) {
    notes.push({
      key: 'permission',
      message: 'single denied files are not protected here',
      found: denied.map(([glob]) => glob).join(', '),
      fix: 'Name what it may write: write: [globs]',
    });
  }
  return {};
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

/** A list, or words with commas as Claude writes them; what is in brackets stays whole. */
function listOf(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.filter((one): one is string => typeof one === 'string').map((one) => one.trim());
  }
  return typeof value === 'string' ? [...(value.match(/(?:\([^)]*\)|[^,\s])+/g) ?? [])] : [];
}
