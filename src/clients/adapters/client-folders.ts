/**
 * The folders in a home in which a client keeps its login, sessions, and settings that a later session obeys, as the
 * versions of scripts/clients.json use them.
 */
import type { ClientFolder, Environment } from '../../process/adapter.ts';
import { names } from '../core/client-record.ts';
import { CLIENTS, HOMES, type ClientType } from '../core/records.ts';

/** None without a home. `bridged`: by a bridge, which may bring an older version than the person has. */
export function clientFolders(type: ClientType, bridged = false) {
  const { strict_json } = CLIENTS[type];
  const strict: Pick<ClientFolder, 'strict_json' | 'strict_inside'> =
    strict_json === 'always' ? { strict_json: true } : bridged ? { strict_inside: true } : {};
  return (env: Environment): readonly ClientFolder[] =>
    HOMES[type].flatMap(({ variable, of_home, below, inner, open, shut, own, hidden }) => {
      const named = env[variable]?.startsWith('/') ? env[variable] : undefined;
      const home = env['HOME'] ? `${env['HOME']}/${below}` : undefined;
      const folder = named !== undefined && of_home ? `${named}/${below}` : named;
      const top = folder ?? home;
      if (top === undefined) return [];
      const path = inner === undefined ? top : `${top}/${inner}`;
      const opened = open && { open: names(open) };
      const lists = { shut: names(shut), own: names(own), hidden: names(hidden) };
      return [{ path, ...opened, ...lists, ...strict }];
    });
}
