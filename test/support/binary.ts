/**
 * The built binary, as a user calls it, where package.json says that it is. `npm test` builds before it tests,
 * so tests rely on dist/ and never build it themselves; without it, or with an old one, they fail with these words.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const project = new URL('../../', import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL('package.json', project), 'utf8')) as {
  bin: { contracts: string };
};

/** An old build has a path that says so when it is called. Golden cases that call none run without. */
export const BINARY =
  process.env['CONTRACTS_TEST_BUILD'] === 'old'
    ? '/dist/ is not what these sources make: npm run build'
    : fileURLToPath(new URL(bin.contracts, project));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it printed so far. */
  stdout(): string;
}

/** `before` goes in front of node: `unshare --uts …`; `env` is the whole environment. */
export function startContracts(
  root: string,
  args: readonly string[],
  before: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
  binary = BINARY,
): Started {
  if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there: run npm run build first`);
  const [program = '', ...rest] = [...before, process.execPath, binary, ...args, '--dir', root];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended, stdout: () => stdout };
}

export function contracts(
  root: string,
  args: readonly string[],
  before: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
  binary = BINARY,
): Promise<Ended> {
  return startContracts(root, args, before, env, binary).ended;
}

/** To its end, called in that folder. */
export const contractsIn = (
  cwd: string,
  args: readonly string[],
  more: {
    readonly env?: NodeJS.ProcessEnv;
    readonly input?: string;
    readonly uid?: number | undefined;
  } = {},
) => spawnSync(process.execPath, [BINARY, ...args], { cwd, encoding: 'utf8', ...more });
