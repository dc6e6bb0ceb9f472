import { expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../../src/task/core/model/policy.ts';
import { parseContract } from '../../../src/task/text/documents/contract.ts';
import { cacheFolders, preparationFor } from '../../../src/worktrees/core/preparation.ts';

const config = {
  ...DEFAULT_CONFIG,
  worktree: { setup: ['npm ci', 'make'], copy: ['.env'], cleanup: ['make gone'] },
};

test.each([
  ['title: a', ['npm ci', 'make'], ['.env'], undefined],
  ['worktree: {}', ['npm ci', 'make'], ['.env'], undefined],
  ['worktree: { setup: [] }', [], ['.env'], undefined],
  // In the order of the configuration.
  ['worktree: { setup: [make, npm ci], copy: [] }', ['npm ci', 'make'], [], undefined],
  ['worktree: { setup: [make, curl x] }', ['make'], ['.env'], 'curl x'],
  ['worktree: { copy: [id_rsa] }', ['npm ci', 'make'], [], 'id_rsa'],
])('a contract with %s keeps %j and %j; beyond: %s', (head, setup, copy, beyond) => {
  const text = `---\n${head}\n---\n\n## Success Criteria\n\n- [ ] it is there\n`;
  const contract = parseContract(text, 'contract.md');
  if (!contract.ok) throw new Error('it is a contract');
  const { cleanup } = config.worktree;
  expect(preparationFor(contract.value, config)).toEqual({ setup, copy, cleanup, beyond });
});

test('without a configuration all that a contract names is beyond it', () => {
  expect(preparationFor(undefined, DEFAULT_CONFIG)).toMatchObject({ setup: [], beyond: undefined });
});

test.each([
  [{ HOME: '/h' }, ['/h/.npm', '/h/.cache/pip', '/h/.cache/yarn', '/h/go/pkg/mod']],
  [{ HOME: '/h', XDG_CACHE_HOME: '/c' }, ['/h/.npm', '/c/pip', '/c/uv', '/c/go-build']],
  [{ HOME: '/h', npm_config_cache: '/n', GOMODCACHE: '/g' }, ['/n', '/g']],
  [{ HOME: '/h', CARGO_HOME: '/r' }, ['/r/registry', '/r/git']],
])('caches with %j: %j', (env, some) => {
  expect(cacheFolders(env)).toEqual(expect.arrayContaining(some));
});

test('keys beside a cache are none, and nothing is below a home that is not named', () => {
  expect(cacheFolders({ HOME: '/h', CARGO_HOME: '/r' })).not.toContain('/r');
  expect(cacheFolders({ HOME: 'h', PIP_CACHE_DIR: 'p' })).toEqual([]);
});
