/** Which clients are installed, and which of them could be called now: asked of themselves, all at once. */
import type { LineData } from '../core/events/command-lines.ts';
import { askClient, loginWords } from '../../clients/adapters/client-login.ts';
import { CLIENT_TYPES, CLIENTS, type ClientType } from '../../clients/core/records.ts';
import type { Login } from '../../clients/core/client-version.ts';
import { isInstalled } from '../../process/program.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { programsFor } from '../../workspace/open/workspace.ts';

/** `login` and `words` (its version and login, or what is against calling it) where it was asked. */
export type FoundClient = LineData<'initialised'>['clients'][number] &
  Readonly<Record<'name' | 'adapter', ClientType>>;

/** By a look at the PATH; nothing is run. */
export function findClients(path: string, root: string): readonly FoundClient[] {
  return CLIENT_TYPES.filter((name) => isInstalled(name, path, root)).map((name) => {
    return { name, adapter: name, callable: true };
  });
}

const ORDER: readonly Login[] = ['yes', 'unknown', 'no'];

/** Clients, those with a login first. Takes as long as the slowest, at most 40 seconds. */
export async function askClients(env: Readonly<Record<string, string | undefined>>, root: string) {
  const { find, path: PATH } = programsFor({ disk: realDisk, env }, root);
  const ambient = { ...env, PATH };
  const all = findClients(PATH, root).map(async (client): Promise<FoundClient> => {
    const program = find(client.name) ?? client.name;
    const { version, doubt, login } = await askClient(client.name, program, ambient);
    const seen = loginWords(client.name, login) || 'login not known';
    const how = login === 'no' ? `. ${CLIENTS[client.name].login.how}` : '';
    return { ...client, login, words: doubt ?? `${version}, ${seen}${how}` };
  });
  const asked = (await Promise.all(all)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return ORDER.flatMap((login) => asked.filter((one) => one.login === login));
}
