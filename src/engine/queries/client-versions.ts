/**
 * The versions of the installed clients, asked of themselves, all at once. A client with a composed
 * command line, or in the workspace, is not asked: what that would start is unknown. Their logins only on request.
 */
import { CLIENTS, isClient, type ClientType } from '../../clients/core/records.ts';
import { askClient } from '../../clients/adapters/client-login.ts';
import { askVersion, placeholderOf } from '../../clients/calls/ask-version.ts';
import { isInstalled } from '../../process/program.ts';
import { judgeVersion, type ClientVersion, type Login } from '../../clients/core/client-version.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

type Asked = ClientVersion & { readonly login?: Login; readonly type?: ClientType };

/** By the name of the adapter; those that are no client or not installed are not there. `logins`: of which ones. */
export async function clientVersions(
  ws: Workspace,
  adapters: readonly string[],
  { logins = [] }: { readonly logins?: readonly string[] } = {},
) {
  const asked = [...new Set(adapters)].flatMap((name) => {
    const client = clientOf(ws, name);
    return client === undefined ? [] : [{ name, ...client }];
  });
  const answers = await Promise.all(
    asked.map(async ({ name, type, program }): Promise<readonly [string, Asked]> => {
      const { oldest, package: npm } = CLIENTS[type];
      // A script finds its interpreter there.
      const PATH = ws.programs.path;
      const path = program.includes('/') ? program : (ws.programs.find(program) ?? '');
      if (!ws.programs.isBeyond(path)) {
        const doubt = `${program} is in this workspace or at a relative path, so it is not asked for its version`;
        return [name, { version: undefined, doubt, npm }];
      }
      const env = { ...ws.env, PATH };
      const state = logins.includes(name)
        ? await askClient(type, path, env, program)
        : judgeVersion(program, oldest, await askVersion(path, env));
      const judged = { ...state, type, npm };
      const text = judged.version === undefined ? placeholderOf(path) : undefined;
      if (text === undefined) return [name, judged];
      const doubt = `${program} is only a text: ${text} was installed without its scripts (--ignore-scripts)`;
      return [name, { version: undefined, doubt, npm: text }];
    }),
  );
  return new Map(answers);
}

function clientOf(ws: Workspace, name: string) {
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
