/** A real git in a folder of a test: no configuration of the machine, no signing, a fixed author. */
import { execFileSync } from 'node:child_process';

export const GIT_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** Throws when git fails. `at`: seconds of the commit, so that one is newer than another. */
export function gitOf(root: string) {
  return (args: string, at = 0): string => {
    const when = `${1_790_000_000 + at} +0000`;
    return execFileSync('git', args.split(' '), {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...GIT_ENV,
        GIT_AUTHOR_DATE: when,
        GIT_COMMITTER_DATE: when,
      },
    });
  };
}
