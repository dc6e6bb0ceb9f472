/**
 * The `acp` adapter: any agent that speaks the Agent Client Protocol on its stdin and stdout. Our
 * driver (../acp) is what the runner starts; it starts the agent, answers its permission requests by
 * the authority of the attempt, and prints an event a line. How it is called and read is in
 * acp-call.ts, which is loaded then.
 */
import { basename } from 'node:path';
import type { Adapter } from '../../process/adapter.ts';
import { CLIENTS, unloaded, variablesOf } from './client-table.ts';
import { CLIENT_TYPES, type ClientType } from './client-type.ts';
import { fillRun } from './command.ts';

export interface AcpOptions {
  readonly run: readonly string[];
  readonly env?: readonly string[];
  /** The session's mode, as the agent calls it. */
  readonly mode?: string | undefined;
}

export function acpAdapter(name: string, options: AcpOptions): Adapter {
  const [program = ''] = options.run;
  const known = clientIn(options.run);
  const facts = known === undefined ? undefined : CLIENTS[known];
  const variables = known === undefined ? { env_names: [], plain_env: [] } : variablesOf(known);
  const login = facts?.login ?? `Run ${basename(program)} in a terminal and log in there`;
  const adapter: Adapter = {
    name,
    ...(program === '' || program.includes('{{') ? {} : { program }),
    deaf: 'it is configured for ACP, which is not for people',
    ...variables,
    env_names: [...variables.env_names, ...(options.env ?? [])],
    by_shell: facts?.by_shell ?? false,
    client: { program: basename(program), login, costless: facts?.costless ?? false, bridge: true },
    ...unloaded(name),
  };
  return {
    ...adapter,
    load: async () => {
      const { clientFolders, prepareAcp, readAcp, timeOf } = await import('./clients.ts');
      return {
        ...adapter,
        // What is wrong with the list is said by what is loaded already: faults are told by their class.
        prepare: (call) =>
          prepareAcp(fillRun(name, options.run, call), { ...options, known }, call),
        read: readAcp,
        timeOf,
        ...(known === undefined ? {} : { stateDirs: clientFolders(known) }),
      };
    },
  };
}

const STARTERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'bun', 'node']);

/** `codex-acp`, `npx @google/gemini-cli --acp`: whose keys and folders it needs. */
function clientIn(run: readonly string[]): ClientType | undefined {
  const words = run.filter((word) => !word.startsWith('-')).map((word) => basename(word));
  const name = STARTERS.has(words[0] ?? '') ? words[1] : words[0];
  return CLIENT_TYPES.find((type) => name?.split(/[-.@]/, 1)[0] === type);
}
