import { expect, test } from 'vitest';
import { startingKeys, startingLines } from '../../../src/clients/core/client-settings.ts';

test.each([
  [{ model: 'x', theme: 'dark' }, {}],
  [{ hooks: { Stop: [] }, model: 'x' }, { hooks: { Stop: [] } }],
  [{ permissions: { allow: ['a'], ask: [], deny: [] } }, {}],
  [
    { permissions: { allow: ['a'], defaultMode: 'bypass' } },
    { permissions: { defaultMode: 'bypass' } },
  ],
  [{ permissions: 'odd' }, { permissions: 'odd' }],
  // A harmless word elsewhere is another key.
  [{ mcp: { model: { command: 'x' } } }, { mcp: { model: { command: 'x' } } }],
  [{ apiKeyHelper: 'x' }, { apiKeyHelper: 'x' }],
])('of the keys %j these start something: %j', (found, left) => {
  expect(startingKeys(found)).toEqual(left);
});

test.each([
  ['# a comment\n\nmodel = "gpt"\n', ''],
  ['model = "gpt"\nnotify = ["x"]\n', 'notify = ["x"]'],
  ['model_reasoning_effort = "high"\n', ''],
  ['model_providers = { x = { env_key = "A" } }\n', 'model_providers = { x = { env_key = "A" } }'],
  // The line may stand in a command of several.
  ["notify = '''\n# not a comment\n'''\n", "notify = '''\n# not a comment\n'''\n"],
])('of the lines %j these start something: %j', (text, left) => {
  expect(startingLines(text)).toBe(left);
});
