/** Whether checks of a project need a network: each runs in a sandbox without one, and where it fails once with one. */
import { join } from 'node:path';
import { programEnvironment } from '../../process/adapter.ts';
import { confine, sandboxHere } from '../../sandbox/engine/confine.ts';
import type { Closed } from '../../sandbox/engine/network.ts';
import { READ_ONLY } from '../../task/core/model/permissions.ts';
import { cacheFolder, makeCacheFolder } from '../../workspace/open/cache-folder.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { startOf } from '../call/call.ts';
import { detectChecks } from './project-checks.ts';

const TRIAL_MS = 120_000;

/** Commands found in the project, and those of `checks`; none where no sandbox closes a network, or one is closed. */
export function checksToTry(ws: Workspace): readonly string[] {
  const { config, person, disk, layout } = ws;
  if (config.network !== 'open' || person.network !== undefined) return [];
  const found = [...detectChecks(disk, layout.root).values(), ...Object.values(config.checks)];
  const runs = found.flat().map((one) => one.replace(/^run: */, ''));
  const commands = runs.filter((one) => !/^(?:\w+:\s|(?:checklist|\w+_valid)$)/.test(one));
  return sandboxHere(ws, undefined).works ? [...new Set(commands)] : [];
}

/** Why they do not all pass without one, a line each. Their output is in the cache. */
export async function whyOpen(ws: Workspace, checks: readonly string[]): Promise<string[]> {
  makeCacheFolder(ws);
  const end = ws.machine.now().getTime() + TRIAL_MS;
  const log = join(cacheFolder(ws.layout), 'checks.log');
  const passes = async (check: string, closed?: Closed): Promise<boolean> => {
    const [cwd, mark] = [ws.layout.root, ws.machine.nonce()];
    const scope = { kind: 'check', root: cwd, permissions: READ_ONLY, writes: [], closed } as const;
    const started = { argv: ['sh', '-c', check], env: programEnvironment(ws.env), cwd, mark };
    const confined = confine(ws, undefined, scope, { ...started, starts: [] });
    const how = { stdin: 'null', log, timeout_ms: Math.max(1, end - +ws.machine.now()) } as const;
    const gated = ws.room.start({ ...startOf(ws, confined, mark), ...how });
    gated.open();
    const { code } = await gated.done;
    confined.end();
    return code === 0;
  };
  const why: string[] = [];
  for (const check of checks) {
    if (await passes(check, { by: 'the trial', fix: '' })) continue;
    const needs = await passes(check);
    why.push(`${check} ${needs ? 'needs the network' : 'fails or takes too long with it too'}`);
  }
  return why;
}
