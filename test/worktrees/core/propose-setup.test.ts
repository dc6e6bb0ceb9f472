import { expect, test } from 'vitest';
import { proposeCopy, proposeSetup } from '../../../src/worktrees/core/propose-setup.ts';

test.each([
  [['package.json', 'package-lock.json'], ['npm ci']],
  [['package-lock.json', 'pnpm-lock.yaml'], ['pnpm install --frozen-lockfile']],
  [['yarn.lock'], ['yarn install --frozen-lockfile']],
  [['yarn.lock', '.yarnrc.yml'], ['yarn install --immutable']],
  [['bun.lockb'], ['bun install --frozen-lockfile']],
  [['uv.lock', 'requirements.txt'], ['uv sync --frozen']],
  [['requirements.txt'], ['python3 -m venv .venv && .venv/bin/pip install -r requirements.txt']],
  [
    ['package-lock.json', 'composer.lock'],
    ['npm ci', 'composer install'],
  ],
  [['Gemfile.lock'], ['BUNDLE_PATH=vendor/bundle bundle install']],
  [['Cargo.lock', 'go.sum', 'package.json', 'README.md'], []],
])('setup for %j: %j', (files, commands) => {
  expect(proposeSetup(files)).toEqual(commands);
});

test.each([
  [['.env', 'node_modules', '.env.production'], ['.env']],
  [
    ['.env.local', '.env'],
    ['.env', '.env.local'],
  ],
  [['sub/.env'], []],
])('copies of the ignored %j: %j', (ignored, copies) => {
  expect(proposeCopy(ignored)).toEqual(copies);
});
