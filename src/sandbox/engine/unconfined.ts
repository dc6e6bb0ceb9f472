/** Without bubblewrap: tries the client's own sandbox, and warns once where nothing confines. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from '../../process/child-process.ts';
import type { Invocation } from '../../process/adapter.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { problem } from '../../task/core/model/problem.ts';
import { isFirstTime } from '../../workspace/open/cache-folder.ts';
import { sandboxHere } from './confine.ts';
import { stateHome } from '../../workspace/open/state-home.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';

const WARNED = 'unconfined';
const PROBE_TIMEOUT_MS = 20_000;
const PROBE = '(: >"$1") 2>/dev/null; echo ran';

export function withoutSandbox(
  { ws, emit }: Running,
  contract: Contract,
  { own_sandbox, cwd }: Invocation,
  env: Readonly<Record<string, string>>,
): { readonly enforced: readonly string[]; readonly words: readonly string[] } {
  const here = sandboxHere(ws, contract);
  if (here.works) return { enforced: [], words: [] };
  const probe = join(stateHome(ws.env), 'contracts', `probe-${ws.machine.nonce()}`);
  if (own_sandbox !== undefined && ownSandboxHolds(own_sandbox, probe, { env, cwd })) {
    const words = `The sandbox of its client confined the commands that it ran: a test command could not write ${probe}. Its hooks and MCP servers run outside it.`;
    return { enforced: ['client'], words: [words] };
  }
  // With `sandbox: none` there is nothing to report.
  if (here.why !== '' && isFirstTime(ws, WARNED)) {
    const place = { severity: 'warning', file: '.contracts/config.yaml' } as const;
    const message = `nothing confines agents here: ${here.why}`;
    const fix = 'Install bubblewrap, or choose it in that file: sandbox: none';
    const found = problem({ code: 'environment', ...place, message, fix });
    emit({ event: 'problem', problem: found });
  }
  return { enforced: [], words: [] };
}

/** `argv` runs a command in it; `file` is outside of all that it opens. */
function ownSandboxHolds(
  argv: readonly string[],
  file: string,
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): boolean {
  const [program = '', ...args] = [...argv, '/bin/sh', '-c', PROBE, 'contracts-probe', file];
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const printed = execFileSync(program, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PROBE_TIMEOUT_MS,
    });
    return printed.toString() === 'ran\n' && !existsSync(file);
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}
