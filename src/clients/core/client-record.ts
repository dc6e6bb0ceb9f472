/**
 * Facts of a client of models, as data: a `record.ts` for each, in its folder. Every list of clients in the project
 * is derived from these, so a field that a new client lacks does not compile. Lists are words with blanks between.
 */

export const TOOL_WORDS = ['read', 'write', 'edit', 'shell', 'search', 'fetch', 'task'] as const;
export type ToolWord = (typeof TOOL_WORDS)[number];

/** Names of its tools for each word; without one it uses its shell instead. */
export type ClientTools = Readonly<Record<ToolWord, string>>;

/** Facts that are looked at without a call, and so stand apart: files in projects and homes, and our hook. */
export interface ClientPlaces {
  readonly project: ClientProject;
  readonly agents: ClientAgents;
  readonly hook: ClientHook;
  readonly mcp: ClientServer;
}

/** Facts of its calls. */
export interface ClientRecord {
  readonly program: string;
  readonly package: string;
  /** Lowest version with which the options of our calls were tried. */
  readonly oldest: string;
  /** True if it reports tokens, and not what they cost. */
  readonly costless?: boolean;
  readonly by_shell?: boolean;
  /** Bytes of the longest instructions that its call takes. */
  readonly instructions_max?: number;
  /** Words for what judges its tools live, and those for versions that were not tried. */
  readonly live: string;
  readonly untried?: { readonly from_major: number; readonly live: string };
  /** Words before the name of a session, with which a person goes on with it. */
  readonly resume: string;
  readonly login: ClientLogin;
  readonly variables: ClientVariables;
  /** When it refuses an empty JSON file among its settings: always, or only started by a bridge. */
  readonly strict_json: 'always' | 'bridged';
  readonly talk: ClientTalk;
  readonly acp?: ClientBridge;
  readonly plugin?: ClientPlugin;
  /** Exit codes that say why it ended; others are the low eight bits of the server's status. */
  readonly exits?: { readonly login: number; readonly turns: number };
}

export interface ClientLogin {
  /** Advice to a person where there is none. */
  readonly how: string;
  /** Arguments of its own call that says so. */
  readonly ask?: string;
}

export interface ClientVariables {
  /** Names that it may inherit, beside those of proxies. */
  readonly env: string;
  /** Names of a cloud, inherited where the variable that sends it there, the key, is set. */
  readonly clouds?: Readonly<Record<string, string>>;
  /** Names of those that lead to a file or folder which it only reads: it may be anywhere in a home. */
  readonly reads?: string;
}

/** Folder in a home in which it keeps its login, sessions, and settings that a later session obeys. */
export interface ClientHome {
  /** Variable that names it, or the folder that it is in. */
  readonly variable: string;
  /** True if the variable names the home itself. */
  readonly of_home?: true;
  /** Below the home, where the variable is not set. */
  readonly below: string;
  readonly inner?: string;
  readonly open?: string;
  readonly shut?: string;
  /** Files that other sessions run or source, and keys to reach them: each call has its own. */
  readonly own?: string;
  /** Keys of a server of the person, which would work outside of the sandbox. */
  readonly hidden?: string;
}

/** Files that it reads in a project. */
export interface ClientProject {
  /** Folder of its settings. */
  readonly folder: string;
  /** Settings beside that folder. */
  readonly files?: string;
  /** Texts that it obeys without a call, at any depth. */
  readonly guides: string;
  /** Guide that people write for it. */
  readonly guide: string;
  /** Settings in which it names programs to start: JSON, lines of another form, whole folders. */
  readonly json: string;
  readonly lines?: string;
  readonly starts?: string;
  /** True if whatever is in its folder is obeyed: hooks, commands, rules, styles. */
  readonly obeyed?: true;
  /** Files that it puts there itself, with exactly this text, and without which it does not start. */
  readonly own_files?: Readonly<Record<string, string>>;
}

/** Places where it finds agents, skills and groups of agents. */
export interface ClientAgents {
  /** Folder in a project that holds `skills/` for it. */
  readonly skills: string;
  /** True if its folder comes before the one that belongs to no single client. */
  readonly first?: true;
  /** True if its folders also have singular names. */
  readonly singular?: true;
  /** Base of its folders for all projects: the home, or the folder of configurations there. */
  readonly base: 'home' | 'config';
  /** True if groups are looked for there. */
  readonly groups?: true;
}

/** Entry of our hook, and the form of its answers. */
export interface ClientHook {
  /** Settings in a project that name it, and the file of templates/init with our text for them. */
  readonly file: string;
  readonly template: string;
  /** True if it loads a plugin in place of calling a command. */
  readonly plugin?: true;
  /** True if it asks the person, and refuses by itself where none is. */
  readonly asks?: true;
  /** True if decision and reason are the whole answer. */
  readonly plain?: true;
}

/** Entry of an MCP server in the settings of a project. */
export interface ClientServer {
  readonly file: string;
  /** Keys with dots between them, in JSON; without them it is a table of TOML. */
  readonly keys?: string;
  /** True if the command is one list, beside its type. */
  readonly listed?: true;
  /** Sentence about what the person is asked before its tools are used. */
  readonly approval: string;
}

/** Ways to install our package as a plugin: arguments of its own commands, in which PACKAGE is our folder. */
export interface ClientPlugin {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** File in its home, and the name in it that shows that it is installed. */
  readonly home: { readonly file: string; readonly name: string };
  /** Name of our marketplace, likewise. Where `local` is, several projects share one of the same folder. */
  readonly market?: { readonly file: string; readonly name: string };
  /** Settings of the project that its commands write, and the keys there; without them it is there for all projects. */
  readonly local?: { readonly file: string; readonly keys: readonly string[] };
  /** File in its home that names each project which has it: the marketplace is common to all of them. */
  readonly projects?: string;
  /** Variables for its commands, so that they ask nobody. */
  readonly env?: Readonly<Record<string, string>>;
  /** Sentence about what the person is asked before its tools are used. */
  readonly approval: string;
}

/** Conversation with a person at a terminal, made from a headless call. */
export interface ClientTalk {
  /** Options to leave out, with the number of words that follow each. */
  readonly headless: Readonly<Record<string, number>>;
  /** Option of the first prompt; without it the prompt is the argument that is no option. */
  readonly prompt?: string;
  /** Subcommand that names a session, with its own argument. */
  readonly resumes?: string;
}

/** Settings that make it ask for permissions when it speaks ACP. */
export interface ClientBridge {
  readonly env?: Readonly<Record<string, string>>;
  /** Variables that hold JSON. */
  readonly json?: Readonly<Record<string, object>>;
  readonly mode?: string;
  /** Mode inside our sandbox, where its own does not start. */
  readonly sandboxed?: string;
}

/** Names that each of them inherits. */
export const PROXIES = 'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy';

/** Bytes of instructions in an argument, which may have 128 KiB. */
export const INSTRUCTIONS_BYTES_MAX = 60_000;

export const HOOKED = 'our hook judges each use of a tool before it happens';

/** Words with blanks between them. */
export function names(text = ''): readonly string[] {
  return text.split(/\s+/).filter((one) => one !== '');
}
