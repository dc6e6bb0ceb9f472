/** What a new worktree needs, by the names of files at the top of the project. */

/** The first file of a row that is there decides. */
const SETUPS: readonly (readonly (readonly [file: string, command: string])[])[] = [
  [
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
    ['.yarnrc.yml', 'yarn install --immutable'],
    ['yarn.lock', 'yarn install --frozen-lockfile'],
    ['bun.lock', 'bun install --frozen-lockfile'],
    ['bun.lockb', 'bun install --frozen-lockfile'],
    ['package-lock.json', 'npm ci'],
    ['npm-shrinkwrap.json', 'npm ci'],
  ],
  [
    ['uv.lock', 'uv sync --frozen'],
    ['requirements.txt', 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt'],
  ],
  [['composer.lock', 'composer install']],
  [['Gemfile.lock', 'BUNDLE_PATH=vendor/bundle bundle install']],
];

/** Files that decide what is installed. */
export const LOCK_FILES = SETUPS.flat().map(([file]) => file);

/** Commands for `worktree: setup:`. Cargo and Go fetch what they need when they build. */
export function proposeSetup(files: readonly string[]): readonly string[] {
  return SETUPS.flatMap((row) => row.find(([file]) => files.includes(file))?.[1] ?? []);
}

/** Files for `worktree: copy:`, from those that git ignores. */
export function proposeCopy(ignored: readonly string[]): readonly string[] {
  return ['.env', '.env.local'].filter((file) => ignored.includes(file));
}
