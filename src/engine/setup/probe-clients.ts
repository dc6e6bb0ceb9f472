/**
 * Which clients of agents are here, and which permissions each can enforce while it runs: by
 * our adapters, and by the settings of this project for who opens a client by hand. A look at the PATH
 * and at four files; nothing is started: what they say of their version is given.
 */
import { CLIENT_TYPES, CLIENTS, PLACES } from '../../clients/core/records.ts';
import { isInstalled } from '../../process/program.ts';
import type { ClientVersion, Login } from '../../clients/core/client-version.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { pluggedIn } from './client-plugins.ts';
import { activeHooks } from './offers.ts';
import type { LineData } from '../core/events/command-lines.ts';

export type Ability = LineData<'ability'>;

type Asked = ClientVersion & { readonly login?: Login };

const OTHERS: readonly Ability[] = [
  {
    name: 'acp',
    holds: true,
    means: 'requests of the client are answered by its permissions; nothing else is judged live',
  },
  {
    name: 'command, shell',
    holds: false,
    means: 'nothing is judged live: changes outside their permissions are found afterwards',
  },
];

export function probeClients(
  ws: Workspace,
  versions: ReadonlyMap<string, Asked> = new Map(),
): readonly Ability[] {
  const path = ws.env['PATH'] ?? '';
  const has = (program: string): boolean => isInstalled(program, path, ws.layout.root);
  const clients = CLIENT_TYPES.map((type): Ability => {
    const { program, package: npm, live, untried } = CLIENTS[type];
    const found = versions.get(type);
    const major = Number.parseInt(found?.version ?? '1', 10);
    const judged = untried !== undefined && major >= untried.from_major ? untried.live : live;
    const means = has(program)
      ? `${installedWords(found, npm)}; ${judged}`
      : `not installed: npm install -g ${npm}`;
    return { name: type, holds: has(program), means };
  });
  return [...clients, ...OTHERS, probeHooks(ws, has('contracts'))];
}

function installedWords(found: Asked | undefined, npm: string): string {
  const { version, doubt, npm: own = npm, login = 'unknown' } = found ?? {};
  if (doubt !== undefined) return `installed, but ${doubt}: npm install -g ${own}`;
  const seen = { yes: ', logged in', no: ', not logged in', unknown: '' }[login];
  return version === undefined ? 'installed' : `installed, ${version}${seen}`;
}

/** `callable`: the command that the settings name is on the PATH. */
function probeHooks(ws: Workspace, callable: boolean): Ability {
  const files = [...activeHooks(ws.disk, ws.layout.root)];
  // A plugin is loaded by the client itself.
  const calls = CLIENT_TYPES.some((type) => {
    const { file, plugin } = PLACES[type].hook;
    return plugin !== true && files.includes(file);
  });
  const plugged = pluggedIn({ putting: ws.putting, env: ws.env, root: ws.layout.root });
  const lost = (calls || plugged.length > 0) && !callable;
  files.push(...plugged.map((type) => `the plugin of ${type}`));
  const means =
    files.length === 0
      ? 'no client asks by the settings of this project: contracts init --hooks'
      : `in ${files.join(', ')}${lost ? '; they call contracts, which is not on the PATH' : ''}`;
  return { name: 'hooks', holds: files.length > 0 && !lost, means };
}
