/** The clients of models: what is known before one is called. clients.ts is loaded for the call. */
import { given } from '../../task/core/base/defined-fields.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { Adapter, AgentCall } from '../../process/adapter.ts';
import { names, PROXIES } from '../core/client-record.ts';
import { CLIENTS, type ClientType } from '../core/records.ts';
import type * as Parts from './clients.ts';

/** The value of a variable so named must not stay in a log. */
const SECRET = /KEY|TOKEN|SECRET|HEADERS/;

export function variablesOf(type: ClientType) {
  const { env, clouds, reads } = CLIENTS[type].variables;
  const all = Object.entries(clouds ?? {}).map(([cloud, more]) => [cloud, names(more)] as const);
  const env_names = names(`${env} ${PROXIES}`);
  const plain_env = [...env_names, ...all.flatMap(([, more]) => more)].filter(
    (one) => !SECRET.test(one),
  );
  return { env_names, env_if: Object.fromEntries(all), plain_env, reads_env: names(reads) };
}

/** `run` is the program and its first arguments, where a person named others. */
export function clientAdapter(
  type: ClientType,
  name: string = type,
  run: readonly string[] = [CLIENTS[type].program],
): Adapter {
  const { package: npm, program, login, costless = false, by_shell = false } = CLIENTS[type];
  const { instructions_max, exits } = CLIENTS[type];
  const called = run[0] ?? program;
  const light = {
    name,
    program: called,
    ...(called === program ? { install: `Install it with npm install -g ${npm}` } : {}),
    ...variablesOf(type),
    by_shell,
    ...given({ instructions_max }),
    client: { program, login: login.how, costless, ...given({ exits }) },
  };
  return modelAdapter(light, ({ clientFolders, clients, conversation }) => ({
    ...clients[type],
    // What a composed command line starts is not known.
    ...(run.length > 1 && { askMajor: undefined }),
    prepare: (call) => {
      refuseOption(name, call.model);
      const words = foundRun(call, run);
      const headless = clients[type].prepare(call, words);
      return call.interactive ? conversation(type, call, headless, words) : headless;
    },
    stateDirs: clientFolders(type),
  }));
}

/** A bare name is taken where the runner found it: PATH may lead into files that agents write. */
export function foundRun({ found }: AgentCall, run: readonly string[]): readonly string[] {
  return found === undefined || run[0]?.includes('/') ? run : [found, ...run.slice(1)];
}

/** How it is called and read is loaded for the call. */
export function modelAdapter(
  facts: Pick<Adapter, 'name'> & Partial<Adapter>,
  loaded: (
    parts: typeof Parts,
  ) => Pick<Adapter, 'prepare' | 'read' | 'opens' | 'stateDirs' | 'askMajor'>,
): Adapter {
  const light: Adapter = {
    mode: 'process',
    writes_result_itself: true,
    resumable: true,
    prepare: () => {
      throw new Error(`bug: ${facts.name} is called before it is loaded`);
    },
    read: () => [],
    ...facts,
  };
  const load = async (): Promise<Adapter> => {
    const parts = await import('./clients.ts');
    return { ...light, timeOf: parts.timeOf, ...loaded(parts) };
  };
  return { ...light, load };
}

/** A model's name is chosen by a contract: it never becomes an option of the client. */
function refuseOption(name: string, model: string | undefined): void {
  if (model === undefined || /^[\w@][\w.:/@+[\]-]*$/.test(model)) return;
  const why = `adapter ${name}: ${JSON.stringify(model)} is not the name of a model`;
  const fix = 'Correct model in the contract, of the agent or in .contracts/config.yaml';
  throw new Fault('adapter', why, { fix });
}
