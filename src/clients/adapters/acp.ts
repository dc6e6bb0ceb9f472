/** The `acp` adapter: our driver (../acp) is started, and starts the agent that speaks the protocol. */
import { basename } from 'node:path';
import type { Adapter } from '../../process/adapter.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { AcpOptions } from './acp-order.ts';
import { foundRun, modelAdapter, variablesOf } from './client-table.ts';
import { CLIENT_TYPES, CLIENTS, type ClientType } from '../core/records.ts';
import { fillRun } from './command.ts';

export function acpAdapter(name: string, options: AcpOptions): Adapter {
  const [program = ''] = options.run;
  const known = clientIn(options.run);
  const facts = known === undefined ? undefined : CLIENTS[known];
  const variables = known === undefined ? { env_names: [], plain_env: [] } : variablesOf(known);
  const login = facts?.login.how ?? `Run ${basename(program)} in a terminal and log in there`;
  const exits = facts?.program === basename(program) ? facts.exits : undefined;
  const light = {
    name,
    ...(program === '' || program.includes('{{') ? {} : { program }),
    deaf: 'it is configured for ACP, which is not for people',
    ...variables,
    env_names: [...variables.env_names, ...(options.env ?? [])],
    by_shell: facts?.by_shell ?? false,
    client: {
      program: basename(program),
      login,
      costless: facts?.costless ?? false,
      bridge: true,
      ...given({ exits }),
    },
  };
  return modelAdapter(light, ({ clientFolders, prepareAcp, readAcp }) => ({
    // Filled here and not in the loaded part: faults are recognized by their class.
    prepare: (call) =>
      prepareAcp(foundRun(call, fillRun(name, options.run, call)), { ...options, known }, call),
    read: readAcp,
    ...(known === undefined ? {} : { stateDirs: clientFolders(known, true) }),
  }));
}

const STARTERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'bun', 'node']);

/** As in `npx @google/gemini-cli --acp`: whose keys and folders it needs. */
function clientIn(run: readonly string[]): ClientType | undefined {
  const words = run.filter((word) => !word.startsWith('-')).map((word) => basename(word));
  const name = STARTERS.has(words[0] ?? '') ? words[1] : words[0];
  return CLIENT_TYPES.find((type) => name?.split(/[-.@]/, 1)[0] === type);
}
