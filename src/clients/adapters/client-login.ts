/** Whether a client is logged in: by its own status call, else by the settings that it reads. Calls no model. */
import { readFileSync } from 'node:fs';
import { orNothing } from '../../process/path-kind.ts';
import { programEnvironment, type Environment } from '../../process/adapter.ts';
import { askProgram } from './ask-version.ts';
import { clientFolders } from './client-folders.ts';
import { CLIENTS } from './client-table.ts';
import type { ClientType } from './client-type.ts';

/** `unknown`: only a call of a model would show it. */
export type Login = 'yes' | 'no' | 'unknown';

const STATUS: Readonly<Partial<Record<ClientType, readonly string[]>>> = {
  claude: ['auth', 'status'],
  codex: ['login', 'status'],
  opencode: ['auth', 'list'],
};

/** `program`: absolute. It gets the variables that a call of it would get. */
export async function askLogin(type: ClientType, program: string, env: Environment) {
  const status = STATUS[type];
  if (status === undefined) return geminiLogin(env);
  const answer = await askProgram(program, status, programEnvironment(env, CLIENTS[type].env));
  if (answer.kind !== 'answered') return 'unknown';
  const { code, text } = answer;
  // It has models that need no login.
  if (type === 'opencode')
    return /\b[1-9]\d* (?:credential|environment)/.test(text) ? 'yes' : 'unknown';
  if (code === 0) return 'yes';
  if (type === 'claude') return /"loggedIn":\s*false/.test(text) ? 'no' : 'unknown';
  // Its status knows files alone, and a provider of its own may need no login.
  if (env['CODEX_API_KEY']) return 'yes';
  const own = /^\s*model_provider\s*=/m.test(textIn('codex', 'config.toml', env) ?? '');
  return code === 1 && !own && !env['OPENAI_API_KEY'] ? 'no' : 'unknown';
}

/** The login that Gemini chooses without a person. */
function geminiLogin(env: Environment): Login {
  const settings = textIn('gemini', 'settings.json', env) ?? '';
  const [, chosen] = /"selectedType"\s*:\s*"([^"]+)"/.exec(settings) ?? [];
  if (chosen === 'oauth-personal')
    return textIn('gemini', 'oauth_creds.json', env) === undefined ? 'unknown' : 'yes';
  const cloud = ['GOOGLE_GENAI_USE_GCA', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_API_KEY'];
  if (!chosen && cloud.some((name) => env[name])) return 'unknown';
  if (env['GEMINI_API_KEY'] && /^$|^gemini-api-key$/.test(chosen ?? '')) return 'yes';
  return (chosen ?? textIn('gemini', '.env', env)) ? 'unknown' : 'no';
}

function textIn(type: ClientType, file: string, env: Environment): string | undefined {
  const [folder] = clientFolders(type)(env);
  return folder && orNothing(() => readFileSync(`${folder.path}/${file}`, 'utf8'));
}
