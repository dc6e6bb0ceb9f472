/**
 * Judges one tool call of a client: files by real path, shell commands by their effects; an unknown
 * effect is denied. Interpreters are left to the sandbox and the comparison.
 */
import {
  refuseChange,
  refuseGit,
  refuseWhole,
  type Permissions,
  type ChangeKind,
  type Refusal,
} from '../../task/core/model/permissions.ts';
import { resolvePath } from '../../task/core/base/paths.ts';
import { isPersons, type VerbEffects } from './person-commands.ts';
import { isBeyond, shellEffects } from './shell-effects.ts';
import type { ShellEffect } from './shell-place.ts';
import { toolEffects, type ToolEffect } from './tool-effects.ts';
import { lacksEdits, lacksTool } from './tools.ts';

/** Absolute real paths. */
export interface Allowed {
  readonly permissions: Permissions;
  /** The base of relative paths: the workspace or the worktree of the attempt. */
  readonly root: string;
  readonly desk: string;
  /** By which documents are judged that are handed in on the desk; `permissions` where left out. */
  readonly documents?: Permissions;
  /** Folders for temporary files of shell commands; one that holds the root is not free. */
  readonly scratch?: readonly string[];
  /** A sandbox enforces the same globs: files are judged only of one that may write none, so that refusals are counted. */
  readonly confined?: boolean;
  /** A person's own session: only our commands and the runner's files count; the person is asked. */
  readonly asks?: boolean;
  /** An agent in a person's session that its own file holds: our commands are judged as the person's. */
  readonly held?: boolean;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  /** The working folder of the client; the root where left out. */
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface Look {
  /** All links followed, as far as the path exists. */
  real(path: string): string;
  kind(path: string): 'file' | 'folder' | undefined;
  /** undefined when it cannot be read. */
  text(path: string): string | undefined;
}

/** The disk, and what each of our commands does. */
export interface World extends Look {
  readonly effects: VerbEffects;
}

export interface Judged {
  readonly verdict: 'allow' | 'warn' | 'deny';
  /** Empty when it is allowed. */
  readonly why: string;
  /** Files of the workspace that it would change outside its permissions, relative. */
  readonly paths: readonly string[];
}

const ALLOWED: Judged = { verdict: 'allow', why: '', paths: [] };
const COMMAND_CHARS_MAX = 256 * 1024;
/** On the desk, but written by the runner. */
const OF_THE_RUNNER = new Set(['hook.log', 'exit.md']);
const DEVICES =
  /^\/dev\/(null|zero|full|tty|std(in|out|err)|fd\/\d+|p?t(y|s)[\w/]*|(tcp|udp)\/.*)$/;

export function judgeTool(allowed: Allowed, call: ToolCall, look: World): Judged {
  const { why: lacked } = unlisted(allowed, call);
  if (lacksTool(allowed.permissions.tools, call.tool)) {
    return { verdict: 'deny', why: lacked, paths: [] };
  }
  const judge = new Judge(allowed, call, look);
  const refusals = toolEffects(call.tool, call.input).flatMap((effect) => judge.tool(effect));
  const hard = refusals.filter(({ strength }) => strength === 'hard');
  if (refusals.length === 0) return ALLOWED;
  const shown = hard.length > 0 ? hard : refusals;
  const why = [...new Set(shown.map((one) => one.why))].slice(0, 5).join('; ');
  return { verdict: hard.length > 0 ? 'deny' : 'warn', why, paths: [...judge.paths] };
}

class Judge {
  readonly paths = new Set<string>();
  readonly #allowed: Allowed;
  readonly #call: ToolCall;
  readonly #cwd: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #look: World;

  constructor(allowed: Allowed, call: ToolCall, look: World) {
    this.#allowed = allowed;
    this.#call = call;
    this.#cwd = call.cwd ?? allowed.root;
    this.#variables = call.variables ?? {};
    this.#look = look;
  }

  tool(effect: ToolEffect): Refusal[] {
    if (effect.kind === 'unreadable') return [hard(effect.why)];
    if (effect.kind === 'file') {
      const path = resolvePath(this.#cwd, effect.path);
      const { permissions, desk } = this.#allowed;
      const onDesk = below(desk, this.#look.real(path)) !== undefined;
      // A patch in a command of the shell is of such a tool, too.
      if (!onDesk && lacksEdits(permissions.tools) && !/^mcp_/i.test(this.#call.tool))
        return [unlisted(this.#allowed, this.#call)];
      return this.#file(effect.change, path, effect.after, false);
    }
    if (effect.command.length > COMMAND_CHARS_MAX)
      return [hard('the command is too long to be judged')];
    const cwd = resolvePath(this.#cwd, effect.cwd ?? '.');
    const variables = { ...this.#variables, PWD: cwd };
    const { kind } = this.#look;
    const { tools = [] } = this.#allowed.permissions;
    if (isBeyond(tools, effect.command, new Map(Object.entries(variables))))
      return [hard(`the tools of this agent allow no such command (${tools.join(', ')})`)];
    const effects = shellEffects(effect.command, { cwd, variables, kind });
    return effects.flatMap((one) => this.#shell(one));
  }

  #shell(effect: ShellEffect): Refusal[] {
    const { confined, asks } = this.#allowed;
    if (confined === true && !/git|verb|change/.test(effect.kind)) return [];
    if (asks === true && !/change|verb|folder|unknown$/.test(effect.kind)) return [];
    switch (effect.kind) {
      case 'verb':
        return this.#verb(effect.words, effect.cwd);
      case 'unknown':
        return asks === true && !this.#namesDecision() ? [] : [hard(effect.why)];
      case 'git':
        if (effect.cwd !== undefined && this.#isOwnGit(effect.cwd, effect.operation)) return [];
        return listed(refuseGit(this.#allowed.permissions, effect.operation));
      case 'unknown_git':
        return [
          hard(`git ${effect.word}: not a known git command; use the commands of git itself`),
        ];
      case 'whole':
        return this.#whole(effect.what, effect.cwd);
      case 'folder':
        return this.#folder(effect.path);
      case 'change':
        return this.#file(effect.change, effect.path, undefined, true);
    }
  }

  /** True where its words name one of our commands that a person decides, such as text for a shell to read. */
  #namesDecision(): boolean {
    const verbs = Object.entries(this.#look.effects).flatMap(([verb, effect]) => effect === 'decides' ? [verb.replace(' ', '\\s+')] : []); // prettier-ignore
    const named = new RegExp(`\\bcontracts\\s+(?:\\S+\\s+)?(?:${verbs.join('|')})\\b`);
    return named.test(JSON.stringify(this.#call.input));
  }

  #verb(words: readonly string[], cwd = this.#cwd): Refusal[] {
    const at = words.findIndex((one) => one === '-C' || one === '--dir');
    const folder = resolvePath(cwd, at === -1 ? '.' : (words[at + 1] ?? '.'));
    const { asks, held } = this.#allowed;
    const isTheirs = held !== true && isPersons(words, this.#look.effects, asks);
    if (!isTheirs || this.#place(folder) === 'free') return [];
    return [hard(`contracts ${words.join(' ')} is reserved for people`)];
  }

  /** A repository that it made among temporary files. What is pushed from there reaches others. */
  #isOwnGit(cwd: string, operation: string): boolean {
    if (/^(push|pull_request)$/.test(operation)) return false;
    for (let folder = cwd; this.#place(folder) === 'free'; folder = resolvePath(folder, '..')) {
      const kind = this.#look.kind(`${folder}/.git`);
      // A file leads to the repository of a worktree.
      if (kind !== undefined) return kind === 'folder';
    }
    return this.#place(cwd) === 'free';
  }

  #whole(what: string, cwd: string): Refusal[] {
    if (this.#place(cwd) === 'free') return [];
    return listed(refuseWhole(this.#allowed.permissions, what));
  }

  /** Creates no file: it must only be where files may be created. */
  #folder(path: string): Refusal[] {
    const { permissions } = this.#allowed;
    const place = this.#place(path);
    if (place === 'free') return [];
    if (permissions.strength === 'hard' && this.#allowed.asks === true) return [];
    if (place === undefined) return [outside(path, this.#allowed)];
    if (place === '' || permissions.create.length + permissions.append.length > 0) return [];
    return listed(refuseChange(permissions, { kind: 'create', path: place }));
  }

  #file(
    change: ChangeKind,
    path: string,
    after: ((before: string) => string | undefined) | undefined,
    shell: boolean,
  ): Refusal[] {
    if (shell && DEVICES.test(path)) return [];
    const document = this.#document(path);
    if (document !== undefined && change === 'delete') return [];
    const place = document ?? this.#place(path);
    const { asks, confined, documents = this.#allowed.permissions } = this.#allowed;
    const permissions = document === undefined ? this.#allowed.permissions : documents;
    const isJudged = document !== undefined || /\/(hook\.log|exit\.md)$/.test(path);
    const { write, create, delete: remove, append } = permissions;
    const isLeft = place === undefined || [write, create, remove, append].flat().length > 0;
    if (place === 'free' || (confined === true && !isJudged && isLeft)) return [];
    if (asks === true && (place === undefined || place === '')) return [];
    if (place === undefined) return [outside(path, this.#allowed)];
    if (place === '') return [hard(`${change}: this is the whole workspace`)];
    // The file that `*` stands for may exist.
    const isThere = change === 'delete' || path.includes('*');
    const there = isThere ? 'file' : this.#look.kind(path);
    const kind = there === undefined ? 'create' : change;
    const refusal = refuseChange(permissions, { kind, path: place });
    if (refusal === undefined) return [];
    if (kind === 'write' && this.#grows(permissions, path, place, after)) return [];
    // What a sandbox refuses cannot have been done: a change there is another's.
    if (document === undefined && confined !== true) this.paths.add(place);
    return [refusal];
  }

  /** Writing a whole file is allowed where that only appends to it. */
  #grows(
    permissions: Permissions,
    path: string,
    place: string,
    after?: (before: string) => string | undefined,
  ): boolean {
    if (after === undefined) return false;
    if (refuseChange(permissions, { kind: 'append', path: place }) !== undefined) return false;
    const before = this.#look.text(path);
    const then = before === undefined ? undefined : after(before);
    return before !== undefined && then?.startsWith(before) === true;
  }

  /** The place of a document that is handed in on the desk. */
  #document(path: string): string | undefined {
    const handed = below(`${this.#allowed.desk}/documents`, this.#look.real(path)) ?? '';
    return handed === '' ? undefined : `.contracts/${handed}`;
  }

  /** Relative to the root; `free` where anyone may write; undefined outside of both. */
  #place(path: string): string | 'free' | undefined {
    const { root, desk, scratch = [] } = this.#allowed;
    const real = this.#look.real(path);
    const ondesk = below(desk, real);
    if (ondesk !== undefined && !OF_THE_RUNNER.has(ondesk)) return 'free';
    for (const folder of scratch) {
      const [own = '', ...houses] = [real, root, desk].map(
        (one) => below(folder, one)?.split('/')[0],
      );
      if (own !== '' && !houses.includes(own)) return 'free';
    }
    return below(root, real);
  }
}

function below(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function unlisted({ permissions: { tools } }: Allowed, { tool }: ToolCall): Refusal {
  return hard(`${tool} is not among the tools of this agent (${tools?.join(', ') || 'none'})`);
}

function hard(why: string): Refusal {
  return { strength: 'hard', why };
}

function listed(refusal: Refusal | '' | undefined): Refusal[] {
  return refusal ? [refusal] : [];
}

function outside(path: string, { desk }: Allowed): Refusal {
  return hard(`${path} is outside of the workspace; write on the desk, ${desk}`);
}
