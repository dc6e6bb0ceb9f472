/** Which tools a call may use, by the list of its agent: Codex keeps its shell, and loses its patches as others do. */
import { expect, test } from 'vitest';
import { adapterFor } from '../../src/clients/adapters/registry.ts';
import { permissionsFor } from '../../src/permissions/engine/enforce/effective-permissions.ts';
import { makeContract } from '../engine/core/make.ts';

const layout = { root: '/w', tasks: '/w/active_tasks' };

function toolsOf(adapter: string, tools?: readonly string[]) {
  const definition = { name: 'one', instructions: '', ...(tools && { tools }) } as never;
  const role = { name: 'one', definition, adapter: adapterFor(adapter, { adapters: {} }) };
  return permissionsFor(layout, role as never, makeContract()).tools;
}

test.each([
  ['codex', ['read', 'shell'], ['read', 'shell']],
  ['codex', ['read', 'write'], ['read', 'write', 'shell']],
  ['codex', ['read', 'shell(git log *)'], ['read', 'shell(git log *)']],
  ['codex', undefined, undefined],
  ['claude', ['read', 'write'], ['read', 'write']],
] as const)('%s, %j: %j', (adapter, tools, expected) => {
  expect(toolsOf(adapter, tools)).toEqual(expected);
});
