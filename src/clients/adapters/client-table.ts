/** The clients of models: what is known before one is called. clients.ts is loaded for the call. */
import { given } from '../../task/core/base/defined-fields.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { ClientNames } from '../../task/core/attempts/client-report.ts';
import type { Adapter, AgentCall } from '../../process/adapter.ts';
import { INSTRUCTIONS_BYTES_MAX, names, type ClientType } from './client-type.ts';
import type * as Parts from './clients.ts';

interface ClientFacts extends ClientNames {
  readonly package: string;
  /** The lowest version with which the options of our calls were tried. */
  readonly oldest: string;
  /** Variables that it may inherit; those of a cloud only where the variable of that cloud is set. */
  readonly env: readonly string[];
  readonly clouds?: Readonly<Record<string, readonly string[]>>;
  /** Variables that name a file or folder which it only reads: it may be anywhere in a home. */
  readonly reads?: readonly string[];
  readonly by_shell?: boolean;
  /** As of the adapter. */
  readonly instructions_max?: number;
}

const PROXIES = 'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy';

/** The value of a variable so named must not stay in a log. */
export const SECRET = /KEY|TOKEN|SECRET|HEADERS/;

export const CLIENTS: Readonly<Record<ClientType, ClientFacts>> = {
  opencode: {
    program: 'opencode',
    package: 'opencode-ai',
    oldest: '1.18.33',
    // In a file.
    instructions_max: Infinity,
    login: 'Run opencode auth login, or set the key of the provider, for example ANTHROPIC_API_KEY',
    env: names(`
      OPENCODE_API_KEY ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY
      GOOGLE_GENERATIVE_AI_API_KEY OPENROUTER_API_KEY GROQ_API_KEY MISTRAL_API_KEY
      DEEPSEEK_API_KEY XAI_API_KEY
      OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_MODELS_URL ${PROXIES}
    `),
    reads: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  },
  claude: {
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    oldest: '2.1.330',
    instructions_max: INSTRUCTIONS_BYTES_MAX,
    login: 'Run claude and log in there, or set ANTHROPIC_API_KEY',
    env: names(`
      ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_OAUTH_TOKEN
      ANTHROPIC_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_VERTEX_BASE_URL
      ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL ANTHROPIC_DEFAULT_OPUS_MODEL
      ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_DEFAULT_HAIKU_MODEL CLAUDE_CONFIG_DIR
      CLAUDE_CODE_MAX_RETRIES CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX ${PROXIES}
    `),
    clouds: {
      CLAUDE_CODE_USE_BEDROCK: names(`
        AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK
        AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE
      `),
      CLAUDE_CODE_USE_VERTEX: names(`
        CLOUD_ML_REGION ANTHROPIC_VERTEX_PROJECT_ID GOOGLE_CLOUD_PROJECT
        GOOGLE_APPLICATION_CREDENTIALS
      `),
    },
    reads: ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'GOOGLE_APPLICATION_CREDENTIALS'],
  },
  codex: {
    program: 'codex',
    costless: true,
    package: '@openai/codex',
    oldest: '0.169.0',
    instructions_max: INSTRUCTIONS_BYTES_MAX,
    by_shell: true,
    login: 'Run codex login, or set OPENAI_API_KEY or CODEX_API_KEY',
    env: names(`OPENAI_API_KEY CODEX_API_KEY OPENAI_BASE_URL CODEX_HOME ${PROXIES}`),
  },
  gemini: {
    program: 'gemini',
    costless: true,
    package: '@google/gemini-cli',
    oldest: '0.61.0',
    login: 'Run gemini and log in there, or set GEMINI_API_KEY',
    env: names(`
      GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_GEMINI_BASE_URL GOOGLE_GENAI_USE_VERTEXAI
      GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION GOOGLE_APPLICATION_CREDENTIALS
      GEMINI_CLI_HOME ${PROXIES}
    `),
    clouds: { GOOGLE_GENAI_USE_VERTEXAI: [] },
    reads: ['GOOGLE_APPLICATION_CREDENTIALS'],
  },
};

export function variablesOf(type: ClientType) {
  const { env, clouds = {}, reads = [] } = CLIENTS[type];
  const all = [env, ...Object.values(clouds)].flat();
  const plain_env = all.filter((name) => !SECRET.test(name));
  return { env_names: env, env_if: clouds, plain_env, reads_env: reads };
}

/** `run` is the program and its first arguments, where a person named others. */
export function clientAdapter(
  type: ClientType,
  name: string = type,
  run: readonly string[] = [CLIENTS[type].program],
): Adapter {
  const { package: npm, program, login, costless = false, by_shell = false } = CLIENTS[type];
  const { instructions_max } = CLIENTS[type];
  const called = run[0] ?? program;
  const light = {
    name,
    program: called,
    ...(called === program ? { install: `Install it with npm install -g ${npm}` } : {}),
    ...variablesOf(type),
    by_shell,
    ...given({ instructions_max }),
    client: { program, login, costless },
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
