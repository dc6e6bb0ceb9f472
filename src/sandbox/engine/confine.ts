/** How a program is confined. A Fault where a sandbox is required and cannot be made. */
import { configured } from '../../git/runner-git.ts';
import { execFileSync } from '../../process/child-process.ts';
import { kindOf, orNothing } from '../../process/path-kind.ts';
import { SYSTEM_PATH } from '../../process/program.ts';
import { sandboxMachine, trySandbox, type SandboxAnswer } from './machine-view.ts';
import { sandboxArgv, type Sandbox } from './bwrap-args.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { sandboxLevel } from '../../task/core/model/policy.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { reachOf, type Reach } from '../core/writable-paths.ts';
import { readAllowed, ALLOWED_NAME, allowedText } from '../../permissions/core/allowed.ts';
import { closedFault } from './network.ts';
import type { Scope } from './scope.ts';
import { attemptOf, placesFor, type Places, type Started } from './mounts.ts';
import { programFiles } from './tool-paths.ts';
import { sandboxWords } from './report.ts';
import { closeOpened } from './placeholder-mounts.ts';
import { keyFolder } from '../../workspace/open/state-home.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Confined extends Pick<Started, 'argv' | 'env' | 'cwd'> {
  /** Program and arguments behind a gate, which hears whether it began; undefined without a sandbox. */
  readonly gated_argv?: Started['argv'];
  /** `sandbox`, or nothing. */
  readonly enforced: readonly string[];
  /** Paths that it can write; undefined without a sandbox. */
  readonly reach?: Reach;
  /** For the report, in sentences. */
  readonly words: readonly string[];
  /**
   * Why the sandbox failed, for a program that ended with 1, as bubblewrap does; or what it hides of a
   * client that ended before it had a session. `printed`: the last words of that client.
   */
  broken(printed?: string): Fault | undefined;
  /** After its end: removes folders that were made for it and stayed empty. */
  end(): void;
}

/** `why` is empty where none is wanted. CONTRACTS_SANDBOX=none turns `auto` off, and never `bwrap`. */
export function sandboxHere(ws: Workspace, contract: Contract | undefined): SandboxAnswer {
  const level = sandboxLevel(contract, ws.config);
  const isOff = level === 'none' || (level === 'auto' && ws.env['CONTRACTS_SANDBOX'] === 'none');
  if (isOff) return { works: false, why: '' };
  // No sandbox shows the folder of keys.
  return sandboxMachine(ws.programs.path, ws.programs.find, keyFolder(ws.env, ws.layout.root));
}

export function willConfine(ws: Workspace, contract: Contract | undefined): boolean {
  return sandboxHere(ws, contract).works;
}

export function confine(
  ws: Workspace,
  contract: Contract | undefined,
  scope: Scope,
  started: Started,
): Confined {
  const here = sandboxHere(ws, contract);
  if (!here.works) {
    if (scope.closed !== undefined) throw closedFault(scope.closed, here.why);
    if (sandboxLevel(contract, ws.config) === 'bwrap') {
      throw new Fault('sandbox', `sandbox: bwrap requires a sandbox, and ${here.why}`, {
        fix: 'Install bubblewrap and allow user namespaces, or set sandbox: auto in .contracts/config.yaml',
      });
    }
    const words = here.why === '' ? [] : [`There is no sandbox: ${here.why}.`];
    const end = (): void => closeOpened(ws, scope.made ?? [], attemptOf(started.env));
    return { ...started, enforced: [], words, broken: () => undefined, end };
  }
  const { machine } = here;
  const own = placesFor(ws, scope, started);
  const sandbox = {
    ...machine,
    places: [...machine.places, ...own.places],
    ...(own.standing && { standing: own.standing }),
    no_network: scope.closed !== undefined,
    cwd: started.cwd,
    mark: started.mark,
  };
  return {
    argv: sandboxArgv(sandbox, started.argv),
    gated_argv: sandboxArgv(sandbox, started.argv, 'reports'),
    env: { ...environment(started.env, own), ...confinedAllowed(started.env, scope, own) },
    cwd: started.cwd,
    enforced: ['sandbox'],
    reach: reachOf(sandbox.places),
    words: sandboxWords(scope, own, sandbox.places, started.env['HOME']),
    broken: (printed) => brokenFault(sandbox) ?? hiddenFault(sandbox, scope.root, started, printed),
    end: () => {
      own.letGo();
      closeOpened(ws, own.made, attemptOf(started.env));
    },
  };
}

/** The hook skips files where the sandbox enforces the same globs. */
function confinedAllowed(env: Started['env'], scope: Scope, { wider }: Places): Started['env'] {
  const allowed = readAllowed(env[ALLOWED_NAME] ?? '');
  const isSame = wider.length === 0 && scope.permissions.strength === 'hard';
  if (allowed === undefined || !isSame) return {};
  return { [ALLOWED_NAME]: allowedText({ ...allowed, confined: true }) };
}

/** Runs the same sandbox around nothing, to see whether the program itself ended with 1. */
function brokenFault(sandbox: Sandbox): Fault | undefined {
  const why = trySandbox(sandbox);
  if (why === undefined) return undefined;
  const fix = 'See contracts doctor; or work without it: sandbox: none in .contracts/config.yaml';
  return new Fault('sandbox', `the sandbox could not be created: ${why}`, { fix });
}

const LOOK = 'for one; do [ -e "$one" ] || { printf %s "$one"; exit; }; done';

/** A program that cannot be found in the sandbox, or a part of it that it names, and is here. */
function hiddenFault(
  sandbox: Sandbox,
  root: string,
  { argv, starts, env }: Started,
  printed?: string,
) {
  if (printed === undefined) return undefined;
  const files = [argv, starts].flatMap((one) => programFiles(one, env['PATH'] ?? '', root));
  const named = printed.split(/[\s:'"‘’`]+/).filter((word) => word.startsWith('/'));
  const all = [...files.map(({ real }) => real), ...named].filter((one) => kindOf(one) === 'file');
  const [bwrap = '', ...args] = sandboxArgv(sandbox, ['/bin/sh', '-c', LOOK, 'look', ...all]);
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const path = orNothing(() => execFileSync(bwrap, args, { stdio, env: { PATH: SYSTEM_PATH } }));
  if (path === undefined || path.length === 0) return undefined;
  const name = starts.at(-1) || argv[0];
  return new Fault('sandbox', `${name} is not there in the sandbox, which hides ${path}`, {
    fix: 'Install it in a folder of PATH, or work without it: sandbox: none in .contracts/config.yaml',
  });
}

/** Temporary files are private; sockets of the person's session are not available. */
function environment(env: Started['env'], { git_settings }: Places): Started['env'] {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  const settings = git_settings.length > 0 ? configured(git_settings, count) : {};
  const own: Record<string, string> = { ...env, TMPDIR: '/tmp', ...settings };
  delete own['XDG_RUNTIME_DIR'];
  return own;
}
