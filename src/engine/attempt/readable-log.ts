/**
 * The client that printed the log of an attempt decides how it is shown; the log itself stays as it is.
 * Adapters are loaded beforehand: a log that is read in the middle of a step cannot wait.
 */
import { basename, dirname, join } from 'node:path';
import type { Adapter } from '../../process/adapter.ts';
import { adapterFor } from '../../clients/adapters/registry.ts';
import { agentSchema, type Attempt } from '../../task/core/attempts/record.ts';
import { readRecord } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { placeOf } from '../../worktrees/engine/place.ts';
import { Transcript } from './transcript.ts';

type Called = Pick<Attempt, 'outcome'> & Partial<Pick<Attempt, 'agent'>>;

/** With what it needs to be called and read; once for a workspace. */
export async function loadedAdapter({ readers }: Workspace, adapter: Adapter): Promise<Adapter> {
  const loaded = readers.get(adapter.name) ?? (await adapter.load?.()) ?? adapter;
  readers.set(adapter.name, loaded);
  return loaded;
}

/** For the clients of these attempts; undefined where there is nothing to wait for. */
export function loadReaders(ws: Workspace, attempts: readonly Called[]) {
  const clients = attempts.flatMap(({ outcome }) => clientOf(ws, outcome?.adapter) ?? []);
  const missing = clients.filter(({ name }) => !ws.readers.has(name));
  if (missing.length === 0) return undefined;
  return Promise.all(missing.map((adapter) => loadedAdapter(ws, adapter)));
}

export async function loadTranscript(
  ws: Workspace,
  folder: string,
  { outcome, agent }: Called,
): Promise<Transcript | undefined> {
  const started = readRecord(ws, `${folder}/agent.md`, agentSchema());
  const recorded = started?.ok === true ? started.value.adapter : undefined;
  const adapter = clientOf(ws, outcome?.adapter ?? agent?.adapter ?? recorded);
  if (adapter !== undefined) await loadedAdapter(ws, adapter);
  return transcriptOf(ws, folder, adapter?.name, outcome);
}

/** `folder` is the attempt's. undefined where no client printed the log. */
export function transcriptOf(
  ws: Workspace,
  folder: string,
  adapter: string | undefined,
  used?: Attempt['outcome'],
) {
  const { read, timeOf = () => undefined } = ws.readers.get(adapter ?? '') ?? {};
  if (read === undefined || clientOf(ws, adapter) === undefined) return undefined;
  const worktree = join(placeOf(ws), basename(dirname(dirname(folder))));
  return new Transcript({ read, timeOf, roots: [worktree, ws.layout.root], used });
}

/** undefined where the adapter of this name calls no client of models. */
export function clientOf(ws: Workspace, name: string | undefined): Adapter | undefined {
  const adapter = name === undefined ? undefined : adapterFor(name, ws.config);
  return adapter?.client === undefined ? undefined : adapter;
}
