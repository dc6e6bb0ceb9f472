/**
 * What an adapter is: data, and a pure function from a call to argv, environment, stdin and files.
 * Also the environment that every call gets: an allowlist, the names that were asked for, and ours.
 * Knows no task state and no folder layout (paths come with the call); never spawns, never reads a disk.
 * An adapter that cannot make an invocation throws a Fault that names what is wrong.
 */
import type { Authority } from '../task/core/model/permissions.ts';
import type { ClientError, ClientNames } from '../task/core/attempts/client-report.ts';
import { Fault } from '../task/core/model/problem.ts';
import { RIGHTS_BYTES_MAX, rightsText, RIGHTS_NAME } from '../permissions/core/rights.ts';
import { MARK_NAME } from './process-table.ts';

/** `human` and `host` are never started by the runner: files on disk end their attempts. */
export type AdapterMode = 'process' | 'human' | 'host';
export type Permission = 'default' | 'accept_edits' | 'read_only';

/** A folder of a client in a home. What of it is not open, own or made by the call is settings, which a session obeys. */
export interface ClientFolder {
  /** Absolute. */
  readonly path: string;
  /** Globs of names: login and sessions. Left out: all of it is settings, and what a call makes there goes with it. */
  readonly open?: readonly string[];
  /** Settings by path, also where they are not there yet; a folder ends with `/`. `{slug}` stands for the root, `*` for each folder. */
  readonly shut: readonly string[];
  /** Folders of which each call has one of its own. */
  readonly own: readonly string[];
  /** It does not take an empty file of JSON for none. */
  readonly strict_json?: true;
}

export interface AgentCall {
  readonly task: string;
  /** The attempt's number. */
  readonly attempt: number;
  readonly kind: 'work' | 'review';
  /** The role's name. */
  readonly agent: string;
  /** The working directory, absolute: the workspace or the attempt's worktree. */
  readonly root: string;
  /** The workspace itself, absolute. */
  readonly workspace: string;
  /** Where the agent writes, absolute. */
  readonly desk: string;
  readonly brief_file: string;
  readonly contract_file: string;
  /** The text of `brief_file`. */
  readonly brief: string;
  /** The ```sh blocks under `## Steps`, for the shell adapter. */
  readonly steps: readonly string[];
  readonly model?: string;
  /** The client's session to resume. */
  readonly session?: string;
  /** Folders that the client itself must be able to write. */
  readonly state_dirs: readonly string[];
  readonly extra_dirs: readonly string[];
  /** The role's instructions; they stand in the brief as well. */
  readonly instructions: string;
  readonly authority: Authority;
  readonly permission: Permission;
  /**
   * The program that judges each use of a tool before it happens, where there is one: the client's
   * name is added as its last argument.
   */
  readonly hook?: readonly string[];
  /** A file that judges as the hook does, for a client that loads one; absolute. */
  readonly plugin?: string;
  /** The runner confines it already: a sandbox of the client's own would not start inside ours. */
  readonly sandboxed?: boolean;
  /** Names of variables of ours that may be inherited; the adapter's own `env_names` among them. */
  readonly env_names: readonly string[];
  /** True when a person talks to the client in this terminal. */
  readonly interactive: boolean;
}

export interface Invocation {
  readonly argv: readonly string[];
  /** Added to what `agentEnvironment` gives. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: 'null' | { readonly text: string };
  /** Name -> content, to be put on the desk before the start. */
  readonly files: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Folders below `root` that must be there before it starts: its own sandbox shows them. */
  readonly opens?: readonly string[];
  /** Path below `root` -> text: files of its own, put where their folder is there and they are not. */
  readonly own_files?: Readonly<Record<string, string>>;
  /** Settings of Gemini, to be laid over the person's in a home of its own. */
  readonly home_settings?: object;
  /** What runs a command in the sandbox that the client brings with it, as this call sets it. */
  readonly own_sandbox?: readonly string[];
  /** Argv of a program that this one starts: a sandbox shows what that needs as well. */
  readonly starts?: readonly string[];
}

export type AgentProgress =
  | { readonly kind: 'session'; readonly id: string }
  /** What it says. A `part` goes on where the last one ended. */
  | { readonly kind: 'line'; readonly text: string; readonly part?: true }
  /** What the client itself prints beside its events: no word of the agent. */
  | { readonly kind: 'noise'; readonly text: string }
  /** With a `call` its result may follow. */
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly detail: string;
      readonly call?: string;
    }
  /** How a tool ended; `text` is the line that says why it failed, where there is one. */
  | {
      readonly kind: 'result';
      readonly call: string;
      readonly ok: boolean;
      readonly text: string;
      readonly exit_code?: number;
    }
  /** A question that the client itself put to whoever sits there. */
  | { readonly kind: 'question'; readonly text: string }
  /** A tool that was refused live, by a hook, a permission or the client. */
  | {
      readonly kind: 'denied';
      /** Empty where only the call is known. */
      readonly tool: string;
      readonly why: string;
      readonly call?: string;
    }
  /** A use of a tool was judged by the authority of the call, before it happened. */
  | { readonly kind: 'judged' }
  /** When a limit that is used up ends, in the client's words. */
  | { readonly kind: 'resets'; readonly text: string }
  /** What went wrong, in the client's words. */
  | { readonly kind: 'error'; readonly what: ClientError; readonly text: string }
  /** The client's closing event. */
  | { readonly kind: 'end'; readonly ok: boolean }
  | {
      readonly kind: 'usage';
      readonly input_tokens?: number | undefined;
      readonly output_tokens?: number | undefined;
      readonly cost_usd?: number | undefined;
      readonly of_session?: true;
      readonly model?: string;
      /** Of the whole call so far: it takes the place of what was told before, and is not added. */
      readonly total?: true;
    };

export interface Adapter {
  readonly name: string;
  readonly mode: AdapterMode;
  /** False: when the program wrote no result, the runner writes one from what it verified. */
  readonly writes_result_itself: boolean;
  /** Looked up on PATH for pre-flight words; undefined when there is none. */
  readonly program?: string;
  readonly resumable: boolean;
  /** Why a person cannot talk to it in a terminal; undefined when that is how it is built. */
  readonly deaf?: string;
  /** Names of variables that this adapter wants inherited; the caller puts them into the call. */
  readonly env_names?: readonly string[];
  /** More of them, where the variable that they stand under is switched on. */
  readonly env_if?: Readonly<Record<string, readonly string[]>>;
  /** Those among them that hold no secret: addresses and folders, which may stand in a log. */
  readonly plain_env?: readonly string[];
  /** Those that name a file or folder which it only reads. */
  readonly reads_env?: readonly string[];
  /** Its shell is its only tool: a list of tools cannot take it away. */
  readonly by_shell?: boolean;
  /** Given for the clients of models: their names for words about them; they tell what they used. */
  readonly client?: ClientNames;
  /** How its program is installed, where that is known. */
  readonly install?: string;
  /** Where the adapter is large: the same one with what it needs to be called. */
  load?(): Promise<Adapter>;
  /** Folders that the client must be able to write in to live. After `load`. */
  stateDirs?(env: Environment): readonly ClientFolder[];
  /** Pure. Only for mode `process`. */
  prepare(call: AgentCall): Invocation;
  /** Pure: one line of output -> events. */
  read(line: string): readonly AgentProgress[];
  /** Pure: when a line of output was printed, in milliseconds, where it says so. After `load`. */
  timeOf?(line: string): number | undefined;
}

/** Of a process: what it was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that a call of this adapter may inherit. */
export function namesFor(
  { env_names = [], env_if = {} }: Pick<Adapter, 'env_names' | 'env_if'>,
  ambient: Environment,
): readonly string[] {
  return [...env_names, ...switchedOn(env_if, ambient).flatMap((name) => env_if[name] ?? [])];
}

/** Those of its variables that are set to yes. */
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
/** What an editor or a client in a person's terminal also needs: the terminal, the screen, editors' own. */
const OF_A_TERMINAL = (
  'COLORTERM COLUMNS LINES NO_COLOR FORCE_COLOR TERMINFO TERMINFO_DIRS TERM_PROGRAM ' +
  'TERM_PROGRAM_VERSION TMUX TMUX_PANE STY SSH_TTY SSH_CONNECTION SSH_CLIENT WINDOWID ' +
  'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_SESSION_TYPE ' +
  'XDG_CURRENT_DESKTOP WSL_DISTRO_NAME WSL_INTEROP VISUAL EDITOR ALTERNATE_EDITOR PAGER LESS ' +
  'VIM VIMRUNTIME VIMINIT MYVIMRC NVIM NVIM_APPNAME EMACS_SOCKET_NAME EMACS_SERVER_FILE ' +
  'EMACSLOADPATH VSCODE_IPC_HOOK_CLI KITTY_WINDOW_ID KITTY_LISTEN_ON'
).split(' ');
const PATH_DEFAULT = '/usr/local/bin:/usr/bin:/bin';

/**
 * The whole environment of a call. What is not on the list and was not named is not there; variables
 * of an outer call (CONTRACTS_*) never leak into an inner one, and naming them changes nothing.
 */
export function agentEnvironment(
  call: Pick<
    AgentCall,
    | ('task' | 'attempt' | 'kind' | 'agent' | 'authority')
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
    CONTRACTS_ATTEMPT: attemptText(call.attempt),
    CONTRACTS_ROOT: call.root,
    // A worktree has a copy of the tasks, at a commit; whoever asks about them is to see the real ones.
    ...(call.root === call.workspace ? {} : { CONTRACTS_DIR: call.workspace }),
    CONTRACTS_KIND: call.kind,
    CONTRACTS_AGENT: call.agent,
    [RIGHTS_NAME]: rightsOf(call),
    [MARK_NAME]: mark,
  };
}

/** What is inherited by every program that a workspace names, and by none more than `more` names. */
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
function rightsOf(call: Pick<AgentCall, 'agent' | 'authority' | 'root' | 'desk'>): string {
  const text = rightsText(call);
  if (Buffer.byteLength(text) <= RIGHTS_BYTES_MAX) return text;
  throw new Fault(
    'adapter',
    `the list of paths that ${call.agent} may write is too long to pass on`,
    {
      fix: 'Write fewer or shorter patterns under write: in the contract or the agent',
    },
  );
}

/** The values behind the names that a call may inherit: what must not stay in a log. */
export function secretValues(names: readonly string[], ambient: Environment): string[] {
  return (
    names
      .filter((name) => Object.hasOwn(ambient, name) && !INHERITED.has(name))
      .map((name) => ambient[name] ?? '')
      // Of headers, `Name: value` a line, a log may show the value alone.
      .flatMap((value) => [value, ...(value.match(/(?<=^[\w-]+: *)\S.*$/gm) ?? [])])
      .filter((value) => value !== '')
  );
}

export function attemptText(attempt: number): string {
  return String(attempt).padStart(4, '0');
}
