/**
 * What agents work with, in seven words of ours, and what each client calls it: data, and the way from
 * one to the other. Names that nobody here knows (tools of MCP servers) are left as they are. Pure.
 */
export const CLIENTS = ['opencode', 'claude', 'gemini', 'codex'] as const;
export type Client = (typeof CLIENTS)[number];

export const TOOL_WORDS = ['read', 'write', 'edit', 'shell', 'search', 'fetch', 'task'] as const;
export type ToolWord = (typeof TOOL_WORDS)[number];

/** No name at all: that client does it through its shell. */
export const CLIENT_TOOLS: Readonly<Record<Client, Readonly<Record<ToolWord, readonly string[]>>>> =
  {
    opencode: {
      read: ['read'],
      write: ['write'],
      edit: ['edit', 'multiedit', 'patch', 'apply_patch'],
      shell: ['bash'],
      search: ['grep', 'glob', 'list', 'codesearch'],
      fetch: ['webfetch', 'websearch'],
      task: ['task'],
    },
    claude: {
      read: ['Read', 'NotebookRead'],
      write: ['Write'],
      edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
      shell: ['Bash', 'BashOutput', 'KillShell', 'PowerShell'],
      search: ['Grep', 'Glob', 'LS', 'ToolSearch'],
      fetch: ['WebFetch', 'WebSearch'],
      task: ['Task', 'Agent'],
    },
    gemini: {
      read: ['read_file', 'read_many_files'],
      write: ['write_file'],
      edit: ['replace'],
      shell: ['run_shell_command'],
      search: ['grep_search', 'search_file_content', 'glob', 'list_directory'],
      fetch: ['web_fetch', 'google_web_search'],
      task: ['invoke_agent'],
    },
    codex: {
      read: ['view_image'],
      write: [],
      edit: ['apply_patch'],
      shell: ['shell', 'exec_command', 'write_stdin', 'local_shell'],
      search: [],
      fetch: ['web_search'],
      task: ['spawn_agent', 'send_input', 'wait_agent', 'close_agent'],
    },
  };

/** GitHub Copilot's names, which are no client's here; those of one set are written `set/name`. */
const COPILOT_TOOLS: Readonly<Partial<Record<ToolWord, string>>> = {
  read: 'view problems',
  edit: 'editfiles createfile str_replace str_replace_editor new',
  shell: 'execute runcommands runinterminal runtasks runtests terminal',
  search: 'codebase usages changes findtestfiles searchresults testfailure',
  fetch: 'web githubrepo opensimplebrowser',
  task: 'agent custom-agent runsubagent',
};
/** They change nothing outside of the client's own session, so no list needs a word for them. */
const OTHER_TOOLS: ReadonlySet<string> = new Set(
  (
    'todo todos todowrite todoread write_todos skill slashcommand askuserquestion question ' +
    'exitplanmode enterplanmode think save_memory memory vscode vscodeapi extensions lsp'
  ).split(' '),
);

const WORD_OF: ReadonlyMap<string, ToolWord> = new Map(
  TOOL_WORDS.flatMap((word) => {
    const theirs = CLIENTS.flatMap((client) => CLIENT_TOOLS[client][word]);
    const all = [word, ...theirs, ...(COPILOT_TOOLS[word]?.split(' ') ?? [])];
    return all.map((name) => [name.toLowerCase(), word] as const);
  }),
);

/** What a client's tool is to us; `Bash(git:*)` is a shell. undefined for a tool of somebody else. */
export function toolWord(name: string): ToolWord | undefined {
  return WORD_OF.get(bareName(name).split('/')[0] ?? '');
}

function bareName(name: string): string {
  return name.replace(/\(.*$/s, '').trim().toLowerCase();
}

/** Names that are neither a client's nor of an MCP server: nobody knows what they let an agent do. */
export function unknownTools(words: readonly string[]): string[] {
  return words.filter((word) => {
    const name = bareName(word);
    const isServer = /[/_*]|^mcp-/.test(name);
    return toolWord(name) === undefined && !isServer && !OTHER_TOOLS.has(name);
  });
}

/** `git log *` of `Bash(git log:*)`; undefined for a whole shell, and for what is none. */
export function shellPattern(name: string): string | undefined {
  const pattern = /\((.*?)\)?$/s.exec(name.trim())?.[1]?.trim().replace(/:\*$/, ' *') ?? '';
  return toolWord(name) === 'shell' && !/^ ?\*?$/.test(pattern) ? pattern : undefined;
}

/** What its shell may run: `*` where no pattern says less. */
export function allowedCommands(tools: readonly string[] = []): readonly string[] {
  const all = tools.flatMap((name) => shellPattern(name) ?? []).filter((one) => one[0] !== '!');
  return all.length === 0 ? ['*'] : all;
}

/** Our words for a list of any client's, each once; unknown names stay. */
export function toolWords(names: readonly string[]): string[] {
  const all = names.flatMap((name) => {
    const bare = name.replace(/\(.*$/s, '').trim();
    if (bare === '*') return TOOL_WORDS;
    const commands = shellPattern(name)?.split(',');
    if (commands !== undefined) return commands.map((one) => `shell(${one.trim()})`);
    return bare === '' ? [] : [toolWord(bare) ?? bare];
  });
  return [...new Set(all)];
}

/** What a client calls these words of ours; unknown names stay. */
export function toolNames(client: Client, words: readonly string[]): string[] {
  const names: Readonly<Record<string, readonly string[]>> = CLIENT_TOOLS[client];
  const own = (word: string) => (Object.hasOwn(names, word) ? names[word]! : [word]);
  return [...new Set(words.flatMap(own))];
}

/**
 * What a list without it takes away. An agent reads its brief and writes on its desk whatever its list
 * says; which other files it writes is a matter of globs.
 */
const NARROWED: readonly string[] = ['shell', 'fetch', 'task'];

/** The names at a client of what the list of an agent's file takes away; without a list nothing. */
export function lackedNames(client: Client, tools: readonly string[] = NARROWED): string[] {
  const lacked = NARROWED.filter((word) => lacksTool(tools, word));
  return toolNames(client, lacked);
}

/** The same of one tool of any client. */
export function lacksTool(tools: readonly string[] = NARROWED, name: string): boolean {
  const word = toolWord(name) ?? '';
  const gives = (one: string): boolean => toolWord(one) === word && !one.includes('(!');
  return NARROWED.includes(word) && !tools.some(gives);
}

/** With these words of an agent's file alone nothing can be changed. */
export function isReadOnly(words: readonly string[]): boolean {
  return !['write', 'edit', 'shell'].some((word) => words.includes(word));
}
