/**
 * Whether a client is logged in: by its own status call, else by the settings that it reads. Calls no model. All
 * that speaks of a login without a call asks here, so that two commands never disagree.
 */
import { readFileSync } from 'node:fs';
import { orNothing } from '../../process/path-kind.ts';
import { programEnvironment, type Environment } from '../../process/adapter.ts';
import { askProgram, askVersion } from '../calls/ask-version.ts';
import { names, PROXIES } from '../core/client-record.ts';
import { judgeVersion, type ClientVersion, type Login } from '../core/client-version.ts';
import { CLIENTS, type ClientType } from '../core/records.ts';
import { clientFolders } from './client-folders.ts';

export interface ClientState extends ClientVersion {
  readonly login: Login;
}

/** Its version and its login. `named`: as a person calls the program; `program`: absolute. */
export async function askClient(
  type: ClientType,
  program: string,
  env: Environment,
  named: string = type,
): Promise<ClientState> {
  const judged = judgeVersion(named, CLIENTS[type].oldest, await askVersion(program, env));
  // An older one may take the words of its status call for a request to a model.
  const login = judged.doubt === undefined ? await askLogin(type, program, env) : 'unknown';
  return { ...judged, login };
}

/** Words for what was seen of a login; empty where only a call of a model would show it. */
export function loginWords(type: ClientType, login: Login): string {
  if (login === 'yes') return 'logged in';
  if (login === 'unknown') return '';
  const { ask } = CLIENTS[type].login;
  return ask === undefined
    ? `no login is in the files and variables of ${type}; the keychain of the system was not read`
    : `${type} ${ask} reports no login`;
}

/** `program`: absolute. It gets the variables that a call of it would get. */
export async function askLogin(type: ClientType, program: string, env: Environment) {
  const { login, variables } = CLIENTS[type];
  const { clients } = await import('./clients.ts');
  const textIn = (file: string): string | undefined => {
    const [folder] = clientFolders(type)(env);
    return folder && orNothing(() => readFileSync(`${folder.path}/${file}`, 'utf8'));
  };
  const seen = { code: null, text: '', env, textIn };
  if (login.ask === undefined) return clients[type].login(seen);
  const given = programEnvironment(env, names(`${variables.env} ${PROXIES}`));
  const answer = await askProgram(program, names(login.ask), given);
  return answer.kind === 'answered' ? clients[type].login({ ...seen, ...answer }) : 'unknown';
}
