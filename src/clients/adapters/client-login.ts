/** Whether a client is logged in: by its own status call, else by the settings that it reads. Calls no model. */
import { readFileSync } from 'node:fs';
import { orNothing } from '../../process/path-kind.ts';
import { programEnvironment, type Environment } from '../../process/adapter.ts';
import { askProgram } from '../calls/ask-version.ts';
import { names, PROXIES } from '../core/client-record.ts';
import { CLIENTS, type ClientType } from '../core/records.ts';
import { clientFolders } from './client-folders.ts';

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
