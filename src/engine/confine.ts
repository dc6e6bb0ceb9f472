/**
 * How a program is confined before it is started: what its argv and environment become, and by what
 * name and words that stands in the report. Which sandbox is wanted is configuration and contract;
 * whether there can be one is the machine's. Fails with a Fault where one was demanded and cannot be.
 */
import { sandboxMachine } from '../agent/sandbox-machine.ts';
import { sandboxArgv } from '../agent/sandbox.ts';
import type { Contract } from '../core/contract.ts';
import { sandboxLevel } from '../core/policy.ts';
import { Fault } from '../core/problem.ts';
import { placesFor, type Places, type Scope, type Started } from './sandboxing.ts';
import { sandboxWords } from './sandbox-words.ts';
import type { Workspace } from './workspace.ts';

export interface Confined {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What is really in force: `sandbox`, or nothing. */
  readonly enforced: readonly string[];
  /** What that means, in sentences. */
  readonly words: readonly string[];
  /** After its end: takes away what was made for the sandbox and stayed empty. */
  end(): void;
}

/** No reason where none was wanted. */
type SandboxHere = { readonly works: true } | { readonly works: false; readonly why: string };

/** CONTRACTS_SANDBOX=none makes `auto` mean none for one call; what was demanded stays demanded. */
function sandboxHere(ws: Workspace, contract: Contract | undefined): SandboxHere {
  const level = sandboxLevel(contract, ws.config);
  if (level === 'none') return { works: false, why: '' };
  if (level === 'auto' && ws.env['CONTRACTS_SANDBOX'] === 'none') return { works: false, why: '' };
  return sandboxMachine(ws.env['PATH'] ?? '');
}

/** Before it is started: a sandbox of its own would not start inside ours. */
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
    if (sandboxLevel(contract, ws.config) === 'bwrap') throw noSandbox(here.why);
    const words = here.why === '' ? [] : [`There is no sandbox: ${here.why}.`];
    return { ...started, enforced: [], words, end: () => undefined };
  }
  const answer = sandboxMachine(ws.env['PATH'] ?? '');
  if (!answer.works) throw noSandbox(answer.why);
  const { machine } = answer;
  const own = placesFor(ws, scope, started);
  const sandbox = {
    ...machine,
    places: [...machine.places, ...own.places],
    cwd: started.cwd,
    mark: started.mark,
  };
  return {
    argv: sandboxArgv(sandbox, started.argv),
    env: environment(started.env),
    cwd: started.cwd,
    enforced: ['sandbox'],
    words: sandboxWords(scope, own),
    end: () => takeBack(ws, own),
  };
}

function noSandbox(why: string): Fault {
  return new Fault(`a sandbox is demanded (sandbox: bwrap), and ${why}`, {
    fix: 'Install bubblewrap and allow user namespaces, or say sandbox: auto in .contracts/config.yaml',
  });
}

/** The folder of temporary files is the sandbox's own; the sockets of the person's session are not there. */
function environment(env: Readonly<Record<string, string>>): Record<string, string> {
  const own: Record<string, string> = { ...env, TMPDIR: '/tmp' };
  delete own['XDG_RUNTIME_DIR'];
  return own;
}

function takeBack(ws: Workspace, { made }: Places): void {
  for (const folder of made.toReversed()) {
    try {
      ws.disk.remove(folder);
    } catch {
      // Something stands in it, or it is gone: then it is not ours any more.
      return;
    }
  }
}
