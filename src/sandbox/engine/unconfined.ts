/**
 * Without bubblewrap: tries the client's own sandbox, and warns once where nothing confines agents.
 */
import { join } from 'node:path';
import type { Invocation } from '../../process/adapter.ts';
import { ownSandboxHolds } from './probe-client-sandbox.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { problem } from '../../task/core/model/problem.ts';
import { cacheFolder, makeCacheFolder } from '../../workspace/open/cache-folder.ts';
import { sandboxHere } from './confine.ts';
import { stateHome } from '../../workspace/open/state-home.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';

const SAID = 'unconfined';

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
  const said = join(cacheFolder(ws.layout), SAID);
  // With `sandbox: none` there is nothing to report.
  if (here.why !== '' && ws.disk.stat(said) === undefined) {
    makeCacheFolder(ws);
    ws.disk.create(said, new Uint8Array(), { durable: false });
    const found = problem({
      code: 'environment',
      severity: 'warning',
      file: '.contracts/config.yaml',
      message: `nothing confines agents here: ${here.why}`,
      fix: 'Install bubblewrap, or choose it in that file: sandbox: none',
    });
    emit({ event: 'problem', problem: found });
  }
  return { enforced: [], words: [] };
}
