/**
 * Who could do a new task here: the agents that are described with an adapter of their own, and the
 * adapters that there are: that of the workspace first, then installed clients. Nothing is started.
 */
import { adapterNames } from '../../clients/adapters/registry.ts';
import { isClient } from '../../clients/core/records.ts';
import { isInstalled } from '../../process/program.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { roleOf } from '../../agents/engine/roles.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Executor {
  /** Key of the contract that names it. */
  readonly key: 'agent' | 'adapter';
  readonly name: string;
  /** How it is called: shell, human, host, or the words of a command. */
  readonly how: string;
}

const MISSING = ' (not installed)';

export function executors(ws: Workspace): readonly Executor[] {
  const registry = agentsOf(ws);
  const path = ws.env['PATH'] ?? '';
  const shown = (how: string): string =>
    isClient(how) && !isInstalled(how, path, ws.layout.root) ? how + MISSING : how;
  const agents = registry.offered().flatMap((name): Executor[] => {
    const adapter = registry.adapterOf(name) ?? registry.clientOf(name);
    if (adapter === undefined || roleOf(ws, name).adapter === undefined) return [];
    return [{ key: 'agent', name, how: shown(adapter) }];
  });
  const adapters = adapterNames(ws.config).map((name): Executor => {
    const run = ws.config.adapters[name]?.run;
    return { key: 'adapter', name, how: run === undefined ? shown(name) : run.join(' ') };
  });
  const rank = ({ key, name, how }: Executor): number => {
    if (key === 'adapter' && name === ws.config.adapter) return 0;
    return isClient(how) ? 1 : how.endsWith(MISSING) ? 3 : 2;
  };
  return [...agents, ...adapters].toSorted((a, b) => rank(a) - rank(b));
}
