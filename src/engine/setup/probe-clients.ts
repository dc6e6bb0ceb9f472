/**
 * Which clients of agents are here, and which permissions each can enforce while it runs: by
 * our adapters, and by the settings of this project for who opens a client by hand. A look at the PATH
 * and at four files; nothing is started: what they say of their version is given.
 */
import { CLIENTS } from '../../clients/adapters/client-table.ts';
import { CLIENT_TYPES, type ClientType } from '../../clients/adapters/client-type.ts';
import { isInstalled } from '../../process/program.ts';
import type { ClientVersion } from '../../clients/core/client-version.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { activeHooks } from './offers.ts';
import type { LineData } from '../core/events/command-lines.ts';

export type Ability = LineData<'ability'>;

const HOOK = 'our hook judges each use of a tool before it happens';

/** OpenCode from version 2 on: our plugin is one of version 1. */
const TWO = 'its permissions refuse; nothing else is judged live, and this version was not tried';

const LIVE: Readonly<Record<ClientType, string>> = {
  opencode:
    'our plugin judges each use of a tool before it happens, and its permissions refuse too',
  claude: HOOK,
  codex: HOOK,
  gemini: HOOK,
};

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
  versions: ReadonlyMap<string, ClientVersion> = new Map(),
): readonly Ability[] {
  const path = ws.env['PATH'] ?? '';
  const has = (program: string): boolean => isInstalled(program, path, ws.layout.root);
  const clients = CLIENT_TYPES.map((type): Ability => {
    const { program, package: npm } = CLIENTS[type];
    const found = versions.get(type);
    const isNew = type === 'opencode' && Number.parseInt(found?.version ?? '1', 10) > 1;
    const means = has(program)
      ? `${installedWords(found, npm)}; ${isNew ? TWO : LIVE[type]}`
      : `not installed: npm install -g ${npm}`;
    return { name: type, holds: has(program), means };
  });
  return [...clients, ...OTHERS, probeHooks(ws, has('contracts'))];
}

function installedWords(found: ClientVersion | undefined, npm: string): string {
  const { version, doubt, npm: own = npm } = found ?? {};
  if (doubt !== undefined) return `installed, but ${doubt}: npm install -g ${own}`;
  return version === undefined ? 'installed' : `installed, ${version}`;
}

/** `callable`: the command that the settings name is on the PATH. */
function probeHooks(ws: Workspace, callable: boolean): Ability {
  const files = activeHooks(ws.disk, ws.layout.root);
  // OpenCode loads the plugin itself.
  const calls = files.some((file) => file !== 'opencode.json');
  const lost = calls && !callable;
  const means =
    files.length === 0
      ? 'no client asks by the settings of this project: contracts init --hooks'
      : `in ${files.join(', ')}${lost ? '; they call contracts, which is not on the PATH' : ''}`;
  return { name: 'hooks', holds: files.length > 0 && !lost, means };
}
