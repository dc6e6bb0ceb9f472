/**
 * The clients of models that can be called by name: what everybody must know of them before one is
 * called (registry, pre-flight, words). How they are called is in clients.ts, which is loaded then.
 */
import { Fault } from '../../core/problem.ts';
import type { ClientNames } from '../../core/heard.ts';
import type { Adapter } from '../adapter.ts';
import type { ClientType } from './client-type.ts';

interface ClientFacts extends ClientNames {
  /** Of the npm registry. */
  readonly package: string;
  /** The lowest version with which the options were tried that it is called with. */
  readonly oldest: string;
  /** Variables that it may inherit: keys, and what is no secret. */
  readonly keys: readonly string[];
  readonly plain: readonly string[];
  /** Those that name a file or folder which it only reads: it may lie anywhere in a home. */
  readonly reads: readonly string[];
  readonly by_shell?: boolean;
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

export const CLIENTS: Readonly<Record<ClientType, ClientFacts>> = {
  opencode: {
    program: 'opencode',
    package: 'opencode-ai',
    oldest: '1.18.33',
    login: 'Run opencode auth login, or set the key of the provider, for example ANTHROPIC_API_KEY',
    keys: [
      'OPENCODE_API_KEY',
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'OPENROUTER_API_KEY',
      'GROQ_API_KEY',
      'MISTRAL_API_KEY',
      'DEEPSEEK_API_KEY',
      'XAI_API_KEY',
    ],
    plain: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_MODELS_URL', ...PROXIES],
    reads: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  },
  claude: {
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    oldest: '2.1.330',
    login: 'Run claude and log in there, or set ANTHROPIC_API_KEY',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    plain: [
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_MODEL',
      'CLAUDE_CONFIG_DIR',
      'CLAUDE_CODE_MAX_RETRIES',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
      ...PROXIES,
    ],
    reads: [],
  },
  codex: {
    program: 'codex',
    costless: true,
    package: '@openai/codex',
    oldest: '0.169.0',
    by_shell: true,
    login: 'Run codex login, or set OPENAI_API_KEY or CODEX_API_KEY',
    keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    plain: ['OPENAI_BASE_URL', 'CODEX_HOME', ...PROXIES],
    reads: [],
  },
  gemini: {
    program: 'gemini',
    costless: true,
    package: '@google/gemini-cli',
    oldest: '0.61.0',
    login: 'Run gemini and log in there, or set GEMINI_API_KEY',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    plain: [
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GEMINI_CLI_HOME',
      ...PROXIES,
    ],
    reads: ['GOOGLE_APPLICATION_CREDENTIALS'],
  },
};

/** `run` is the program and its first arguments, where a person named others. */
export function clientAdapter(
  type: ClientType,
  name: string = type,
  run: readonly string[] = [CLIENTS[type].program],
): Adapter {
  const { package: npm, keys, plain, reads, program, login, costless = false } = CLIENTS[type];
  const { by_shell = false } = CLIENTS[type];
  const called = run[0] ?? program;
  const light: Adapter = {
    name,
    mode: 'process',
    writes_result_itself: true,
    program: called,
    ...(called === program ? { install: `Install it with npm install -g ${npm}` } : {}),
    resumable: true,
    env_names: [...keys, ...plain],
    plain_env: plain,
    reads_env: reads,
    by_shell,
    client: { program, login, costless },
    prepare: () => {
      throw new Error(`bug: ${name} is called before it is loaded`);
    },
    read: () => [],
    load: async () => {
      const { clients, conversation, timeOf } = await import('./clients.ts');
      const part = clients[type];
      return {
        ...light,
        prepare: (call) => {
          refuseOption(name, call.model);
          const headless = part.prepare(call, run);
          return call.interactive ? conversation(type, call, headless, run) : headless;
        },
        read: part.read,
        timeOf,
        stateDirs: part.stateDirs,
      };
    },
  };
  return light;
}

/** A model's name is chosen by a contract: it never becomes an option of the client. */
function refuseOption(name: string, model: string | undefined): void {
  if (model === undefined || /^[\w@][\w.:/@+[\]-]*$/.test(model)) return;
  throw new Fault('adapter', `adapter ${name}: ${JSON.stringify(model)} is no name of a model`, {
    fix: 'Correct model in the contract, of the agent or in .contracts/config.yaml',
  });
}
