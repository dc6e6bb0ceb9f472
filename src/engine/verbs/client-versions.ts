/**
 * Which versions of the clients are here, asked of themselves, all at once: for words of `agents` and
 * `doctor` alone, since each costs a start of that client. One whose command line a person composed is
 * not asked: nobody knows what that would start.
 */
import { resolve } from 'node:path';
import { CLIENTS } from '../../agent/adapters/client-table.ts';
import { isClient, type ClientType } from '../../agent/adapters/client-type.ts';
import { askVersion } from '../../agent/ask-version.ts';
import { isInstalled } from '../../agent/program.ts';
import { judgeVersion, type ClientVersion } from '../../core/client-version.ts';
import { whyUntrusted } from '../trust.ts';
import type { Workspace } from '../workspace.ts';

/** By the name of the adapter; those that are no client or not installed are not there. */
export async function clientVersions(
  ws: Workspace,
  adapters: readonly string[],
): Promise<ReadonlyMap<string, ClientVersion>> {
  const asked = [...new Set(adapters)].flatMap((name) => {
    const client = clientOf(ws, name);
    return client === undefined ? [] : [{ name, ...client }];
  });
  const said = await Promise.all(
    asked.map(async ({ name, type, program }) => {
      const path = program.includes('/') ? resolve(ws.layout.root, program) : program;
      const answer = await askVersion(path, ws.env);
      return [name, judgeVersion(program, CLIENTS[type].oldest, answer)] as const;
    }),
  );
  return new Map(said);
}

function clientOf(
  ws: Workspace,
  name: string,
): { readonly type: ClientType; readonly program: string } | undefined {
  const { adapters } = ws.config;
  const entry = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
  const type = entry?.type ?? name;
  if (!isClient(type)) return undefined;
  const { program: usual } = CLIENTS[type];
  // What an untrusted workspace calls a client may be anything.
  const run = whyUntrusted(ws) === undefined ? (entry?.run ?? [usual]) : [usual];
  const [program] = run;
  if (program === undefined || run.length > 1) return undefined;
  return isInstalled(program, ws.env['PATH'] ?? '', ws.layout.root) ? { type, program } : undefined;
}

/** How it is brought to the newest one. */
export function updateWords(ws: Workspace, adapter: string): string {
  const client = clientOf(ws, adapter);
  return client === undefined ? '' : `npm install -g ${CLIENTS[client.type].package}`;
}
