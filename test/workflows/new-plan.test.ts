/** plan new --workflow: the inputs, and workflows of a project. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const RELEASE = `---
description: A release
inputs:
  version: The version that is released
  notes: { about: Where the notes go, default: docs/notes.md }
---
# Release {{version}}: {{request}}

- [ ] **Write the notes of {{version}}** (id: notes, phase: notes, executor: @librarian, files: {{notes}})
  For {{request}}, in {{ plan }}.
  - [ ] they name {{version}}
- [ ] **Tag {{version}}** (id: tag, phase: tag, executor: person, depends: notes)
`;

function roomOf(text = RELEASE) {
  const room = commandRoom('adapter: human\n');
  room.write('.contracts/workflows/release.md', text);
  return room;
}

test('values are put where the words name them, with presets for those left out', async () => {
  const room = roomOf();
  const made = await room.said(
    'plan',
    'new',
    '--workflow',
    'release',
    'version=1.2',
    'spring',
    'release',
    '--name',
    'r',
  );
  expect(made.code, made.err).toBe(0);
  expect(readFileSync(join(room.root, '.contracts/plans/r/plan.md'), 'utf8')).toBe(
    `---\nworkflow: release\ninputs:\n  notes: docs/notes.md\n  request: spring release\n  version: "1.2"\n---\n\n${RELEASE.split('---\n')[2]}`,
  );
});

test('a contract has the values, and its id stays when they change', async () => {
  const room = roomOf();
  await room.said('plan', 'new', '--workflow', 'release', 'version=1.2', 'spring', '--name', 'r');
  await room.said('plan', 'start', 'r');
  const contract = room.fileOf('notes', 'contract.md');
  expect(contract).toContain('title: Write the notes of 1.2\n');
  expect(contract).toContain('deliverables:\n  - docs/notes.md\n');
  expect(contract).toContain('For spring, in r.');
  expect(contract).toContain('- [ ] they name 1.2\n');
  const list = await room.said('plan', 'status', 'r');
  expect(list.out).toContain('r: Release 1.2: spring');
  expect(list.out).toContain('Tag 1.2');
});

const REFUSED: readonly (readonly [words: readonly string[], says: string])[] = [
  [['spring'], 'the workflow release needs this input (found version'],
  [['version=1', 'verson=2', 'spring'], 'the workflow release has no such input (found verson'],
  [['version=1'], 'there is no request'],
  [['version=1', 'x', '--id', 'y'], 'Leave out --id'],
];

test.for(REFUSED)('%s is refused: %s', async ([words, says]) => {
  const room = roomOf();
  const { code, err } = await room.said('plan', 'new', '--workflow', 'release', ...words);
  expect(err).toContain(says);
  expect(code).toBe(2);
  expect(existsSync(join(room.root, '.contracts/plans'))).toBe(false);
});

test('an input never becomes a command: where one would be read again, nothing is made', async () => {
  for (const [item, found] of [
    ['verify: `run: make {{version}}`', '{{version}}'],
    ['verify: `matches: a.txt /{{version}}/`', '{{version}}'],
    ['write: {{version}}/**', '{{version}}'],
  ] as const) {
    const room = roomOf(RELEASE.replace('files: {{notes}}', item));
    await room.said('plan', 'new', '--workflow', 'release', 'version=1', 'x', '--name', 'r');
    const { code, err } = await room.said('plan', 'start', 'r');
    expect(code, err).toBe(2);
    expect(err).toContain(
      `the value of an input would be read here as a command or a rule (found ${found}`,
    );
  }
  const room = roomOf(
    RELEASE.replace('  For {{request}}', '  ```sh\n  echo {{version}}\n  ```\n  For {{request}}'),
  );
  await room.said('plan', 'new', '--workflow', 'release', 'version=1', 'x', '--name', 'r');
  expect((await room.said('plan', 'start', 'r')).code).toBe(2);
});

test('a workflow that cannot be read is named, and the others are listed', async () => {
  const room = roomOf('---\ninputs: [a]\n---\n- [ ] x\n');
  const { out, err } = await room.said('plan', 'workflows');
  expect(err + out).toContain('.contracts/workflows/release.md:1:1: error: inputs are not names');
  expect(out).toContain('sdd');
  expect((await room.said('plan', 'workflows', 'releas')).err).toContain('Did you mean release?');
});
