/** The seven words for tools, and what each client calls them. Unknown names stay as they are. */
import { names, TOOL_WORDS, type ToolWord } from '../../clients/core/client-record.ts';
import { CLIENT_TYPES, type ClientType, TOOLS } from '../../clients/core/records.ts';

export { TOOL_WORDS, type ToolWord };

/** Names of all clients for the tools of this word. */
export function clientNames(word: ToolWord): readonly string[] {
  return CLIENT_TYPES.flatMap((client) => names(TOOLS[client][word]));
}

/** GitHub Copilot's names, which no client here uses; those of a set are written `set/name`. */
const COPILOT_TOOLS: Readonly<Partial<Record<ToolWord, string>>> = {
  read: 'view problems',
  edit: 'editfiles createfile str_replace str_replace_editor new',
  shell: 'execute runcommands runinterminal runtasks runtests terminal',
  search: 'codebase usages changes findtestfiles searchresults testfailure',
  fetch: 'web githubrepo opensimplebrowser',
  task: 'agent custom-agent runsubagent',
};
/** Tools that change nothing outside the session of the client, so no list needs them. */
const OTHER_TOOLS: ReadonlySet<string> = new Set(
  (
    'todo todos todowrite todoread write_todos skill slashcommand askuserquestion question ' +
    'exitplanmode enterplanmode think save_memory memory vscode vscodeapi extensions lsp'
  ).split(' '),
);

const WORD_OF: ReadonlyMap<string, ToolWord> = new Map(
  TOOL_WORDS.flatMap((word) => {
    const all = [word, ...clientNames(word), ...(COPILOT_TOOLS[word]?.split(' ') ?? [])];
    return all.map((name) => [name.toLowerCase(), word] as const);
  }),
);

/** The word of a tool, as of `Bash(git:*)`; undefined for an unknown tool. */
export function toolWord(name: string): ToolWord | undefined {
  return WORD_OF.get(bareName(name).split('/')[0] ?? '');
}

function bareName(name: string): string {
  return name.replace(/\(.*$/s, '').trim().toLowerCase();
}

/** Neither a client's nor an MCP server's: what they allow is not known. */
export function unknownTools(words: readonly string[]): string[] {
  return words.filter((word) => {
    const name = bareName(word);
    const isServer = /[/_*]|^mcp-/.test(name);
    return toolWord(name) === undefined && !isServer && !OTHER_TOOLS.has(name);
  });
}

/** `git log *` for `Bash(git log:*)`; undefined for a whole shell, and for other tools. */
export function shellPattern(name: string): string | undefined {
  const pattern = /\((.*?)\)?$/s.exec(name.trim())?.[1]?.trim().replace(/:\*$/, ' *') ?? '';
  return toolWord(name) === 'shell' && !/^ ?\*?$/.test(pattern) ? pattern : undefined;
}

/** The commands that its shell may run: `*` without a pattern. */
export function allowedCommands(tools: readonly string[] = []): readonly string[] {
  const all = tools.flatMap((name) => shellPattern(name) ?? []).filter((one) => one[0] !== '!');
  return all.length === 0 ? ['*'] : all;
}

/** In our words, each once; unknown names stay. */
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

/** In the words of a client; unknown names stay. */
export function toolNames(client: ClientType, words: readonly string[]): string[] {
  const tools = TOOLS[client];
  const own = (word: string) =>
    Object.hasOwn(tools, word) ? names(tools[word as ToolWord]) : [word];
  return [...new Set(words.flatMap(own))];
}

/** A list takes these away by leaving them out; brief, desk and files are decided elsewhere. */
const NARROWED: readonly string[] = ['shell', 'fetch', 'task'];

/** The client's names for what the list of an agent takes away; nothing without a list. */
export function lackedNames(client: ClientType, tools: readonly string[] = NARROWED): string[] {
  const lacked = NARROWED.filter((word) => lacksTool(tools, word));
  return toolNames(client, lacked);
}

export function lacksTool(tools: readonly string[] = NARROWED, name: string): boolean {
  const word = toolWord(name) ?? '';
  const gives = (one: string): boolean => toolWord(one) === word && !one.includes('(!');
  return NARROWED.includes(word) && !tools.some(gives);
}

/** True if a list has a shell and leaves out all tools that write. Its desk stays open to them: results are written there. */
export function lacksEdits(tools: readonly string[] = ['write']): boolean {
  const words = new Set(tools.map(toolWord));
  return words.has('shell') && !words.has('write') && !words.has('edit');
}

/** Nothing can be changed with these words alone. */
export function isReadOnly(words: readonly string[]): boolean {
  return !['write', 'edit', 'shell'].some((word) => words.includes(word));
}
