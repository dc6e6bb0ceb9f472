/** What an adapter is: data, and a pure function from a call to an invocation, or a Fault. */
import type { Permissions } from '../task/core/model/permissions.ts';
import type { ClientError, ClientNames, Ending } from '../task/core/attempts/client-report.ts';
import { attemptName, type AttemptKind } from '../task/core/attempts/record.ts';
import { Fault } from '../task/core/model/problem.ts';
import { ALLOWED_BYTES_MAX, allowedText, ALLOWED_NAME } from '../permissions/core/allowed.ts';
import { MARK_NAME } from './process-table.ts';
import type { Spawn } from './spawn.ts';

/** `human` and `host` are never started by the runner: files on disk end their attempts. */
export type AdapterMode = 'process' | 'human' | 'host';
export type Permission = 'default' | 'accept_edits' | 'read_only';

/** Limits of an attempt on the machine of a worker. Durations in milliseconds. */
export interface Elsewhere {
  readonly timeout_ms: number;
  readonly stall_ms: number;
  readonly sandbox: 'auto' | 'bwrap' | 'none';
  /** No network but loopback. */
  readonly closed: boolean;
  /** The folder of tasks, relative to `root`. */
  readonly tasks: string;
}

/** A folder of a client in a home. Names that are neither open nor own are settings, which a session obeys. */
export interface ClientFolder {
  /** Absolute. */
  readonly path: string;
  /** Globs of names: login and sessions. Without it all is settings, and a call leaves nothing there. */
  readonly open?: readonly string[];
  /** Settings by path, even missing ones; a folder ends with `/`. `{slug}` is the root, `*` each folder. */
  readonly shut: readonly string[];
  /** Each call has private ones. */
  readonly own: readonly string[];
  /** Globs of names that a sandbox does not show. */
  readonly hidden?: readonly string[];
  /** True if it refuses an empty JSON file. */
  readonly strict_json?: true;
  /** True if it does so inside, while the person's own client takes such a file for none. */
  readonly strict_inside?: true;
}

export interface AgentCall {
  readonly task: string;
  readonly attempt: number;
  readonly kind: AttemptKind;
  readonly agent: string;
  /** The working directory, absolute: the workspace or the worktree. */
  readonly root: string;
  /** Absolute. */
  readonly workspace: string;
  /** Folder in which the agent writes, absolute. */
  readonly desk: string;
  readonly brief_file: string;
  readonly contract_file: string;
  /** The text of `brief_file`. */
  readonly brief: string;
  /** The ```sh blocks under `## Steps`, for the shell adapter. */
  readonly steps: readonly string[];
  readonly model?: string;
  /** Program of a client, beyond the trees that agents write; absolute. */
  readonly found?: string | undefined;
  /** The first number of its version, where it was asked for that. */
  readonly major?: number;
  readonly session?: string;
  /** Folders that the client itself must be able to write. */
  readonly state_dirs: readonly string[];
  readonly extra_dirs: readonly string[];
  /** Existing ones of the `opens` of its adapter. */
  readonly opens?: readonly string[];
  readonly instructions: string;
  readonly permissions: Permissions;
  /** For documents that it hands in on the desk. */
  readonly documents?: Permissions;
  readonly permission: Permission;
  /** Judges each use of a tool before it happens; its last argument is the client's name. */
  readonly hook?: readonly string[];
  /** A file that does the same, for a client that loads one; absolute. */
  readonly plugin?: string;
  /** Confined by the runner: a sandbox of the client would not start inside ours. */
  readonly sandboxed?: boolean;
  /** Variables that may be inherited, the adapter's own `env_names` among them. */
  readonly env_names: readonly string[];
  /** A person talks to the client in this terminal. */
  readonly interactive: boolean;
  /** Only for an adapter that `relays`. */
  readonly elsewhere?: Elsewhere;
}

/** Its `env` is added to `agentEnvironment`. */
export interface Invocation extends Pick<Spawn, 'argv' | 'env' | 'stdin' | 'cwd'> {
  /** Name to content: put on the desk before the start. */
  readonly files: Readonly<Record<string, string>>;
  /** Path below `root` to text: created where the folder exists and the file does not. */
  readonly own_files?: Readonly<Record<string, string>>;
  /** Settings of Gemini, laid over the person's in a private home. */
  readonly home_settings?: object;
  /** Runs a command in the client's own sandbox, as this call configures it. */
  readonly own_sandbox?: readonly string[];
  /** Argv of a program that this one starts: a sandbox shows what it needs. */
  readonly starts?: readonly string[];
}

export type AgentProgress =
  | { readonly kind: 'session'; readonly id: string }
  /** A `part` continues the last one. */
  | { readonly kind: 'line'; readonly text: string; readonly part?: true }
  /** Printed by the client itself, not by the agent. */
  | { readonly kind: 'noise'; readonly text: string }
  /** The model did not answer, and the client calls it again by itself; why, in its words. */
  | { readonly kind: 'retry'; readonly text: string }
  /** With a `call` its result may follow. */
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly detail: string;
      readonly call?: string;
    }
  /** `text`: why it failed, where the client reports that. */
  | {
      readonly kind: 'result';
      readonly call: string;
      readonly ok: boolean;
      readonly text: string;
      readonly exit_code?: number;
    }
  /** A question of the client to the person at the terminal. */
  | { readonly kind: 'question'; readonly text: string }
  /** Refused live, by a hook, a permission or the client. */
  | {
      readonly kind: 'denied';
      /** Empty where only the call is known. */
      readonly tool: string;
      readonly why: string;
      readonly call?: string;
    }
  /** A tool was judged by the permissions of the call before its use. */
  | { readonly kind: 'judged' }
  /** When an exhausted limit ends, in the client's words. */
  | { readonly kind: 'resets'; readonly text: string }
  /** In the client's words. */
  | { readonly kind: 'error'; readonly what: ClientError; readonly text: string }
  | { readonly kind: 'end'; readonly ok: boolean }
  /** A worker took it: its machine, and once known what confines it there. */
  | { readonly kind: 'machine'; readonly name: string; readonly enforced: readonly string[] }
  /** How its process ended on that machine. */
  | { readonly kind: 'ended'; readonly ending: Ending }
  | {
      readonly kind: 'usage';
      readonly input_tokens?: number | undefined;
      readonly output_tokens?: number | undefined;
      readonly cost_usd?: number | undefined;
      readonly of_session?: 'all' | 'cost_usd';
      readonly model?: string;
      /** For the whole call so far: replaces earlier reports, and is not added. */
      readonly total?: true;
    };

export interface Adapter {
  readonly name: string;
  readonly mode: AdapterMode;
  /** False: when the program wrote no result, the runner writes one from what it verified. */
  readonly writes_result_itself: boolean;
  /** Looked up on PATH by pre-flight. */
  readonly program?: string;
  readonly resumable: boolean;
  /** Why a person cannot talk to it in a terminal; undefined when they can. */
  readonly deaf?: string;
  /** Variables that this adapter inherits; the caller puts them into the call. */
  readonly env_names?: readonly string[];
  /** More of them, where the variable in the key is on. */
  readonly env_if?: Readonly<Record<string, readonly string[]>>;
  /** Variables without secrets (addresses, folders), which a log may show. */
  readonly plain_env?: readonly string[];
  /** Variables that name a file or folder which it only reads. */
  readonly reads_env?: readonly string[];
  /** Instructions of a role of so many bytes it gets beside the brief, which then leaves them out. */
  readonly instructions_max?: number;
  /** Its shell is its only tool: a list of tools cannot take it away. */
  readonly by_shell?: boolean;
  /** A worker on another machine calls the agent: our own program waits here, without a sandbox or a time limit. */
  readonly relays?: true;
  /** Only for clients of models: their names in messages; they report their usage. */
  readonly client?: ClientNames;
  readonly install?: string;
  /** A large adapter loads here what a call needs. */
  load?(): Promise<Adapter>;
  /** Folders that the client must write. After `load`. */
  stateDirs?(env: Environment): readonly ClientFolder[];
  /** Folders below `root` that it names to its own sandbox: made before the call, or left out. Pure; after `load`. */
  opens?(call: AgentCall): readonly string[];
  /** Asks a program for the first number of its version, where versions are called in different ways. After `load`. */
  askMajor?: ((program: string, env: Environment) => Promise<number | undefined>) | undefined;
  /** Pure. Only for mode `process`. */
  prepare(call: AgentCall): Invocation;
  /** Pure: one line of output to events. */
  read(line: string): readonly AgentProgress[];
  /** Pure: when a line was printed, in milliseconds, where it shows that. After `load`. */
  timeOf?(line: string): number | undefined;
}

/** True for a program that is no person's or host's, and not the steps of the contract. */
export const callsAgent = (adapter?: Adapter): boolean =>
  adapter?.mode === 'process' && adapter.name !== 'shell';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that a call of this adapter may inherit. */
export function namesFor(
  { env_names = [], env_if = {} }: Pick<Adapter, 'env_names' | 'env_if'>,
  ambient: Environment,
): readonly string[] {
  return [...env_names, ...switchedOn(env_if, ambient).flatMap((name) => env_if[name] ?? [])];
}

export function switchedOn(
  env_if: Adapter['env_if'] = {},
  ambient: Environment,
): readonly string[] {
  return Object.keys(env_if).filter((name) => /^(?:1|true|yes|on)$/i.test(ambient[name] ?? ''));
}

/** Each by its name: a prefix would let through whatever else begins with it. */
const INHERITED: ReadonlySet<string> = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG TERM TZ TMPDIR NODE_EXTRA_CA_CERTS SSL_CERT_FILE ' +
    'LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT LC_MESSAGES ' +
    'LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME XDG_CACHE_HOME XDG_CONFIG_DIRS ' +
    'XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME'
  ).split(' '),
);
/** More for an editor or a client in a terminal. */
const OF_A_TERMINAL = (
  'COLORTERM COLUMNS LINES NO_COLOR FORCE_COLOR TERMINFO TERMINFO_DIRS TERM_PROGRAM ' +
  'TERM_PROGRAM_VERSION TMUX TMUX_PANE STY SSH_TTY SSH_CONNECTION SSH_CLIENT WINDOWID ' +
  'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_SESSION_TYPE ' +
  'XDG_CURRENT_DESKTOP WSL_DISTRO_NAME WSL_INTEROP VISUAL EDITOR ALTERNATE_EDITOR PAGER LESS ' +
  'VIM VIMRUNTIME VIMINIT MYVIMRC NVIM NVIM_APPNAME EMACS_SOCKET_NAME EMACS_SERVER_FILE ' +
  'EMACSLOADPATH VSCODE_IPC_HOOK_CLI KITTY_WINDOW_ID KITTY_LISTEN_ON'
).split(' ');
const PATH_DEFAULT = '/usr/local/bin:/usr/bin:/bin';

/** The whole environment of a call. CONTRACTS_* of an outer call never reach an inner one. */
export function agentEnvironment(
  call: Pick<
    AgentCall,
    | ('task' | 'attempt' | 'kind' | 'agent' | 'permissions')
    | ('root' | 'workspace' | 'desk' | 'brief_file' | 'env_names')
  >,
  ambient: Environment,
  mark: string,
): Record<string, string> {
  return {
    ...programEnvironment(ambient, call.env_names),
    CONTRACTS_TASK: call.task,
    CONTRACTS_OUT: call.desk,
    CONTRACTS_BRIEF: call.brief_file,
    CONTRACTS_ATTEMPT: attemptName(call.attempt),
    CONTRACTS_ROOT: call.root,
    // A worktree has a copy of the tasks, at a commit; the agent is to see the real ones.
    ...(call.root === call.workspace ? {} : { CONTRACTS_DIR: call.workspace }),
    CONTRACTS_KIND: call.kind,
    CONTRACTS_AGENT: call.agent,
    [ALLOWED_NAME]: allowedOf(call),
    [MARK_NAME]: mark,
  };
}

/** For every program that a workspace names. */
export function programEnvironment(
  ambient: Environment,
  more: readonly string[] = [],
): Record<string, string> {
  const env: Record<string, string> = { PATH: PATH_DEFAULT };
  for (const name of [...INHERITED, ...more]) {
    const value = Object.hasOwn(ambient, name) ? ambient[name] : undefined;
    if (value !== undefined && !name.startsWith('CONTRACTS_')) env[name] = value;
  }
  return env;
}

export function terminalEnvironment(ambient: Environment): Record<string, string> {
  return programEnvironment(ambient, OF_A_TERMINAL);
}

/** For its hooks; one variable cannot hold any length. */
function allowedOf(call: Parameters<typeof allowedText>[0] & Pick<AgentCall, 'agent'>): string {
  const text = allowedText(call);
  if (Buffer.byteLength(text) <= ALLOWED_BYTES_MAX) return text;
  const why = `the list of paths that ${call.agent} may write is too long to pass on`;
  const fix = 'Write fewer or shorter patterns under write: in the contract or the agent';
  throw new Fault('adapter', why, { fix });
}

/** Values that must not stay in a log. */
export function secretValues(names: readonly string[], ambient: Environment): string[] {
  return (
    names
      .filter((name) => Object.hasOwn(ambient, name) && !INHERITED.has(name))
      .map((name) => ambient[name] ?? '')
      // Of headers, one `Name: value` a line, a log may show the value alone.
      .flatMap((value) => [value, ...(value.match(/(?<=^[\w-]+: *)\S.*$/gm) ?? [])])
      .filter((value) => value !== '')
  );
}
