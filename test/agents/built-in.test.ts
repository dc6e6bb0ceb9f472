/** The roles that come with the package: a file each, that can be read, and the row of its permissions. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { agentsOf } from '../../src/agents/engine/registry.ts';
import { readAgentHead } from '../../src/agents/core/agent-head.ts';
import { BUILT_IN_AGENTS } from '../../src/permissions/core/roles.ts';
import { readFrontMatter } from '../../src/task/text/yaml/front-matter.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

const folder = fileURLToPath(new URL('../../templates/agents/', import.meta.url));
const PLAIN_KEYS = new Set(['description', 'mode', 'hidden', 'delegates_to']);

test('a file for each role of the matrix of permissions, and a role for each file', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3));
  expect(files.toSorted()).toEqual(BUILT_IN_AGENTS.toSorted());
  expect(new Set(BUILT_IN_AGENTS).size).toBe(36);
});

test('nothing is wrong with the agents of the package: check does not read them', () => {
  const root = sealedFolder('package');
  mkdirSync(join(root, '.contracts'));
  const env = { ...sealedEnv(), HOME: root };
  const agents = agentsOf(openedAt(root, { env }));
  expect(agents.names().length).toBeGreaterThanOrEqual(BUILT_IN_AGENTS.length);
  expect(agents.names().flatMap((name) => agents.problems(name))).toEqual([]);
});

describe.each(BUILT_IN_AGENTS)('%s', (name) => {
  const front = readFrontMatter(readFileSync(join(folder, `${name}.md`), 'utf8'), name);
  const head = front.ok ? front.value.head : {};
  const lines = (front.ok ? front.value.body : '').split('\n').filter((line) => line !== '');

  test('is read, and says nothing about permissions that would override the matrix', () => {
    const read = readAgentHead(head, true);
    expect(read).toMatchObject({ ok: true, notes: [], value: { disabled: false } });
    // Nor limits, models or an adapter: whoever looks for these does not read it.
    const said = Object.keys(head).filter((key) => !PLAIN_KEYS.has(key));
    expect(said).toEqual([]);
    for (const key of ['write', 'create', 'delete', 'append', 'git', 'tools']) {
      expect(head).not.toHaveProperty(key);
    }
  });

  test('says in one line what it is for, and in few how it works', () => {
    expect(String(head['description']).length).toBeLessThan(120);
    expect(lines.length).toBeGreaterThanOrEqual(6);
    expect(lines.length).toBeLessThanOrEqual(25);
  });

  test('gives work to agents that exist', () => {
    const others = (head['delegates_to'] ?? []) as string[];
    expect(others.filter((other) => !BUILT_IN_AGENTS.includes(other))).toEqual([]);
  });

  test('is hidden when it works for one chief alone', () => {
    const alone = name.includes('/') || name.startsWith('plan-');
    expect(head['hidden'] === true).toBe(alone);
  });
});
