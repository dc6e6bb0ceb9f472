/** Asks git, and runs nothing that a configuration names. undefined where git refuses. */
import { execFileSync } from '../process/child-process.ts';
import { orNothing } from '../process/path-kind.ts';
import type { Programs } from '../process/program.ts';
import { ALONE, hooksOff, NO_GIT, OFF } from './runner-git.ts';

export type Git = (args: readonly string[], input?: string) => Buffer | undefined;

/** Entries that git prints with `-z`; none where it refuses. */
export function listed(out: Buffer | undefined): string[] {
  return (out?.toString('utf8') ?? '').split('\0').filter((one) => one !== '');
}

const TIMEOUT_MS = 60_000;
const BYTES_MAX = 512 * 1024 * 1024;
const FALSE = 'CONTRACTS_GIT_FALSE';

export interface GitCaller {
  /** Kept whole: a hook of git names its index there. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programs: Programs;
}

export function gitIn(folder: string, { env, programs }: GitCaller): Git {
  const off = OFF.flatMap((one) => ['-c', one]);
  const run: Git = (args, input) =>
    orNothing(() =>
      execFileSync(programs.find('git') ?? NO_GIT, ['--no-pager', ...off, ...args], {
        cwd: folder,
        env: { ...env, PATH: programs.path, ...ALONE, [FALSE]: 'false' },
        input: Buffer.from(input ?? ''),
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: TIMEOUT_MS,
        maxBuffer: BYTES_MAX,
      }),
    );
  let named: readonly string[] | undefined;
  return (args, input) => {
    if (args[0] === 'config') return run(args, input);
    if (named === undefined) {
      const keys = run(['config', '--null', '--name-only', '--get-regexp', '^hook\\.'])?.toString();
      // By a variable: `-c` would end a name at its first `=`.
      named = hooksOff(keys?.split('\0') ?? []).map((key) => `--config-env=${key}=${FALSE}`);
    }
    return run([...named, ...args], input);
  };
}
