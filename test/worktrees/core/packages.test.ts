/** Which packages a command line needs, and which lines install them themselves. */
import { expect, test } from 'vitest';
import { neededKinds } from '../../../src/worktrees/core/packages.ts';

const needs = (command: string): string =>
  neededKinds(command)
    .map(({ folders }) => folders[0])
    .join(' ');
const ALL = 'node_modules .venv vendor';

test.each([
  // They look at files.
  ['test -s out/report.md', ''],
  ['! grep -rq TODO src', ''],
  ['[ -f a ] && grep -q b a | wc -l', ''],
  ['git diff --check', ''],
  ['true', ''],
  ['if test -f a; then cat a; else false; fi', ''],
  ['cargo test --all', ''],
  // Of one kind.
  ['npm test', 'node_modules'],
  ['node --test', 'node_modules'],
  ['./node_modules/.bin/vitest run', 'node_modules'],
  ['CI=1 pnpm -r test', 'node_modules'],
  ['npm run ci', 'node_modules'],
  ['npm run test:install', 'node_modules'],
  ['cd packages/core && npx tsc --noEmit', 'node_modules'],
  ['pytest -q', '.venv'],
  ['.venv/bin/python3.12 -m pytest', '.venv'],
  ['go test ./... && bundle exec rspec', 'vendor'],
  ['pytest && npm test', 'node_modules .venv'],
  ['test -f x && npm test', 'node_modules'],
  ['if npm test; then true; fi', 'node_modules'],
  // What a script does cannot be seen.
  ['sh scripts/check.sh', ALL],
  ['make test', ALL],
  ['./gate', ALL],
  ['env CI=1 npm test', ALL],
  ['$CMD test', ALL],
  // They install.
  ['npm ci && npm test', ''],
  ['npm install --no-audit; npm test', ''],
  ['npm --prefix web ci && npm --prefix web test', ''],
  ['npm i && npm test', ''],
  ['yarn && yarn test', ''],
  ['yarn test', 'node_modules'],
  ['pnpm i --frozen-lockfile && pnpm test', ''],
  ['bun install && bun test', ''],
  ['uv sync && uv run pytest', ''],
  ['uv run pytest', ''],
  ['python -m venv .venv && .venv/bin/pip install -e . && .venv/bin/pytest', ''],
  ['composer install && vendor/bin/phpunit', ''],
  ['bundle install && bundle exec rspec', ''],
  ['go mod vendor && go test ./...', ''],
  ['make setup && make test', ''],
  ['./bootstrap.sh && ./gate', ''],
  ['tox -q', ''],
])('%s', (command, wanted) => {
  expect(needs(command)).toBe(wanted);
});
