/**
 * Permissions that the front matter of an agent takes away, in the dialect of any client, as our own settings. A key
 * or a value that may take something away and is not understood is unread, never skipped.
 */
import { fields, isFields } from '../../task/core/base/json.ts';
import {
  clientNames,
  isReadOnly,
  shellPattern,
  TOOL_WORDS,
  toolWord,
  toolWords,
  unknownTools,
  type ToolWord,
} from '../../permissions/core/tools.ts';

export type Head = Readonly<Record<string, unknown>>;
export type Settings = Record<string, unknown>;

export interface HeadNote {
  readonly key: string;
  readonly message: string;
  readonly found?: string;
  readonly fix: string;
}

const RULE_KEYS = 'action,effect,resource';
/** Names of actions: those of OpenCode 2 on the left (opencode.ai/v2/docs/permissions). */
const ACTIONS: Readonly<Record<string, string>> = {
  shell: 'bash',
  subagent: 'task',
  write: 'edit',
  patch: 'edit',
};

/**
 * The `permissions` of OpenCode 2, an ordered list, as its `permission`, in which a text is a rule for all. The
 * last rule that matches wins.
 */
export function withRules(given: Head): Head {
  const own = given['permission'];
  const isText = own !== '' && ['string', 'boolean'].includes(typeof own);
  const head = isText ? { ...given, permission: { '*': own } } : given;
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

const LISTED = {
  allowed: ['tools', 'tool_access', 'allowed-tools', 'allowedTools', 'allowed_tools'],
  denied: ['disallowedTools', 'disallowed-tools', 'disallowed_tools'],
} as const;
/** Names of keys, of any client, that take permissions away. They are without `-`, `_` and capital letters. */
const NARROWS =
  /^(?:(?:default)?permissions?|(?:deny|denied|disallow|disallowed|allowed|forbid|forbidden)(?!models?$|providers?$).*|allow|(?!dev|require).*tools|tool|toolaccess|write|create|delete|append|git|strength)$/;
/** Keys of one word: which words allow to look alone, and which take no file away. */
const MODES: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  permissionmode: [
    /^(?:plan|readonly)$/,
    /^(?:default|acceptedits|bypasspermissions|dontask|auto)$/,
  ],
  sandboxmode: [/^readonly$/, /^(?:workspacewrite|dangerfullaccess)$/],
  sandbox: [/^readonly$/, /^(?:workspacewrite|dangerfullaccess|false|no|none|off)$/],
  approvalmode: [/^plan$/, /^(?:default|autoedit|yolo)$/],
  approvalpolicy: [/^untrusted$/, /^(?:onrequest|onfailure|never)$/],
  // Any other key of a mode, too: most words name no permission.
  mode: [/^(?:plan|readonly|ask)$/, /^/],
  readonly: [/^(?:true|yes|on|y|1)$/, /^(?:false|no|off|n|0)$/],
};
/** Tables of a TOML head in which single keys take something away. */
export const TABLES = /^(?:features|mcp_servers)$/;
const DENIES = /^(?:false|no|off|n|0|deny|denied|disabled?|never|none)$/;
const ALLOWS = /^(?:true|yes|on|y|1|allow|allowed|enabled?)$/;

/** A mapping or a list is no word. */
const bare = (word: unknown): string =>
  typeof word === 'object'
    ? ''
    : String(word)
        .toLowerCase()
        .replace(/[-_\s]/g, '');

type Effect = 'deny' | 'ask' | 'allow';
/** By glob, in their order; `*` is everything else. */
type Rules = Readonly<Record<string, Effect>>;

/** undefined: no word that is known. */
function effect(value: unknown): Effect | undefined {
  const word = bare(value);
  if (DENIES.test(word)) return 'deny';
  return word === 'ask' ? 'ask' : ALLOWS.test(word) ? 'allow' : undefined;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || JSON.stringify(value) === '{}';

/** True for a key whose name may take permissions away. */
export const mayNarrow = (key: string): boolean =>
  NARROWS.test(bare(key)) || Object.hasOwn(MODES, bare(key));

const modeOf = (key: string): readonly [RegExp, RegExp] | undefined =>
  MODES[bare(key)] ?? (bare(key).endsWith('mode') ? MODES['mode'] : undefined);

const IS_OFF = /^(?:disabled?=allow|enabled=deny)$/;
export const isSwitchedOff = (head: Head): boolean =>
  Object.keys(head).some((key) => IS_OFF.test(`${bare(key)}=${effect(head[key])}`));

/** True for a key that may take permissions away in a form that is not known here. `own`: keys of ours. */
export function isUnread(head: Head, key: string, own: readonly string[]): boolean {
  const value = head[key];
  if (isEmpty(value)) return false;
  const isAll = (is: (one: unknown) => boolean) => Object.values(fields(value)).every(is);
  const isEffect = (one: unknown): boolean => effect(one) !== undefined;
  if (key === 'permission') {
    const isRead = (one: unknown): boolean =>
      isFields(one) ? Object.values(one).every(isEffect) : isEffect(one);
    return !isFields(value) || !isAll(isRead);
  }
  const isList = typeof value === 'string' || Array.isArray(value);
  const isDenied = LISTED.denied.some((one) => one === key);
  for (const one of mayNarrow(key) ? listOf(value) : [])
    if ((isDenied || TAKEN.test(one)) && filesOf(one.replace(TAKEN, ''))) return true;
  if (key === 'tools' || key === 'tool_access') return !isAll(isEffect);
  if (LISTED.allowed.some((one) => one === key)) return !isList;
  if (isDenied) return !isList || [value].flat().some((one) => typeof one !== 'string');
  const mode = modeOf(key);
  if (mode !== undefined) return !mode.some((words) => words.test(bare(value)));
  if (own.includes(key)) return false;
  const inner = Object.entries(fields(value)).flatMap((one) =>
    isFields(one[1]) ? Object.entries(one[1]) : [one],
  );
  const isLooking = /^access=read$|=(?:readonly|viewonly|no(?:changes|edits?|writes?))$/;
  return (
    [[key, value] as const, ...inner].some(([name, on]) => deniesTool(name, on)) ||
    mayNarrow(key) ||
    (key !== 'name' && isLooking.test(`${bare(key)}=${bare(value)}`))
  );
}

/** `bash: false`, `can_write: no`, `shell_tool: off`, and lists of a server's tools. */
function deniesTool(key: string, value: unknown): boolean {
  const verb = bare(key).replace(/^(?:can|may|allows?)?(.+?)(?:tool|s)?$/, '$1');
  const isOne = /^(?:create|delete|modify|unifiedexec)$/.test(verb) || toolWord(key);
  const isList = /^(?:dis|en|ex|in).*tools$/.test(bare(key));
  return isList || (Boolean(isOne || toolWord(verb)) && effect(value) === 'deny');
}

export const unreadNote = (key: string): HeadNote => ({
  key,
  message: 'a key that may limit the agent, in a form that is not known',
  found: key,
  fix: 'Say it in known words, such as write: [globs] and tools: [read, search]; or remove it',
});

/**
 * Settings as tools and permissions of every dialect narrow them. Our own `write` wins over globs of a client; an
 * agent that may change nothing there may change nothing here.
 */
export function confined(head: Head, notes: HeadNote[]): Settings {
  const tools = toolsOf(head);
  const edits = permitted(head, ['edit', 'write']);
  const shell = permitted(head, ['shell']);
  const isMode = (key: string): boolean => modeOf(key)?.[0].test(bare(head[key])) ?? false;
  const looks =
    (tools !== undefined && isReadOnly(tools)) ||
    (edits === 'deny' && shell === 'deny') ||
    Object.keys(head).some(isMode);
  const strange = unknownTools([...new Set([...(tools ?? []), ...deniedTools(head)])]);
  if (strange.length > 0) {
    notes.push({
      key: 'tools',
      message: 'unknown tools, without effect',
      found: strange.join(', '),
      fix: `Name them in these words: ${TOOL_WORDS.join(', ')}`,
    });
  }
  const own = head['write'] ?? undefined;
  const globs = own === undefined ? { ...listedFiles(head), ...editsOf(edits, notes) } : {};
  // A command that it names may be one of git's.
  const isMute = looks && !tools?.some(shellPattern);
  const denied = deniedTools(head);
  const isShut = denied.has('write') && denied.has('edit');
  const closed = looks || isShut || edits === 'deny';
  return {
    ...(tools === undefined ? {} : { tools }),
    ...globs,
    ...(closed ? only([]) : {}),
    ...(isMute || shell === 'deny' ? { git: [] } : {}),
  };
}

/** Files of `Edit(docs/**, *.md)`; undefined without, and for other tools. */
function filesOf(name: string): readonly string[] | undefined {
  const all = isEdit(name) ? listOf(/\((.*?)\)?$/s.exec(name)?.[1]) : [];
  return all.length === 0 || all.some((one) => ALL_FILES.test(one)) ? undefined : all;
}

/** The globs of a list in which each tool that writes has some; `/` is the project, `//` the disk. */
function listedFiles(head: Head): Settings {
  const files: string[] = [];
  for (const one of listsOf(head).allowed ?? [])
    if (one === '*' || isEdit(one)) files.push(...(filesOf(one) ?? ['**']));
  if (files.length === 0 || files.includes('**')) return {};
  const inside = files.filter((one) => !/^(?:\/\/|~|\.\.(?:\/|$)|[a-z]:)/i.test(one));
  const globs = inside.map((one) => one.replace(/\/$/, '/**').replace(/^(?!.*\/)/, '/**/'));
  return only(globs.map((one) => one.replace(/^\.?\//, '')));
}

const isEdit = (name: string): boolean => ['write', 'edit'].includes(toolWord(name) ?? '');
const only = (all: readonly string[]) => ({ write: all, create: all, delete: all, append: all });

/** `!Bash` in a list takes a tool away. */
const TAKEN = /^[!-]/;

/** Tools that the first list allows, and those that any list takes away; a mapping is no list. */
function listsOf(head: Head): { readonly allowed: string[] | undefined; readonly not: string[] } {
  const inner = fields(head['metadata'])['tool_access'];
  const given = [...LISTED.allowed.map((key) => head[key]), inner];
  const lists = given.filter((one) => one !== undefined && one !== null && !isFields(one));
  const not = lists.flatMap(listOf).filter((one) => TAKEN.test(one));
  const [allowed] = lists.flatMap((one) => {
    const words = listOf(one).filter((name) => !TAKEN.test(name));
    // An empty line is no list, and neither is one that only takes away: a client allows all.
    const isOpen = words.length === 0 && (typeof one === 'string' || listOf(one).length > 0);
    return isOpen ? [] : [words];
  });
  return { allowed, not: not.map((one) => one.slice(1)) };
}

/** undefined: all of them. */
function toolsOf(head: Head): readonly string[] | undefined {
  const { allowed } = listsOf(head);
  const denied = deniedTools(head);
  const shell = shellOf(permitted(head, ['shell']));
  if (allowed === undefined && denied.size === 0 && shell === undefined) return undefined;
  const kept = toolWords(allowed ?? TOOL_WORDS).filter((word) => !denied.has(word));
  const refused = [...denied].filter(shellPattern).map((word) => word.replace('(', '(!'));
  return [...kept.flatMap((word) => (word === 'shell' ? (shell ?? word) : word)), ...refused];
}

/** The shell as OpenCode's `bash` allows it; `*` means the others, and no person can be asked. */
function shellOf(bash: Rules | Effect | undefined): readonly string[] | undefined {
  if (typeof bash !== 'object') return bash === 'deny' ? [] : undefined;
  const { '*': others = 'allow', ...rules } = bash;
  const all = Object.entries(rules).map(
    ([glob, is]) => `shell(${is === 'allow' ? '' : '!'}${glob})`,
  );
  const denied = all.filter((one) => one.startsWith('shell(!'));
  const isOpen = others === 'allow' || (others === 'ask' && denied.length === all.length);
  return isOpen ? ['shell', ...denied] : all;
}

/** Names off by `tools: { write: false, "edit*": no }` and by `disallowedTools: Write, Edit`. */
function deniedTools(head: Head): ReadonlySet<string> {
  const maps = [head['tools'], head['tool_access'], fields(head['metadata'])['tool_access']];
  /** Taken away by a glob, until a name gives it back. */
  const wide = new Set<string>();
  const off: string[] = [];
  for (const [name, on] of maps.flatMap((map) => Object.entries(fields(map)))) {
    const isOff = effect(on) !== 'allow' && (isEdit(name) || effect(on) !== 'ask');
    if (!name.includes('*')) for (const word of toolWords([name])) wide.delete(word);
    if (isOff && name.includes('*')) for (const word of wordsLike(name)) wide.add(word);
    else if (isOff) off.push(name);
  }
  off.push(...(['fetch', 'task'] as const).filter((one) => permitted(head, [one]) === 'deny'));
  const listed = LISTED.denied.flatMap((key) => listOf(head[key]));
  const named = [...off, ...listed, ...listsOf(head).not].flatMap(wordsLike);
  return new Set([...wide, ...toolWords(named)]);
}

/** The words for the tools that a glob matches, such as `edit*`. */
function wordsLike(name: string): readonly string[] {
  if (!name.includes('*') || name.includes('(')) return [name];
  const of = (word: ToolWord) => [word, ...clientNames(word)];
  const words = TOOL_WORDS.filter((word) => of(word).some((one) => isLike(name, one)));
  return words.length > 0 ? words : [name];
}

function isLike(glob: string, name: string): boolean {
  const parts = glob.split('*').map((part) => part.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
}

/** OpenCode's `permission` of these tools: one word where it is the same for all. A later rule wins. */
function permitted(head: Head, tools: readonly ToolWord[]): Rules | Effect | undefined {
  let all: Record<string, Effect> = {};
  for (const [key, value] of Object.entries(fields(head['permission']))) {
    const isWide = key.includes('*');
    if (!wordsLike(key).some((name) => tools.some((one) => toolWord(name) === one))) continue;
    const rules = Object.entries(isFields(value) ? value : { '*': value });
    // Not every version goes by the order of tools: a denied one stays denied.
    if (!isWide && !isFields(value) && effect(value) === 'deny') return 'deny';
    for (const [given, word] of rules) {
      const said = effect(word) ?? 'deny';
      // No person can be asked: an edit is refused, a command is held by the sandbox.
      const is = said === 'ask' && tools.includes('edit') ? 'deny' : said;
      if (isWide && is !== 'deny' && Object.keys(all).length > 0) continue;
      const glob = ALL_FILES.test(given) ? '*' : given;
      const { [glob]: _, ...others } = all;
      all = isFields(value) ? { ...others, [glob]: is } : { [glob]: is };
    }
  }
  const globs = Object.keys(all);
  return globs.length > 1 ? all : (all['*'] ?? (globs.length === 0 ? undefined : all));
}

/** Globs of everything: also of folders in folders. */
const ALL_FILES = /^(?:\.?\/)?\*+(?:\/\*+)*$/;

/** The globs that may be edited, where everything else is denied. */
function editsOf(edits: Rules | Effect | undefined, notes: HeadNote[]): Settings {
  if (typeof edits !== 'object') return {};
  const rules = Object.entries(edits);
  // What stands before the rule for all is overruled by it.
  const after = rules.slice(rules.findIndex(([glob]) => glob === '*') + 1);
  const denied = after.filter(([, is]) => is === 'deny');
  if (denied.length > 0) {
    notes.push({
      key: 'permission',
      message: 'single denied files are not protected here',
      found: denied.map(([glob]) => glob).join(', '),
      fix: 'Name what it may write: write: [globs]',
    });
  }
  if (edits['*'] !== 'deny') return {};
  return only(after.filter(([, is]) => is !== 'deny').map(([glob]) => glob));
}

/** A list, or words with commas; what is in brackets stays whole. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.filter((one): one is string => typeof one === 'string').map((one) => one.trim());
  }
  return typeof value === 'string' ? [...(value.match(/(?:\([^)]*\)|[^,\s])+/g) ?? [])] : [];
}
