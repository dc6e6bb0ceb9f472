/**
 * Who could do a new task here: the agents that are described with an adapter of their own, and the
 * adapters that there are, those of installed clients first. Nothing is started.
 */
import { adapterNames } from '../../clients/adapters/registry.ts';
import { isClient } from '../../clients/adapters/client-type.ts';
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

export function executors(ws: Workspace): readonly Executor[] {
  const registry = agentsOf(ws);
  const agents = registry.offered().flatMap((name): Executor[] => {
    const adapter = registry.adapterOf(name) ?? registry.clientOf(name);
    if (adapter === undefined || roleOf(ws, name).adapter === undefined) return [];
    return [{ key: 'agent', name, how: adapter }];
  });
  const adapters = adapterNames(ws.config).map((name): Executor => {
    const run = ws.config.adapters[name]?.run;
    return { key: 'adapter', name, how: run === undefined ? name : run.join(' ') };
  });
  const path = ws.env['PATH'] ?? '';
  const rank = ({ how }: Executor): number =>
    isClient(how) ? (isInstalled(how, path, ws.layout.root) ? 0 : 2) : 1;
  return [...agents, ...adapters].toSorted((a, b) => rank(a) - rank(b));
}
